import { accounts } from '../../catalogue/derivation-state.ts';
import { isBotLogin } from '../../directory/identifier.ts';
import { keyOf } from '../../name-key.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import { isCalledBot } from './bot-accounts.ts';

/**
 * People of whom the directory has yet to hear that most of their records call them a bot, or no longer do: over all
 * their accounts together, since onboarding is of a person. Only those of whose accounts the votes have changed, or all.
 */
export async function newVerdicts(
  session: TableReader,
  calledBots: ReadonlySet<string>,
  changedVotes?: ReadonlySet<string>,
): Promise<ReadonlyMap<string, boolean>> {
  const verdicts = new Map<string, boolean>();
  const touched = changedVotes ? await peopleOf(session, changedVotes) : undefined;
  if (touched?.length === 0) return verdicts;
  const votes = await votesOfPeople(session, touched);
  // Tables in which no record ever said a word have no say in it: another server may hold this organisation's records.
  if (!touched && votes.size === 0) return verdicts;
  for (const id of new Set([...(touched ?? calledBots), ...votes.keys()])) {
    const isCalled = isCalledBot(votes.get(id) ?? { bot: 0, person: 0 });
    if (isCalled !== calledBots.has(id)) verdicts.set(id, isCalled);
  }
  return verdicts;
}

async function peopleOf(session: TableReader, changedVotes: ReadonlySet<string>): Promise<string[]> {
  if (changedVotes.size === 0) return [];
  const where: Condition = { column: 'account', in: [...changedVotes] };
  const rows = await session.select(accounts, ['merged_user_id'], where);
  return [...new Set(rows.flatMap(({ merged_user_id }) => merged_user_id ?? []))];
}

async function votesOfPeople(
  session: TableReader,
  some: readonly string[] | undefined,
): Promise<Map<string, { bot: number; person: number }>> {
  const says: Condition = { column: 'says_bot', isNull: false };
  const where: Condition[] = some ? [says, { column: 'merged_user_id', in: some }] : [says];
  const votes = new Map<string, { bot: number; person: number }>();
  const rows = await session.select(accounts, ['merged_user_id', 'login', 'says_bot', 'records'], { all: where });
  for (const { merged_user_id, login, says_bot, records } of rows) {
    if (merged_user_id === null) continue;
    const own = votes.get(merged_user_id) ?? { bot: 0, person: 0 };
    votes.set(merged_user_id, own);
    // Such a login is a bot's whatever its records say.
    if (says_bot || (login !== null && isBotLogin(keyOf(login)))) own.bot += records ?? 0;
    else own.person += records ?? 0;
  }
  return votes;
}
