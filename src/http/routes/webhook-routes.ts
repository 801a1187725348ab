import type { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Refusal } from '../../refusal.ts';
import { clientOf } from '../admission/rate-limits.ts';
import { type ReadingParts, takeArriving } from '../body/request-body.ts';
import { answered, refused } from '../openapi.ts';

export interface WebhookRouteParts extends ReadingParts {
  /** Resolves once a call is durable; refuses one that is not signed by its source's secret. */
  readonly webhooks: {
    receive(call: {
      readonly kind: string;
      readonly sourceId: string;
      readonly headers: Readonly<Record<string, string | undefined>>;
      readonly body: Buffer;
      readonly token: string | undefined;
    }): Promise<void>;
  };
}

/** The limit of GitHub, the largest of all providers. */
const maxWebhookBytes = 25 * 1024 * 1024;
const tooLarge = (): Refusal => new Refusal('too-large', 'The body is too large: at most 25 MiB is accepted.');

const parameters = Type.Object({
  source: Type.String({ description: 'Kind of the source, such as github.' }),
  id: Type.String({ description: 'Identifier of the source.' }),
});
const taken = Type.Object({ accepted: Type.Boolean({ description: 'Always true.' }) }, { title: 'DeliveryAnswer' });

const address = Type.Object(
  {
    token: Type.Optional(
      Type.String({ maxLength: 500, description: 'The secret, for providers that have no other place for it.' }),
    ),
  },
  { additionalProperties: false },
);

interface WebhookRequest {
  Querystring: { readonly token?: string };
  Params: { readonly source: string; readonly id: string };
  Body: Readable | undefined;
}

/** Needs a scope of its own: the signature covers the bytes as they came, so no parser may read them before. */
export function webhookRoutes(app: FastifyInstance, parts: WebhookRouteParts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  app.post<WebhookRequest>(
    '/webhooks/:source/:id',
    {
      schema: {
        operationId: 'receiveWebhook',
        summary: 'Tell that something has changed',
        description:
          'For the tools that history comes from: `plumb source add` prints the address and the secret to set there. A call is signed in the way of its provider, or has the token that was printed, and only says what has changed, which is then read again from the provider. Calls may come twice and in any order.',
        tags: ['Sources'],
        security: [],
        params: parameters,
        querystring: address,
        response: {
          202: answered('It is kept, and is read soon.', taken, { accepted: { accepted: true } }),
          ...refused([400, 401, 408, 413, 500, 503], {
            400: 'The body is not JSON: it ends too early.',
            401: 'Unknown source, or the signature is not that of its secret.',
            413: 'The body is too large: at most 25 MiB is accepted.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { source, id } = request.params;
      if (Number(request.headers['content-length']) > maxWebhookBytes) throw tooLarge();
      // The source of a call is known only after its signature is checked, so waiting calls are counted by their
      // address.
      const from = `webhooks from ${clientOf(request.ip)}`;
      const arrival = { ...parts.arrival, limits: { ...parts.arrival.limits, maxBytes: maxWebhookBytes } };
      const stream = request.body ?? request.raw;
      await takeArriving({ ...parts, arrival }, request, from, stream, async (arrived) => {
        const body = await wholeBody(arrived.chunks());
        const { token } = request.query;
        await parts.webhooks.receive({
          kind: source,
          sourceId: id,
          headers: singleHeaders(request.headers),
          body,
          token,
        });
      });
      reply.code(202);
      return { accepted: true };
    },
  );
}

async function wholeBody(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  try {
    for await (const chunk of chunks) all.push(chunk);
  } catch (error) {
    // The limit of records, which it would name, is another one.
    throw error instanceof Refusal && error.reason === 'too-large' ? tooLarge() : error;
  }
  return Buffer.concat(all);
}

function singleHeaders(headers: Readonly<Record<string, string | string[] | undefined>>) {
  const single: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) single[name] = Array.isArray(value) ? value.join(', ') : value;
  return single;
}
