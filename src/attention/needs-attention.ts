import type { Principal } from '../access/principal.ts';
import { type Ticket, ticketOf } from '../admission/ticket.ts';
import { metrics } from '../catalogue/metrics/all-metrics.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import type { DataStatuses } from '../data-quality/data-status.ts';
import type { PublishedDirectory, QuestionPort } from '../query/question-port.ts';
import { refuse } from '../query/reading/body.ts';
import { readFilters } from '../query/reading/read-filters.ts';
import { compareTexts } from '../text-comparison.ts';
import {
  unrestoredFailures,
  type WaitingRecords,
  type WaitingStep,
  waitingPullRequests,
  waitingSteps,
} from './waiting.ts';

interface AttentionParts {
  readonly tables: Pick<QuestionPort, 'ask'>;
  readonly directory: Pick<PublishedDirectory, 'whenPublished'>;
  readonly dataStatuses: Pick<DataStatuses, 'of'>;
  readonly now: () => Date;
}

/** A source that brings nothing new though it should. */
interface StaleSource {
  readonly source: string;
  /** The moment up to which its data is complete. */
  readonly since: string;
}

/** Everything that needs attention now, as far as the caller may see it. */
export interface NeedsAttention {
  /** The moment at which it was looked at, in seconds since 1970. */
  readonly now: number;
  readonly hours: number;
  readonly waiting: Readonly<Record<WaitingStep, WaitingRecords>>;
  readonly failures: Pick<WaitingRecords, 'count' | 'records'>;
  readonly staleSources: readonly StaleSource[];
}

interface AttentionQuestion {
  /** Filters of pull requests, as a caller writes them. Deployments follow those that they have. */
  readonly filters: Readonly<Record<string, unknown>>;
  readonly hours: number;
  readonly maxRows: number;
  readonly ticket?: Ticket | undefined;
}

/** What needs attention now, whatever range a reader looks at: pages ask it, and whatever else speaks of what waits. */
export class Attention {
  readonly #parts: AttentionParts;

  constructor(parts: AttentionParts) {
    this.#parts = parts;
  }

  async of(
    principal: Principal,
    { filters: written, hours, maxRows, ticket = ticketOf(principal) }: AttentionQuestion,
  ): Promise<NeedsAttention> {
    const { tables, directory, dataStatuses } = this.#parts;
    const metric = metrics.get('pull-requests-count');
    if (!metric) throw new Error('pull requests can be counted');
    const dates = windowFilters.find((name) => Object.hasOwn(written, name));
    if (dates !== undefined) throw refuse(`What waits now has no ${dates}: leave it out.`);
    const filters = readFilters(written, [metric]);
    const { organisationId } = principal;
    await directory.whenPublished(organisationId, ticket);
    const now = Math.floor(this.#parts.now().getTime() / 1_000);
    const asked = { principal, filters, now, hours, maxRows };
    const { waiting, failures } = await tables.ask(
      organisationId,
      async (session) => {
        const found: Partial<Record<WaitingStep, WaitingRecords>> = {};
        for (const step of waitingSteps) found[step] = await waitingPullRequests(session, step, asked);
        return {
          waiting: found as Readonly<Record<WaitingStep, WaitingRecords>>,
          failures: await unrestoredFailures(session, asked),
        };
      },
      { ticket },
    );
    const { freshness } = await dataStatuses.of(organisationId, { ticket });
    return { now, hours, waiting, failures, staleSources: staleSourcesIn(freshness.stale) };
  }
}

/** Each source once, by name, with the table that is furthest behind. Tables that no source feeds have no source to check. */
function staleSourcesIn(
  stale: readonly { readonly since: string; readonly source: string | null }[],
): readonly StaleSource[] {
  const bySource = new Map<string, string>();
  for (const { source, since } of stale) {
    if (source === null) continue;
    const known = bySource.get(source);
    if (known === undefined || since < known) bySource.set(source, since);
  }
  return [...bySource]
    .map(([source, since]) => ({ source, since }))
    .toSorted((a, b) => compareTexts(a.source, b.source));
}
