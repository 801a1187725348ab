import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Attention } from '../../attention/needs-attention.ts';
import { type WaitingRecord, type WaitingRecords, waitingSteps } from '../../attention/waiting.ts';
import { readJson } from '../../bounded-json.ts';
import { isoText } from '../../calendar.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { requestTicket } from '../admission/request-ticket.ts';

export interface AttentionRouteParts {
  readonly attention: Pick<Attention, 'of'>;
}

/** A pull request that waits for longer needs attention. */
const attentionHours = 48;
/** As many records of a kind as a metric lists rows. */
const maxRows = 200;

const query = Type.Object(
  { filters: Type.Optional(Type.String({ maxLength: 8_000 })) },
  { additionalProperties: false },
);
interface AttentionRequest {
  Querystring: { readonly filters?: string };
}

/** What needs attention now, for the overview. */
export function attentionRoutes(app: FastifyInstance, { attention }: AttentionRouteParts): void {
  app.get<AttentionRequest>(
    '/app/attention',
    { schema: { hide: true, querystring: query } },
    async (request, reply) => {
      const found = await attention.of(principalOf(request), {
        filters: await filtersIn(request.query.filters),
        hours: attentionHours,
        maxRows,
        ticket: requestTicket(request, reply),
      });
      return {
        at: isoText(found.now),
        hours: found.hours,
        waiting: waitingSteps.map((step) => ({ for: step, ...waitingView(found.waiting[step], 'pull_requests') })),
        failures: {
          count: found.failures.count,
          deployments: found.failures.records.map(recordView),
        },
        stale_sources: found.staleSources,
      };
    },
  );
}

const filterLimits = { depth: 4, values: 2_000 };

async function filtersIn(text: string | undefined): Promise<Readonly<Record<string, unknown>>> {
  if (text === undefined) return {};
  const reading = await readJson(text, filterLimits);
  if ('value' in reading && typeof reading.value === 'object' && reading.value && !Array.isArray(reading.value)) {
    return reading.value as Readonly<Record<string, unknown>>;
  }
  throw new Refusal('bad-input', 'filters must be a JSON object such as {"team": ["Checkout"]}.');
}

const waitingView = ({ count, olderCount, longestSince, records }: WaitingRecords, name: string) => ({
  count,
  older_than_90_days: olderCount,
  longest_since: longestSince === null ? null : isoText(longestSince),
  [name]: records.map(recordView),
});

/** Times are seconds in the tables. */
function recordView({ since, columns }: WaitingRecord) {
  const { deployed_at: deployedAt, ...rest } = columns;
  return {
    ...rest,
    ...(deployedAt === undefined ? {} : { deployed_at: deployedAt === null ? null : isoText(Number(deployedAt)) }),
    since: isoText(since),
  };
}
