import type { SeededRandom } from '../seeded-random.ts';
import type { CodeBase } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import type { WorkingCalendar } from './working-calendar.ts';

/** What sets teams apart in a history: two stories that a dashboard can find. */
export interface Teamwork {
  /** Its pull requests wait three times as long for everything that people do. */
  readonly slowTeam: string;
  /** From a Monday on, the people of one team work in the repositories of another. Their history goes with them. */
  readonly reorganisation: { readonly team: string; readonly into: string; readonly day: number };
}

export const slowness = 3;
/** How long ago the reorganisation was, when the history ends. */
const weeksSinceReorganisation = 38;

export function planTeamwork(
  contributors: readonly Contributor[],
  codeBases: readonly CodeBase[],
  calendar: WorkingCalendar,
  random: SeededRandom,
): Teamwork {
  const output = new Map<string, number>();
  for (const { teams, weight, isOnboarded, joinedDay } of contributors) {
    const [home] = teams;
    const stay = Math.min(1, (calendar.days - joinedDay) / calendar.days);
    if (isOnboarded && home !== undefined) output.set(home, (output.get(home) ?? 0) + weight * stay);
  }
  const withCode = [...new Set(codeBases.flatMap(({ team }) => team ?? []))];
  // A team that hardly writes anything would show nothing, so the busier half is drawn from.
  const busiest = withCode.toSorted((a, b) => (output.get(b) ?? 0) - (output.get(a) ?? 0));
  const [slowTeam, team, into] = random.sample(busiest.slice(0, Math.max(3, Math.ceil(busiest.length / 2))), 3);
  if (slowTeam === undefined || team === undefined || into === undefined) {
    throw new RangeError('A history needs three teams with repositories');
  }
  const day = calendar.days - weeksSinceReorganisation * 7;
  return { slowTeam, reorganisation: { team, into, day: day - ((calendar.weekdayOf(day) + 6) % 7) } };
}
