import type { Principal } from '../access/principal.ts';
import type { RequestTicket } from '../admission/ticket.ts';
import { isoText } from '../calendar.ts';
import type { Documents, ShownDocument } from '../documents/documents.ts';
import type { Metrics } from '../query/answer-metric.ts';
import { type Goal, metricOf } from './goal.ts';
import { type GoalHistory, type GoalHistoryOptions, historyOfGoal } from './goal-history.ts';
import type { GoalDocument } from './goal-kind.ts';
import type { GoalPeriod } from './goal-periods.ts';
import type { GoalState } from './goal-state.ts';

interface GoalsParts {
  readonly documents: Pick<Documents<GoalDocument>, 'list' | 'read'>;
  readonly metrics: Pick<Metrics, 'single'>;
  readonly now: () => Date;
}

/** Who asks, and the ticket that all of it waits under. */
interface GoalReader {
  readonly principal: Principal;
  readonly ticket?: RequestTicket | undefined;
}

/** One whole period as answers have it. */
interface ShownPeriod {
  readonly start_date: string;
  readonly end_date: string;
  readonly value: number | null;
  readonly n: number | null;
  readonly state: GoalPeriod['state'];
}

/** What is said of a goal beside its document. */
interface GoalStanding {
  readonly state: GoalState;
  /** The last period with enough values; null where there is none, or where the reader may not know it. */
  readonly latest: ShownPeriod | null;
  readonly unit: string | null;
}

/** The history of a goal as answers have it. */
export interface ShownHistory
  extends GoalStanding,
    Pick<Goal, 'goal' | 'metric' | 'aggregation' | 'should_be' | 'value'> {
  readonly data_through: string | null;
  readonly unmatched_filters?: Readonly<Record<string, readonly unknown[]>>;
  /** Earliest first. */
  readonly periods: readonly ShownPeriod[];
}

/** The goals of organisations, and what they come to for a reader. */
export class Goals {
  readonly #parts: GoalsParts;

  constructor(parts: GoalsParts) {
    this.#parts = parts;
  }

  /** The whole periods of a goal that the reader may see, in the reader's rights. */
  async history({ principal, ticket }: GoalReader, slug: string, periods?: number): Promise<ShownHistory> {
    const { document } = await this.#parts.documents.read({ principal, ticket }, slug);
    const found = await this.evaluate(principal, document, { periods, ticket });
    const through = found.extent?.through;
    const { metric, aggregation, should_be, value } = document;
    return {
      goal: slug,
      metric,
      aggregation,
      should_be,
      value,
      ...standingOf(document, found),
      data_through: through === undefined ? null : isoText(through),
      ...(found.unmatched ? { unmatched_filters: found.unmatched } : {}),
      periods: found.periods.map(shownPeriod),
    };
  }

  /** Every goal that the reader may see, with what can be said of it now. */
  async list(reader: GoalReader): Promise<readonly object[]> {
    const all = await this.#parts.documents.list(reader);
    const standings = await this.standings(reader, all);
    return all.map(({ slug, shown }) => ({ ...shown, ...standings.get(slug) }));
  }

  /** What can be said now of every one of some goals, by their names. */
  async standings(
    { principal, ticket }: GoalReader,
    goals: readonly Pick<ShownDocument<GoalDocument>, 'slug' | 'document'>[],
  ): Promise<ReadonlyMap<string, GoalStanding>> {
    const found = new Map<string, GoalStanding>();
    for (const { slug, document } of goals)
      found.set(slug, standingOf(document, await this.evaluate(principal, document, { periods: 1, ticket })));
    return found;
  }

  /** A goal in the rights of somebody, who need not see its document. */
  evaluate(principal: Principal, goal: Goal, options?: GoalHistoryOptions): Promise<GoalHistory> {
    return historyOfGoal(this.#parts, principal, goal, options);
  }
}

const standingOf = (goal: Goal, { state, latest }: GoalHistory): GoalStanding => ({
  state,
  latest: latest ? shownPeriod(latest) : null,
  unit: metricOf(goal).unit ?? null,
});

const shownPeriod = ({ firstDay, lastDay, value, n, state }: GoalPeriod): ShownPeriod => ({
  start_date: firstDay,
  end_date: lastDay,
  value,
  n,
  state,
});
