import { randomUUID } from 'node:crypto';
import type { Principal } from '../../src/access/principal.ts';
import { peopleCopy } from '../../src/catalogue/directory-copies.ts';
import { pullRequests } from '../../src/catalogue/tables/pull-requests.ts';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { BenchmarkAnswer, BenchmarkResult } from '../../src/query/benchmark.ts';
import type { QuestionPort } from '../../src/query/question-port.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { fewRows, rowOf, type SomeWarehouse, someWarehouse } from '../warehouse/some-warehouse.ts';
import { putRows } from '../warehouse/table-writes.ts';

export const day = Date.UTC(2024, 2, 5) / 1_000;
export const filters = { start_date: '2024-03-01', end_date: '2024-03-31' };

interface Other {
  readonly rows?: number;
  readonly isOptedOut?: boolean;
  readonly pickedUp?: number;
  readonly bots?: number;
  /** Whether the test changes it: then it is of its own. */
  readonly isChanged?: boolean;
}

/** An organisation that asks for benchmarks, and others that it is compared with. */
export class SomeCohort {
  readonly place: SomeWarehouse;
  /** The organisation that asks. */
  own = '';
  /** Organisations with the cycle time that all their pull requests have. */
  others: { readonly id: string; readonly isOptedOut: boolean; readonly what?: string }[] = [];
  metrics: Metrics;
  troubles: unknown[] = [];
  /** Organisations that were made so far, by what they have: tests that change none share them. */
  readonly #made = new Map<string, string[]>();
  #unchangedOwn = '';

  private constructor(place: SomeWarehouse) {
    this.place = place;
    this.metrics = this.metricsOf(place.warehouse);
  }

  static async open(): Promise<SomeCohort> {
    const cohort = new SomeCohort(await someWarehouse(fewRows));
    cohort.#unchangedOwn = await cohort.newOwn();
    return cohort;
  }

  /** As each test begins: the organisation that asks is there, and nobody else. */
  begin(): void {
    this.own = this.#unchangedOwn;
    this.others = [];
    this.troubles = [];
    this.metrics = this.metricsOf(this.place.warehouse);
  }

  /** An organisation of the test's own that asks. */
  async newOwn(): Promise<string> {
    this.own = randomUUID();
    await this.fill(this.own, 40, 600);
    return this.own;
  }

  metricsOf(tables: QuestionPort, directory = alwaysPublished): Metrics {
    return new Metrics({
      tables,
      directory,
      benchmarks: {
        organisations: async () => [
          this.own,
          ...this.others.filter(({ isOptedOut }) => !isOptedOut).map(({ id }) => id),
        ],
        onError: (error) => this.troubles.push(error),
      },
      now: () => new Date('2024-04-15T00:00:00Z'),
    });
  }

  /** As many pull requests of each of several repositories, all with the cycle time of theirs. */
  async fillEach(id: string, rows: number, cycleTimes: ReadonlyMap<string, number>): Promise<void> {
    const all = [...cycleTimes].flatMap(([repository, cycle_time]) =>
      Array.from({ length: rows }, (_, i) =>
        rowOf(pullRequests, { pr_id: `${repository}-${i}`, repository, pr_merged_at: day + i, cycle_time }),
      ),
    );
    await this.place.warehouse.change(id, (session) => putRows(session, pullRequests, all));
  }

  async fill(id: string, rows: number, cycleTime: number, pickedUp = rows, bots = 0): Promise<void> {
    await this.place.warehouse.change(id, async (session) => {
      await putRows(
        session,
        peopleCopy,
        ['ann', 'bob'].map((person) =>
          rowOf(peopleCopy, { merged_user_id: person, onboarded: true, onboarded_by_name: false, is_bot: false }),
        ),
      );
      await putRows(
        session,
        pullRequests,
        Array.from({ length: rows }, (_, i) =>
          rowOf(pullRequests, {
            pr_id: `pr-${i}`,
            merged_user_id: i % 4 === 0 ? 'bob' : 'ann',
            actor: i % 4 === 0 ? 'bob' : 'ann',
            is_bot: i < bots,
            repository: i % 4 === 0 ? 'acme/quick' : 'acme/slow',
            pr_merged_at: day + i,
            cycle_time: i % 4 === 0 ? cycleTime / 2 : cycleTime,
            pickup_time: i < pickedUp ? 60 : null,
          }),
        ),
      );
    });
  }

  async other(
    cycleTime: number,
    { rows = 40, isOptedOut = false, pickedUp, bots, isChanged = false }: Other = {},
  ): Promise<string> {
    const what = JSON.stringify([cycleTime, rows, pickedUp, bots]);
    const known = isChanged ? [] : (this.#made.get(what) ?? []);
    const before = known[this.others.filter((one) => one.what === what).length];
    const id = before ?? randomUUID();
    if (before === undefined) {
      // A quarter has half the time, so that the average is seven eighths.
      await this.fill(id, rows, (cycleTime * 8) / 7, pickedUp, bots);
      if (!isChanged) this.#made.set(what, [...known, id]);
    }
    this.others.push(isChanged ? { id, isOptedOut } : { id, isOptedOut, what });
    return id;
  }

  principal(visibility: Principal['visibility'] = 'organisation'): Principal {
    return {
      organisationId: this.own,
      keyId: 'key',
      personId: 'ann',
      role: 'Owner',
      permissions: ['can-view-salaries'],
      visibility,
      timeZone: 'UTC',
      salaryVisibility: true,
    };
  }

  async compare(more: object = {}, who = this.principal()): Promise<BenchmarkAnswer> {
    const body = { filters, benchmark_metric: 'cycle-time', date_field: 'merged_at', ...more };
    const { answer } = await this.metrics.benchmark(who, body);
    if (answer.form !== 'document') throw new Error('not a document');
    return answer.document as BenchmarkAnswer;
  }

  async resultOf(more: object = {}, who = this.principal()): Promise<BenchmarkResult | undefined> {
    return (await this.compare(more, who)).results[0];
  }
}
