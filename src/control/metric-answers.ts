import { actAs } from '../access/principal.ts';
import type { Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { findPerson } from '../directory/people.ts';
import type { MetricAnswer, Served, StreamedAnswer } from '../query/answer.ts';
import type { Metrics } from '../query/answer-metric.ts';
import type { DurationStyle } from '../query/request.ts';
import type { FlatColumn } from '../query/shape/rows.ts';
import type { UnmatchedFilters } from '../query/unmatched-filters.ts';

/** A question as a command asks it, in the name of somebody of the organisation. */
export interface MetricInput {
  readonly org: string;
  readonly as: string;
  /** A metric, or one of the two names under which several are asked, or compared. */
  readonly metric: string;
  readonly body: unknown;
  readonly explain: boolean;
  readonly durations?: DurationStyle | undefined;
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
}

export interface MetricParts {
  readonly directory: Directory;
  readonly metrics: Metrics;
  /** Publishes the directory where no server does. */
  readonly publish: (organisationId: string) => Promise<void>;
  /** Who typed the command. */
  readonly user: string;
}

/** An answer as lines of JSON: the head, then the cells of each row. */
export async function* metricLines(parts: MetricParts, input: MetricInput): AsyncGenerator<Uint8Array> {
  const { answer, unmatched = null, suppressed = null } = await answerTo(parts, input);
  if (answer.form === 'document') {
    const { document, total = null } = answer;
    yield lineOf({ form: 'document', document, total, unmatched, suppressed } satisfies AnswerHead);
    return;
  }
  const { columns } = answer;
  const total = answer.form === 'rows' ? (answer.total ?? null) : null;
  yield lineOf({ form: 'rows', columns, total, unmatched, suppressed } satisfies AnswerHead);
  const batches = answer.form === 'rows' ? [answer.rows] : answer.batches;
  for await (const rows of batches) if (rows.length > 0) yield Buffer.from(rows.map(textLine).join(''));
}

async function answerTo(
  { directory, metrics, publish, user }: MetricParts,
  { org, as, metric, body, explain, durations }: MetricInput,
): Promise<Served<MetricAnswer | StreamedAnswer>> {
  const { store } = directory;
  const [organisationId, personId] = await store.read(async (session) => {
    const { id } = await resolveOrganisation(session, org);
    return [id, (await findPerson(session, id, as)).effective.id] as const;
  });
  await publish(organisationId);
  const principal = await actAs(store, organisationId, personId, user);
  if (explain) return metrics.explain(principal, metric, body);
  switch (metric) {
    case 'get-multiple-metrics':
      return metrics.multiple(principal, body, undefined, { durations });
    case 'benchmark':
      return metrics.benchmark(principal, body);
    default:
      return metrics.single(principal, metric, body, undefined, { durations });
  }
}

const textLine = (value: unknown): string => `${JSON.stringify(value)}\n`;
const lineOf = (value: unknown): Buffer => Buffer.from(textLine(value));
