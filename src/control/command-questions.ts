import { actAs, type Principal } from '../access/principal.ts';
import { addDays, isDay, TimeZone } from '../calendar.ts';
import type { Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { findPerson } from '../directory/people.ts';
import type { FlatColumn } from '../query/answer-columns.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { MetricAnswer, Served, StreamedAnswer } from '../query/collect-answer.ts';
import type { NearestRows, UnmatchedFilters } from '../query/empty-answer.ts';
import type { DurationStyle } from '../query/request.ts';
import { windowBetween } from '../query/request-window.ts';
import { jsonLine } from './streaming.ts';

/** A question as a command asks it, in the name of a person of the organisation. */
export interface MetricInput {
  readonly org: string;
  readonly as: string;
  /** A metric, or one of the two names under which several are asked, or compared. */
  readonly metric: string;
  readonly body: unknown;
  readonly explain: boolean;
  readonly durations?: DurationStyle | undefined;
  /** Whether every value is to come with what may be said of its change. */
  readonly showsVerdict?: boolean | undefined;
  /** Instead of a first day: so many days up to the last one, as the organisation counts days. */
  readonly lastDays?: number | undefined;
}

/** The first line, before the rows. A document has only this line. */
export type AnswerHead =
  | (HeadNotes & { readonly form: 'rows'; readonly columns: readonly FlatColumn[] })
  | (HeadNotes & { readonly form: 'document'; readonly document: object });

interface HeadNotes {
  readonly total: number | null;
  /** Values of filters that match nothing, as they were sent. */
  readonly unmatched: UnmatchedFilters | null;
  /** How many answers to surveys are left out, where they are anonymous. */
  readonly suppressed: number | null;
  /** The first day, where it was asked for as a number of days. */
  readonly since: string | null;
  /** The days that were asked about, up to today: the first and the last. Null where none were. */
  readonly days: readonly [string, string] | null;
  /** The rows next to the window, where there are none in it. */
  readonly nearest: NearestRows | null;
}

interface MetricParts {
  readonly directory: Directory;
  readonly metrics: Metrics;
  /** Publishes the directory where no server does. */
  readonly publish: (organisationId: string) => Promise<void>;
  /** The account that typed the command. */
  readonly user: string;
}

/** An answer as lines of JSON: the head, then the cells of each row. */
export async function* metricLines(parts: MetricParts, input: MetricInput): AsyncGenerator<Uint8Array> {
  const principal = await principalNamed(parts, input);
  const since = firstDayOf(parts, principal, input);
  const question = since === null ? input : { ...input, body: withFirstDay(input.body, since) };
  const { answer, unmatched = null, suppressed = null } = await answerTo(parts, principal, question);
  const nearest = answer.form === 'stream' ? null : (answer.nearest ?? null);
  const notes = { unmatched, suppressed, since, days: daysOf(parts, principal, question), nearest };
  if (answer.form === 'document') {
    const { document, total = null } = answer;
    yield Buffer.from(jsonLine({ form: 'document', document, total, ...notes } satisfies AnswerHead));
    return;
  }
  const { columns } = answer;
  const total = answer.form === 'rows' ? (answer.total ?? null) : null;
  yield Buffer.from(jsonLine({ form: 'rows', columns, total, ...notes } satisfies AnswerHead));
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const rows of batches) if (rows.length > 0) yield Buffer.from(rows.map(jsonLine).join(''));
}

/** Only the organisation's clock says which day it is. */
function firstDayOf(
  { directory }: MetricParts,
  { timeZone }: Principal,
  { lastDays, body }: MetricInput,
): string | null {
  if (lastDays === undefined) return null;
  const { end_date: end } = filtersIn(body);
  const lastDay = typeof end === 'string' ? /^\d{4}-\d{2}-\d{2}/.exec(end)?.[0] : undefined;
  const today = TimeZone.named(timeZone).dayAt(directory.now().getTime() / 1_000);
  return addDays(lastDay !== undefined && isDay(lastDay) ? lastDay : today, 1 - lastDays);
}

/** The window of an answered question, which is known to be valid. */
function daysOf({ directory }: MetricParts, { timeZone }: Principal, { body }: MetricInput): AnswerHead['days'] {
  const { start_date: start, end_date: end } = filtersIn(body);
  if (typeof start !== 'string') return null;
  const zone = TimeZone.named(timeZone);
  const now = directory.now();
  const { firstDay, lastDay } = windowBetween({ start, end: typeof end === 'string' ? end : undefined }, zone, now);
  const today = zone.dayAt(now.getTime() / 1_000);
  return firstDay > today ? null : [firstDay, lastDay < today ? lastDay : today];
}

const withFirstDay = (body: unknown, start_date: string): unknown =>
  isObject(body) ? { ...body, filters: { ...filtersIn(body), start_date } } : body;

const filtersIn = (body: unknown): Readonly<Record<string, unknown>> =>
  isObject(body) && isObject(body.filters) ? body.filters : {};

async function answerTo(
  { metrics }: MetricParts,
  principal: Principal,
  { metric, body, explain, durations, showsVerdict }: MetricInput,
): Promise<Served<MetricAnswer | StreamedAnswer>> {
  if (explain) return metrics.explain(principal, metric, body);
  switch (metric) {
    case 'get-multiple-metrics':
      return metrics.multiple(principal, body, { durations, showsVerdict });
    case 'benchmark':
      return metrics.benchmark(principal, body);
    default:
      return metrics.single(principal, metric, body, { durations, showsVerdict });
  }
}

/** The person in whose name a command asks, once the tables show the present directory. */
export async function principalNamed(
  { directory: { store }, publish, user }: Omit<MetricParts, 'metrics'>,
  { org, as }: Pick<MetricInput, 'org' | 'as'>,
): Promise<Principal> {
  const [organisationId, personId] = await store.read(async (session) => {
    const { id } = await resolveOrganisation(session, org);
    return [id, (await findPerson(session, id, as)).effective.id] as const;
  });
  await publish(organisationId);
  return actAs(store, organisationId, personId, user);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
