import type { Principal } from '../access/principal.ts';
import type { Ticket } from '../admission/ticket.ts';
import { ticketOf } from '../admission/ticket.ts';
import type { Attention } from '../attention/needs-attention.ts';
import { addDays, addMonths, type DateLevel } from '../calendar.ts';
import { metrics as allMetrics } from '../catalogue/metrics/all-metrics.ts';
import type { ComparedGroup } from '../conclusions/biggest-changes.ts';
import { type ComparedValue, comparedBy, comparedOf, type ResultRow } from '../conclusions/compared.ts';
import { type KeyFigure, keyFigures } from '../conclusions/key-figure-words.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { DocumentAnswer } from '../query/collect-answer.ts';
import { filterNamesOf } from '../query/reading/read-filters.ts';
import type { DigestWindow } from './digest-schedule.ts';

type DigestFilters = Readonly<Record<string, unknown>>;

/** A key figure of the overview over the window of a digest, with the whole periods before it. */
export interface DigestFigure {
  readonly key: KeyFigure;
  readonly change: ComparedValue;
  readonly trend: readonly (number | null)[];
}

/** What the overview says of a window, as far as one person may see it. */
export interface OverviewFacts {
  readonly figures: readonly DigestFigure[];
  readonly groups: readonly ComparedGroup[];
  readonly attention: Awaited<ReturnType<Attention['of']>>;
  /** The names of filters that some figures cannot be narrowed by: those figures are left out. */
  readonly leftOut: readonly KeyFigure[];
}

interface OverviewParts {
  readonly metrics: Pick<Metrics, 'single'>;
  readonly attention: Pick<Attention, 'of'>;
}

interface OverviewQuestion {
  readonly window: DigestWindow;
  readonly level: DateLevel;
  readonly filters: DigestFilters;
  readonly signal?: AbortSignal | undefined;
}

/** Waiting pull requests are named after so many hours, as on the overview. */
const digestHours = 48;
const maxListed = 5;
const trendPeriods = 12;

/** Asks what the overview shows, in the rights of one person. One question follows another: nobody waits for it. */
export async function overviewFacts(
  { metrics, attention }: OverviewParts,
  principal: Principal,
  { window, level, filters, signal }: OverviewQuestion,
): Promise<OverviewFacts> {
  const ticket = backgroundTicket(principal, signal);
  const asked = keyFigures.filter((key) => takesAll(key, filters));
  const compared = { start_date: window.start, end_date: window.end };
  const before = { previous_start_date: window.previousStart, previous_end_date: window.previousEnd };
  const ask = async (key: KeyFigure, body: object): Promise<unknown> => {
    const question = { ...body, ...(key.aggregation ? { aggregation: key.aggregation } : {}) };
    const served = await metrics.single(principal, key.metric, question, {
      showsVerdict: !('date_level' in body),
      ticket,
    });
    return (served.answer as DocumentAnswer).document;
  };
  const figures: DigestFigure[] = [];
  const groups: ComparedGroup[] = [];
  for (const key of asked) {
    const body = { filters: { ...filters, ...compared }, include_previous_period: true, ...before };
    const { results } = (await ask(key, body)) as ResultsDocument;
    const course = { start_date: periodsBack(window.start, level, trendPeriods - 1), end_date: window.end };
    const chart = { filters: { ...filters, ...course }, date_level: level, time_series_data: true };
    const { series } = (await ask(key, chart)) as SeriesDocument;
    figures.push({ key, change: comparedOf(results, key.metric), trend: series[0]?.data ?? [] });
    for (const by of key.by) {
      const answer = (await ask(key, { ...body, group_by: [by] })) as ResultsDocument;
      for (const { name, ...change } of comparedBy(answer.results, key.metric, by))
        if (name !== null) groups.push({ ...change, figure: key, by, name });
    }
  }
  return {
    figures,
    groups,
    attention: await attention.of(principal, { filters, hours: digestHours, maxRows: maxListed, ticket }),
    leftOut: keyFigures.filter((key) => !asked.includes(key)),
  };
}

interface ResultsDocument {
  readonly results: readonly ResultRow[];
}

interface SeriesDocument {
  readonly series: readonly { readonly data: readonly (number | null)[] }[];
}

/** Work of the service in somebody's rights waits for as long as it takes. */
export const backgroundTicket = ({ organisationId }: Pick<Ticket, 'organisationId'>, signal?: AbortSignal) =>
  ticketOf({ organisationId, keyId: '' }, Number.POSITIVE_INFINITY, signal);

function takesAll({ metric: name }: KeyFigure, filters: DigestFilters): boolean {
  const metric = allMetrics.get(name);
  if (!metric) throw new Error(`there is no metric ${name}`);
  const known = filterNamesOf(metric);
  return Object.keys(filters).every((filter) => known.includes(filter === 'team_ids' ? 'team' : filter));
}

function periodsBack(first: string, level: DateLevel, count: number): string {
  return level === 'month' ? addMonths(first, -count) : addDays(first, -count * (level === 'week' ? 7 : 1));
}
