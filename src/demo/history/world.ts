import type { Blueprint } from '../blueprint.ts';
import { blueprints } from '../blueprints/blueprints.ts';
import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import { SeededRandom } from '../seeded-random.ts';
import { type Character, characterOf } from './characters.ts';
import { planCodeBases } from './code-bases.ts';
import { planContributors } from './contributors.ts';
import { Workforce } from './roster.ts';
import { planTeamwork } from './teamwork.ts';
import { Weaver } from './weaver.ts';
import { WorkingCalendar } from './working-calendar.ts';

/** What every part of a history looks at and writes to. */
export interface World {
  readonly organisation: DemoOrganisation;
  readonly blueprint: Blueprint;
  readonly character: Character;
  readonly calendar: WorkingCalendar;
  readonly workforce: Workforce;
  readonly weaver: Weaver;
  readonly scale: number;
  /** A stream of its own for each concern: editing one leaves all others as they were. */
  streamOf(concern: string): SeededRandom;
}

/** Two years, one of which may be a leap year. */
export const historyDays = 731;

export function buildWorld(
  organisation: DemoOrganisation,
  { seed, scale, until }: DemoOptions & { readonly until: string },
): World {
  const blueprint = blueprints.find(({ slug }) => slug === organisation.slug);
  if (!blueprint) throw new RangeError(`${organisation.slug} is no demo organisation`);
  const random = new SeededRandom(`${seed}/${organisation.slug}/history`);
  const character = characterOf(organisation.slug);
  const calendar = new WorkingCalendar(organisation.timeZone, character, until, historyDays);
  const { hasMergeQueue } = character;
  const codeBases = planCodeBases(organisation, blueprint, hasMergeQueue, calendar, random.fork('code bases'));
  const contributors = planContributors(organisation, blueprint, character, calendar, random.fork('contributors'));
  const teamwork = planTeamwork(contributors, codeBases, calendar, random.fork('teamwork'));
  return {
    organisation,
    blueprint,
    character,
    calendar,
    workforce: new Workforce(contributors, codeBases, teamwork),
    weaver: new Weaver(),
    scale,
    streamOf: (concern) => random.fork(concern),
  };
}
