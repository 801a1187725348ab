import { accounts, botAccounts } from '../../catalogue/derivation-state.ts';
import { isBotLogin } from '../../directory/identifier.ts';
import { keyOf } from '../../text-comparison.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import type { IntakeSession } from '../write/intake-session.ts';

/** The votes of an account's records on whether it is a bot. Records that say nothing are not counted. */
interface Votes {
  readonly account: string;
  bot: number;
  person: number;
}

/** One odd record among many makes no account a bot, and a tie is a person. */
export const isCalledBot = ({ bot, person }: Pick<Votes, 'bot' | 'person'>): boolean => bot > person;

/** The votes on some accounts, or on all of them. */
async function votesOn(session: TableReader, some?: ReadonlySet<string>): Promise<Votes[]> {
  const says: Condition = { column: 'says_bot', isNull: false };
  const where: Condition = some ? { all: [says, { column: 'account', in: [...some] }] } : says;
  const votes = new Map<string, Votes>();
  for (const { account, says_bot, records } of await session.select(
    accounts,
    ['account', 'says_bot', 'records'],
    where,
  )) {
    if (account === null || records === null || records <= 0) continue;
    const own = votes.get(account) ?? { account, bot: 0, person: 0 };
    votes.set(account, own);
    if (says_bot) own.bot += records;
    else own.person += records;
  }
  return [...votes.values()];
}

/**
 * Brings the stored bot accounts up to what the records of a batch say, which are counted already. Returns whether anything
 * has changed: other rows of the same accounts then say the wrong thing, and are derived again.
 */
export async function noteBots({ session, bots, changedVotes }: Batch): Promise<boolean> {
  if (changedVotes.size === 0) return false;
  const called = (await votesOn(session, changedVotes)).filter(isCalledBot).map(({ account }) => account);
  const isCalled = new Set(called);
  const marked = called.filter((account) => !bots.has(account));
  const gone = [...changedVotes].filter((account) => bots.has(account) && !isCalled.has(account));
  await session.put(
    botAccounts,
    marked.map((account) => ({ account })),
  );
  if (gone.length > 0) await session.remove(botAccounts, { column: 'account', in: gone });
  return marked.length > 0 || gone.length > 0;
}

/** Recomputes which accounts are bots, from all votes. */
export async function gatherBots(session: IntakeSession): Promise<void> {
  const called = (await votesOn(session)).filter(isCalledBot);
  await session.remove(botAccounts, { all: [] });
  await session.put(
    botAccounts,
    called.map(({ account }) => ({ account })),
  );
}

export interface DisputedAccount extends Votes {
  /** The final kind of the account's rows; null where some are a bot's and others a person's. */
  readonly isBot: boolean | null;
}

/** Accounts that some of their records call a bot and others a person, those with the most records first. */
export async function disputedAccounts(session: TableReader): Promise<DisputedAccount[]> {
  const disputed = (await votesOn(session)).filter(({ bot, person }) => bot > 0 && person > 0);
  const kinds = new Map<string, Set<boolean>>(disputed.map(({ account }) => [account, new Set()]));
  const where: Condition = { column: 'account', in: [...kinds.keys()] };
  for (const { account, is_bot, records } of await session.select(accounts, ['account', 'is_bot', 'records'], where)) {
    if (records !== 0) kinds.get(account ?? '')?.add(is_bot === true);
  }
  return disputed
    .map((votes) => {
      const [isBot = false, ...others] = kinds.get(votes.account) ?? [];
      return { ...votes, isBot: others.length > 0 ? null : isBot };
    })
    .sort((a, b) => b.bot + b.person - (a.bot + a.person) || (a.account < b.account ? -1 : 1));
}

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
    // A login that only bots have is a bot's, whatever its records say.
    if (says_bot || (login !== null && isBotLogin(keyOf(login)))) own.bot += records ?? 0;
    else own.person += records ?? 0;
  }
  return votes;
}
