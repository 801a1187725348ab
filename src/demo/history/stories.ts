import type { SeededRandom } from '../seeded-random.ts';
import { firstDayOf, firstDayOfYear } from './chapters.ts';
import type { CodeBase } from './code-bases.ts';

/** From a Monday on, the people of one team work in the repositories of another, and wait longer for everything. */
export interface Reorganisation {
  readonly team: string;
  readonly into: string;
  readonly day: number;
}

/** A coding agent that is offered to everybody from a Monday on. */
export interface Rollout {
  readonly tool: string;
  readonly day: number;
}

const firstRolloutYear = 3;
/** What is offered in one year after the other. */
const agents = ['claude-code', 'cursor', 'codex'] as const;

/** What happens once a year, so that every two years have it, with a time before and after. */
export function storiesOfYear(year: number, teams: readonly string[], random: SeededRandom) {
  const monday = (week: number) => firstDayOfYear(year) + 7 * week;
  const [team = '', into = ''] = random.sample(teams, 2);
  const reorganisation: Reorganisation = { team, into, day: monday(random.integer(20, 32)) };
  const tool = agents[(year - firstRolloutYear) % agents.length];
  const rollout: Rollout | undefined =
    year >= firstRolloutYear && tool ? { tool, day: monday(random.integer(12, 18)) } : undefined;
  return { reorganisation, rollout };
}

/** What happens in one chapter: a workflow that fails for no reason, and a week in which releases fail. */
export function storiesOfChapter(chapter: number, codeBases: readonly CodeBase[], random: SeededRandom) {
  const week = (number: number) => firstDayOf(chapter) + 7 * number;
  const active = codeBases.filter(({ weight }) => weight > 0.5);
  const flaky = random.pickWeighted(active, ({ weight }) => weight);
  const flakyFrom = week(random.integer(1, 4));
  const flakyTo = flakyFrom + 7 * random.integer(5, 7);
  const badWeek = week(random.integer(3, 11));
  return {
    flaky: { codeBase: flaky, from: flakyFrom, to: flakyTo },
    badWeek,
    isFlaky: (codeBase: CodeBase, day: number) => codeBase === flaky && flakyFrom <= day && day < flakyTo,
    isBadWeek: (day: number) => badWeek <= day && day < badWeek + 7,
  };
}
