import type { RowsOfReader } from './asked-rows.ts';
import { beginsBy, figuresOf, type MetricName, tablesOf } from './metric-facts.ts';
import { type MadeOrganisation, now } from './organisations.ts';
import { beginningOf, type Days, daysLater, lastWholeDay } from './plain-days.ts';

/** The table that each page is about. All others end with yesterday. */
const tableOfPage: Readonly<Record<string, MetricName>> = {
  '/': 'cycle-time',
  '/delivery': 'deployment-frequency',
  '/cycle-time': 'cycle-time',
  '/reviews': 'review-interactions-count',
  '/ai': 'adopted-users',
  '/ci': 'workflow-runs-count',
  '/issues': 'issues-count',
  '/benchmarks': 'cycle-time',
  '/people/:id': 'cycle-time',
};

const settledMs = 3 * 86_400_000;

/** From when to when the data of an organisation are complete, by what was put in and by its oldest rows. */
export class DataExtent {
  readonly organisation: MadeOrganisation;
  readonly zone: string;
  /** When the history of each table begins that has rows. */
  readonly #oldest: ReadonlyMap<string, number>;

  private constructor(organisation: MadeOrganisation, oldest: ReadonlyMap<string, number>) {
    this.organisation = organisation;
    this.zone = organisation.zone ?? 'UTC';
    this.#oldest = oldest;
  }

  /** By the rows that somebody sees who sees all of them. */
  static async of(organisation: MadeOrganisation, rows: RowsOfReader): Promise<DataExtent> {
    const zone = organisation.zone ?? 'UTC';
    const oldest = new Map<string, number>();
    for (const [table, dateField] of Object.entries(beginsBy)) {
      const [metric] = figuresOf[table] ?? [];
      const found = metric ? await rows.of({ metric, dateField }) : [];
      const first = found.flatMap(({ when }) => when ?? []).sort()[0];
      if (first) oldest.set(table, first.length === 10 ? beginningOf(first, zone) : Date.parse(first));
    }
    return new DataExtent(organisation, oldest);
  }

  /** The moment up to which all data of a metric are there. */
  throughOf(metric: MetricName): string | undefined {
    const { through, throughOf = {} } = this.organisation.expected;
    const filled = tablesOf(metric).filter((table) => this.#oldest.has(table));
    return filled.flatMap((table) => throughOf[table] ?? through ?? []).sort()[0];
  }

  /** The last day that a page shows, and that a metric on it has. */
  lastDayOn(path: string, metric?: MetricName): string {
    const about = tableOfPage[path];
    const last = lastWholeDay(about && this.throughOf(about), this.zone, now);
    const own = metric === undefined ? last : lastWholeDay(this.throughOf(metric), this.zone, now);
    return own < last ? own : last;
  }

  /** Whether a change between two windows may be judged at all. */
  isComparable(metric: MetricName, window: Days, before: Days): boolean {
    const begins = tablesOf(metric).flatMap((table) => this.#oldest.get(table) ?? []);
    if (begins.length === 0) return false;
    const isReached = Math.max(...begins) <= beginningOf(before.start, this.zone);
    return isReached && this.#isComplete(metric, window) && this.#isComplete(metric, before);
  }

  #isComplete(metric: MetricName, { end }: Days): boolean {
    const over = beginningOf(daysLater(end, 1), this.zone);
    const through = this.throughOf(metric);
    const isReached = through !== undefined && over <= Date.parse(through);
    return over <= Date.parse(now) && (isReached || Date.parse(now) - over > settledMs);
  }
}
