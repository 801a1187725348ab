import type { FactTable } from '../../catalogue/tables/all-tables.ts';
import type { DemoOptions, DemoOrganisation } from '../demo-organisations.ts';
import type { OrganisationProfile } from '../organisation-profile.ts';
import { SeededRandom } from '../seeded-random.ts';
import { chapterDays, firstDayOf, yearOf } from './chapters.ts';
import { planCodeBases } from './code-bases.ts';
import type { HistoryRecord } from './record-batcher.ts';
import { storiesOfChapter } from './stories.ts';
import { Workforce } from './workforce.ts';
import { WorkingCalendar } from './working-calendar.ts';

/** Takes a record of which nothing is known before a moment. */
export type GiveRecord = <T extends FactTable>(table: T, record: HistoryRecord<T>, knownFrom: number) => void;

/** Numbers that the whole service gives out in a chapter, of which nobody expects them to be small. */
const numbersOfService = 4_000_000;

/** One chapter of a history: what every generator of records reads, and to whom it gives them. */
export class DemoWorld {
  readonly profile: OrganisationProfile;
  readonly scale: number;
  /** Nobody begins anything from this day on. */
  readonly endDay: number;
  readonly random: SeededRandom;
  readonly calendar: WorkingCalendar;
  readonly workforce: Workforce;
  readonly stories: ReturnType<typeof storiesOfChapter>;
  /** Before this moment nothing is known of the records that are added. */
  knownFrom = 0;
  readonly #give: GiveRecord;
  readonly #numbers = new Map<string, number>();

  constructor(
    organisation: DemoOrganisation,
    { seed, scale }: DemoOptions,
    readonly chapter: number,
    give: GiveRecord,
  ) {
    const streamOf = (name: string) => new SeededRandom(`${seed}/${organisation.slug}/${name}`);
    const plan = streamOf('history');
    this.profile = organisation.profile;
    this.scale = scale;
    this.#give = give;
    this.endDay = firstDayOf(chapter + 1);
    this.random = streamOf(`chapter ${chapter}`);
    this.calendar = new WorkingCalendar(this.profile, firstDayOf(chapter), this.endDay);
    const codeBases = planCodeBases(organisation, chapter * this.#numbersOfRepository(), plan);
    const year = yearOf(chapter);
    this.workforce = new Workforce(organisation, codeBases, { plan, random: this.random, year, streamOf });
    this.stories = storiesOfChapter(chapter, codeBases, this.random);
  }

  /** No repository and no project has more than half of everything. */
  #numbersOfRepository(): number {
    const { pullRequests } = this.profile.activity;
    return 50 + Math.ceil((pullRequests * Math.max(0.02, this.scale) * chapterDays) / 7 / 2);
  }

  give<T extends FactTable>(table: T, record: HistoryRecord<T>): void {
    this.#give(table, record, this.knownFrom);
  }

  /** The next number of a kind, in a sequence that begins after `before` and goes on from chapter to chapter. */
  nextNumber(kind: string, before: number, of: 'a service' | 'a repository' = 'a service'): number {
    const perChapter = of === 'a service' ? numbersOfService : this.#numbersOfRepository();
    const number = (this.#numbers.get(kind) ?? before + this.chapter * perChapter) + 1;
    this.#numbers.set(kind, number);
    return number;
  }
}
