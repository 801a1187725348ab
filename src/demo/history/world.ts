import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import type { OrganisationProfile } from '../organisation-profile.ts';
import { SeededRandom } from '../seeded-random.ts';
import { planCodeBases } from './code-bases.ts';
import { planContributors } from './contributors.ts';
import { RecordBatcher } from './record-batcher.ts';
import { Workforce } from './workforce.ts';
import { WorkingCalendar } from './working-calendar.ts';

/** What every generator of records reads, and where it adds them. */
export class DemoWorld extends RecordBatcher {
  readonly profile: OrganisationProfile;
  readonly random: SeededRandom;
  readonly calendar: WorkingCalendar;
  readonly workforce: Workforce;
  readonly scale: number;
  readonly #numbers = new Map<string, number>();
  /** The moment, or null when the history ends before it. */
  readonly orNull = (at: number | null): number | null => (at !== null && at < this.calendar.endAt ? at : null);

  constructor(organisation: DemoOrganisation, { seed, scale, until }: DemoOptions & { readonly until: string }) {
    super();
    this.profile = organisation.profile;
    this.scale = scale;
    this.random = new SeededRandom(`${seed}/${organisation.slug}/history`);
    this.calendar = new WorkingCalendar(this.profile, until);
    const codeBases = planCodeBases(organisation, this.calendar, this.random);
    const contributors = planContributors(organisation, this.calendar, this.random);
    this.workforce = new Workforce(contributors, codeBases, this.calendar, this.random);
  }

  /** The next number of a kind, in a sequence that begins after `before`. */
  nextNumber(kind: string, before: number): number {
    const number = (this.#numbers.get(kind) ?? before) + 1;
    this.#numbers.set(kind, number);
    return number;
  }
}
