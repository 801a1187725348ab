import type { Principal } from '../../access/principal.ts';
import type { RequestTicket } from '../../admission/ticket.ts';
import type { Annotation } from '../../annotations/annotation-kind.ts';
import { takesAggregation } from '../../catalogue/metric.ts';
import type { CategoryChart } from '../../charts/chart-description.ts';
import { annotationsOnChart, goalsOnChart, type KnownTeams } from '../../charts/chart-marks.ts';
import { addsUp } from '../../charts/measure.ts';
import type { ChartQuestion } from '../../charts/metric-chart.ts';
import { type TimeBucket, timeBuckets } from '../../charts/time-buckets.ts';
import type { Listings } from '../../directory/listings.ts';
import type { Documents } from '../../documents/documents.ts';
import type { GoalDocument } from '../../goals/goal-kind.ts';

export interface ChartMarksParts {
  readonly documents: {
    readonly goal: Pick<Documents<GoalDocument>, 'list'>;
    readonly annotation: Pick<Documents<Annotation>, 'list'>;
  };
  readonly listings: Pick<Listings, 'teams'>;
}

interface MarkedChartQuestion {
  /** The body of the question whose answer is drawn. */
  readonly asked: Readonly<Record<string, unknown>>;
  readonly shown: ChartQuestion;
  readonly days: { readonly start: string; readonly end: string };
}

/** The goals and annotations of a chart that its reader may see. */
export async function chartMarksSeen(
  { documents, listings }: ChartMarksParts,
  reader: { readonly principal: Principal; readonly ticket: RequestTicket },
  { asked, shown, days }: MarkedChartQuestion,
): Promise<Pick<CategoryChart, 'goals' | 'annotations'>> {
  const { personId } = reader.principal;
  // Owners may see what people want for themselves: a chart that is passed on is no place for it.
  const goals = (await documents.goal.list(reader)).filter(
    ({ document, owner }) => document.visible_to !== 'me' || owner?.id === personId,
  );
  const annotations = await documents.annotation.list(reader);
  if (goals.length === 0 && annotations.length === 0) return {};
  const { metric, aggregation, level, reach } = shown;
  const teams: KnownTeams = (await listings.teams(reader.principal.organisationId)).map(({ team_id, team_name }) => ({
    id: team_id,
    name: team_name,
  }));
  const aggregated = takesAggregation(metric) ? (aggregation?.toUpperCase() ?? null) : null;
  const question = {
    metric: metric.name,
    aggregation: aggregated,
    addsUp: addsUp(metric, aggregated ?? undefined),
    filters: (asked.filters ?? {}) as Readonly<Record<string, unknown>>,
    groupBy: Array.isArray(asked.group_by) ? asked.group_by.map(String) : [],
    level,
    ...days,
    seesEverybody: reader.principal.visibility === 'organisation',
  };
  const buckets: readonly TimeBucket[] = timeBuckets(days, level, reach);
  const drawn = {
    goals: goalsOnChart(
      goals.map(({ document }) => document),
      question,
      teams,
    ),
    annotations: annotationsOnChart(
      annotations.map(({ document }) => document),
      question,
      buckets,
      teams,
    ),
  };
  return {
    ...(drawn.goals.length > 0 ? { goals: drawn.goals } : {}),
    ...(drawn.annotations.length > 0 ? { annotations: drawn.annotations } : {}),
  };
}
