import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import { askSeveral, type Question } from '../../ask/question.ts';
import type { Row } from '../../ask/send.ts';
import type { View } from '../../ask/view.ts';
import type { DayWindow } from '../../ask/windows.ts';
import { seatsWords } from './words.ts';

/** Everybody who had a seat, used or not: an assistant records a day for each seat, active or not. */
export const seatsQuestion = (view: View, window: DayWindow): Question =>
  askSeveral(['adopted-users'], {
    filters: view.filtersFor('adopted-users', window),
    group_by: ['merged_user_id', 'person_login', 'is_bot', 'source'],
  });

/**
 * Everybody who had a coding session in any repository: a seat has no repository, so that filter must not narrow
 * sessions.
 */
export const sessionUseQuestion = (view: View, window: DayWindow): Question =>
  askSeveral(['posthook-sessions-count'], {
    filters: view.filtersFor('adopted-users', window),
    group_by: ['merged_user_id', 'is_bot', 'agent_slug'],
  });

/** How many people have a seat, and how many of them used it. */
interface Seats {
  readonly seats: number;
  readonly active: number;
}
export const idleOf = ({ seats, active }: Seats): number => seats - active;

interface SeatCounts {
  /** A person with two tools has one seat here, and any use of AI makes it a used one. */
  readonly all: Seats;
  /** Ids of the people who had a seat and used no AI. */
  readonly idle: readonly string[];
  readonly byTool: ReadonlyMap<string, Seats>;
  /** Accounts of assistants that belong to no known person. No count of seats includes them. */
  readonly unknownAccounts: number;
}

/** Any session is a use, also one that made no code. */
export function seatsIn(days: readonly Row[], sessions: readonly Row[]): SeatCounts {
  const agents = agentsByPerson(sessions);
  const people = new Map<string, boolean>();
  const tools = new Map<string, Map<string, boolean>>();
  const unknown = new Set<string>();
  for (const row of days) {
    if (row.is_bot === true) continue;
    const person = textOf(row.merged_user_id);
    if (person === null) {
      unknown.add(textOf(row.person_login) ?? '');
      continue;
    }
    const tool = toolOf(row.source);
    const isActive = (numberIn(row, 'adopted_users') ?? 0) > 0;
    people.set(person, people.get(person) || isActive || agents.has(person));
    const holders = tools.get(tool) ?? new Map<string, boolean>();
    tools.set(tool, holders.set(person, holders.get(person) || isActive || (agents.get(person)?.has(tool) ?? false)));
  }
  const idle = [...people].flatMap(([person, isUsed]) => (isUsed ? [] : person));
  return {
    all: countOf(people),
    idle,
    byTool: new Map([...tools].map(([tool, holders]) => [tool, countOf(holders)])),
    unknownAccounts: unknown.size,
  };
}

const countOf = (holders: ReadonlyMap<string, boolean>): Seats => ({
  seats: holders.size,
  active: [...holders.values()].filter((isUsed) => isUsed).length,
});

function agentsByPerson(sessions: readonly Row[]): ReadonlyMap<string, ReadonlySet<string>> {
  const agents = new Map<string, Set<string>>();
  for (const row of sessions) {
    const person = textOf(row.merged_user_id);
    if (person === null || row.is_bot === true) continue;
    agents.set(person, (agents.get(person) ?? new Set()).add(toolOf(row.agent_slug)));
  }
  return agents;
}

export const toolOf = (cell: Row[string] | undefined): string => textOf(cell) ?? seatsWords.noTool;

/** How one tool was used in coding sessions. */
export interface SessionUse {
  /** Sessions that made code. */
  readonly sessions: number;
  /** People with a session of any kind. */
  readonly people: number;
}

export function sessionsByAgent(sessions: readonly Row[]): ReadonlyMap<string, SessionUse> {
  const found = new Map<string, { sessions: number; people: Set<string> }>();
  for (const row of sessions) {
    const agent = toolOf(row.agent_slug);
    const use = found.get(agent) ?? { sessions: 0, people: new Set<string>() };
    use.sessions += numberIn(row, 'posthook_sessions_count') ?? 0;
    const person = textOf(row.merged_user_id);
    if (person !== null && row.is_bot !== true) use.people.add(person);
    found.set(agent, use);
  }
  return new Map(
    [...found].map(([agent, { sessions: count, people }]) => [agent, { sessions: count, people: people.size }]),
  );
}

/** What the totals of the page include and what they leave out: one sentence each. */
export function coveredWords(tools: readonly string[], agents: readonly string[], unknownAccounts: number): string {
  const list = (names: readonly string[]): string =>
    new Intl.ListFormat('en-GB').format(names.map((name) => valueLabel('source', name)).toSorted());
  const parts = [
    tools.length > 0 && seatsWords.seatsTokensAndCost(list(tools)),
    agents.length > 0 && seatsWords.codingSessionsCount(list(agents)),
    unknownAccounts > 0 && seatsWords.countedAsSeats(unknownAccounts),
  ];
  return parts.filter((part) => part !== false).join(' ');
}
