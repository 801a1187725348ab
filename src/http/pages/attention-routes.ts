import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { attentionAnswer } from '../../attention/attention-answer.ts';
import type { Attention } from '../../attention/needs-attention.ts';
import { readJson } from '../../bounded-json.ts';
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
      return attentionAnswer(found);
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
