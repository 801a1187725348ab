import { accounts, botAccounts } from '../../catalogue/derivation-state.ts';
import type { Condition, TableReader } from '../../warehouse/intake-port.ts';
import type { Batch } from '../apply/batch.ts';
import type { IntakeSession } from '../write/intake-session.ts';

/** What the records of an account say it is. Those that say nothing are not counted. */
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
  /** What its rows are after all, whatever decided it; null where some are a bot's and others a person's. */
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
