import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';

/** One component of the document, which any operation may refer to. */
const detail = Type.Object(
  { detail: Type.String({ description: 'What was wrong, and what would be right.' }) },
  { $id: 'Detail', additionalProperties: false, description: 'The body of every error.' },
);

interface ErrorKind {
  readonly description: string;
  readonly example: string;
  readonly headers?: Readonly<Record<string, object>>;
}

const retryAfter = { 'Retry-After': { type: 'integer', description: 'Seconds after which it is worth asking again.' } };

const errorKinds = {
  400: { description: 'Something in the request is wrong.', example: 'The body must be a JSON object, not an array.' },
  401: { description: 'The API key is missing or not valid.', example: 'Invalid or missing API key.' },
  403: {
    description: 'The creator of the key may not do this.',
    example: 'Onboarding needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
  },
  404: {
    description: 'What the request names is not there.',
    example: 'No user matches the supplied identifiers: nobody@example.com. Verify them and try again.',
  },
  413: { description: 'The body is too large.', example: 'The body is too large: at most 1 MiB is accepted.' },
  415: {
    description: 'The body is not of a kind that is taken.',
    example: 'The body must be JSON, sent with the header Content-Type: application/json.',
  },
  429: {
    description: 'Too many requests in this minute.',
    example: 'This key may send 6000 requests a minute. Try again in 12 seconds.',
    headers: retryAfter,
  },
  500: { description: 'A fault of the service.', example: 'Internal server error' },
  503: {
    description: 'The service is overloaded, shutting down, or cannot reach its store.',
    example: 'The service is overloaded. Send the request again in a moment.',
    headers: retryAfter,
  },
  504: {
    description: 'It took longer than it may.',
    example: 'This took more than 30 seconds and was stopped. Ask for less at once.',
  },
} as const satisfies Record<number, ErrorKind>;

export type ErrorStatus = keyof typeof errorKinds;

const rateLimitHeaders = {
  'X-RateLimit-Limit': { type: 'integer', description: 'Requests that the key may send in a minute.' },
  'X-RateLimit-Remaining': { type: 'integer', description: 'How many of them are left.' },
  'X-RateLimit-Reset': { type: 'integer', description: 'Seconds until all of them are there again.' },
};
const requestId = {
  'X-Request-Id': {
    type: 'string',
    description: 'Identifies the request in the log; the caller’s own when it sent one.',
  },
};

/** A successful answer to a request with a key, with examples by name. */
export const answered = (description: string, schema: object, examples: Readonly<Record<string, unknown>>): object =>
  success(description, schema, examples, { ...requestId, ...rateLimitHeaders });

/** A successful answer to anybody. */
export const answeredToAll = (
  description: string,
  schema: object,
  examples: Readonly<Record<string, unknown>>,
): object => success(description, schema, examples, requestId);

function success(
  description: string,
  schema: object,
  examples: Readonly<Record<string, unknown>>,
  headers: object,
): object {
  return {
    description,
    headers,
    content: { 'application/json': { schema, examples: valuesOf(examples) } },
  };
}

/** The errors of an operation, each with its example; some say it in words of their own. */
export function refused(
  statuses: readonly ErrorStatus[],
  ownExamples: Partial<Readonly<Record<ErrorStatus, string>>> = {},
): Record<number, object> {
  return Object.fromEntries(
    statuses.map((status) => {
      const { description, example, headers }: ErrorKind = errorKinds[status];
      const examples = valuesOf({ error: { detail: ownExamples[status] ?? example } });
      return [
        status,
        {
          description,
          headers: { ...requestId, ...headers },
          content: { 'application/json': { schema: { $ref: 'Detail#' }, examples } },
        },
      ];
    }),
  );
}

const valuesOf = (examples: Readonly<Record<string, unknown>>): Record<string, { value: unknown }> =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));

const introduction = `Plumb keeps, for an organisation, its engineers, its teams and what they did. This interface lists who is onboarded,
onboards and offboards people, lists the teams with their onboarded members, and takes records in.

Send the API key alone in the header \`Authorization\`, without \`Bearer\` or any other word before it. A key acts with
the role that its creator has at the time of the request.

Every error has the same body, \`{"detail": "…"}\`. When more than one thing is wrong, the first of these is told:
503, 429, 401, 405, 404, 403, 413 or 415, 400.`;

/** Writes the document from the schemas of the routes that are added from now on. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  app.addSchema(detail);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Plumb',
        version: '1',
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The document does not know where it is served: relative to itself is always right.
      servers: [{ url: '/' }],
      tags: [
        { name: 'Users', description: 'Who is onboarded.' },
        { name: 'Teams', description: 'Teams and their onboarded members.' },
        { name: 'Records', description: 'Bringing in what happened, and who was there.' },
        { name: 'Health', description: 'Whether the service works. No key is needed.' },
      ],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'Authorization',
            description: 'The API key itself, with no scheme before it.',
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `schema-${i}`),
    },
  });
}

/** What stands at every operation that needs a key. */
export const keyNeeded = [{ apiKey: [] }];

/** For operations that take no query parameters: a mistyped address must not pass for one that was understood. */
export const noQuery = Type.Object({}, { additionalProperties: false });
