import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { answerFormats, mediaTypeOf, rowFormats } from '../formats/answer-formats.ts';
import { version } from '../version.ts';
import { filtersSchema } from './reference/metric-bodies.ts';
import { withNamedSchemas } from './reference/named-schemas.ts';

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
  401: {
    description: 'The API key is missing or not valid.',
    example:
      'Invalid or missing API key. Send a valid key alone in the header Authorization. `plumb key create` makes one.',
  },
  403: {
    description: 'The creator of the key may not do this.',
    example: 'Onboarding needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
  },
  404: {
    description: 'What the request names is not there.',
    example: 'No user matches the supplied identifiers: nobody@example.com. Verify them and try again.',
  },
  405: {
    description: 'The path does not take this method.',
    example: "'/metrics/cycle-time' does not take PUT. It takes GET, HEAD, POST.",
    headers: { Allow: { type: 'string', description: 'The methods that it takes.' } },
  },
  408: {
    description: 'The body came too slowly.',
    example: 'The body came too slowly: at least 16 KiB a second are needed. Send it again, faster.',
  },
  409: {
    description: 'What is there already stands in the way.',
    example: "The name 'delivery-review' is taken.",
  },
  412: {
    description: 'It was changed since it was read.',
    example: "The board 'delivery-review' was changed since it was read. Read it again, and send the change again.",
  },
  413: { description: 'The body is too large.', example: 'The body is too large: at most 1 MiB is accepted.' },
  414: {
    description: 'The address is too long.',
    example: 'The address is longer than 8192 bytes. Send the same question with POST, as a JSON body.',
  },
  415: {
    description: 'The body is not of a kind that is taken.',
    example: 'The body must be JSON, sent with the header Content-Type: application/json.',
  },
  428: {
    description: 'A condition is missing.',
    example: 'Send If-None-Match: * to make a new board, or If-Match with the ETag that was read to replace one.',
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
    description: 'Identifies the request in the log. The caller’s own id when it sent one.',
  },
};

/** On answers that are kept for a while. */
export const keptHeaders = {
  'X-Cache': {
    type: 'string',
    enum: ['HIT', 'MISS'],
    description:
      'Whether the answer was kept from before. Answers are kept for five minutes, or until the data changes.',
  },
  Age: { type: 'integer', description: 'Seconds since the answer was found.' },
};
/** On every answer of a metric. */
export const dataHeaders = {
  'X-Data-Through': {
    type: 'string',
    format: 'date-time',
    description:
      'The moment up to which the data of the answer are complete, such as 2025-06-02T14:03:11Z. The same for everyone in the organisation, and up to date for answers from the cache as well. Absent where there are no rows.',
  },
  'X-Visibility': {
    type: 'string',
    enum: ['organisation', 'teams', 'squads', 'self'],
    description:
      'Whose rows the answer is made of: those of the whole organisation, of the teams and reports of a restricted Manager, of the squads of a Squad Lead, or the caller’s own.',
  },
};
/** On answers to questions with filters. */
export const filterHeaders = {
  ...dataHeaders,
  'X-Unmatched-Filters': {
    type: 'string',
    description:
      'Values of filters that match nothing in the organisation’s data, as far as the caller may see it: URL-encoded JSON such as {"team": ["Paymnets"]}, filters and values as they were sent. Values that do not fit into 2 KB are left out. Absent where everything matches something.',
  },
  'X-Nearest-Rows': {
    type: 'string',
    description:
      'On an answer without a value: the days of the nearest rows that have one, such as before=2025-03-01, after=2025-06-02, as far as the caller may see them. A side without rows is left out.',
  },
  'X-Suppressed': {
    type: 'integer',
    description:
      'How many answers to anonymous surveys are left out, because their survey is not divided into reporting groups yet, they came or changed afterwards, or only a part of their group is asked about. Only where answers are asked about, and survey_privacy is anonymous or some are left out.',
  },
};
/** On answers of metrics. */
export const timingHeaders = {
  'Server-Timing': {
    type: 'string',
    description:
      'Where the time went until the headers were sent, in milliseconds: auth, plan, wait, engine, shape, send.',
  },
};
/** On answers to questions in an address, which may be kept and asked for again. */
export const validatorHeaders = {
  ETag: {
    type: 'string',
    description:
      'Sent back in If-None-Match, it gives 304 while the answer is the same. Absent on answers about salaries and surveys, which no one may keep.',
  },
  'Cache-Control': { type: 'string', enum: ['private, no-cache', 'no-store'] },
  Vary: { type: 'string', description: 'What the answer depends on besides the address.' },
};
/** The answer to a question in an address that the caller has already. */
export const unchanged: object = {
  type: 'null',
  description:
    'The answer is still the one whose ETag was sent in If-None-Match. Everything was checked as for an answer.',
  headers: { ...requestId, ETag: validatorHeaders.ETag },
};
const cutHeaders = {
  'X-Truncated': { type: 'string', enum: ['true'], description: 'There are more rows, or series, than these.' },
  'X-Total-Rows': { type: 'integer', description: 'How many there are. Sent with X-Truncated.' },
};

/** A successful answer to a request with a key, with examples by name. */
export const answered = (
  description: string,
  schema: object,
  examples: Readonly<Record<string, unknown>>,
  headers: object = {},
): object => success(description, schema, examples, { ...requestId, ...rateLimitHeaders, ...headers });

/** The responses of metrics, whose rows come in one of several formats. */
export function answeredRows(
  description: string,
  schema: object,
  examples: Readonly<Record<string, unknown>>,
  headers: object = {},
): object {
  const json = answered(description, schema, examples, {
    ...keptHeaders,
    ...cutHeaders,
    ...filterHeaders,
    ...timingHeaders,
    ...headers,
  });
  const { content } = json as { readonly content: object };
  const further = answerFormats.flatMap((format) => {
    const { isText, meaning } = rowFormats[format];
    const schema = { type: 'string', ...(isText ? {} : { format: 'binary' }), description: meaning };
    return format === 'json' ? [] : [[mediaTypeOf(format), { schema }]];
  });
  return { ...json, content: { ...content, ...Object.fromEntries(further) } };
}

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

/** The errors of an operation, each with an example, which an operation may replace. */
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

const introduction = `Plumb keeps, for an organisation, its engineers, its teams and what they did. This interface answers metrics over all of
it, lists who is onboarded, onboards and offboards people, lists the teams with their onboarded members, and takes
records in.

Send the API key alone in the header \`Authorization\`, without \`Bearer\` or any other word before it. A key acts with
the role that its creator has at the time of the request.

Every error has the same body, \`{"detail": "…"}\`. When more than one thing is wrong, the first of these is reported:
503, 429, 401, 405, 404, 403, 413 or 415, 400. Where the body names the metric, 404 and 403 come behind 413, 415 and a
body that cannot be read.`;

/** Writes the document from the schemas of the routes that are added from now on. */
export async function describeRoutes(app: FastifyInstance): Promise<void> {
  // Added to the root: a scope with schemas of its own would get its own serializer.
  app.addSchema(detail);
  app.addSchema(filtersSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Plumb',
        version,
        description: introduction,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // The document does not know where it is served: relative to itself is always right.
      servers: [{ url: '/' }],
      tags: [
        { name: 'Metrics', description: 'What happened, counted, timed and compared.' },
        { name: 'Catalogue', description: 'Every table, column, metric and filter, as data.' },
        { name: 'Boards', description: 'Questions under one name, asked in the rights of the person who looks.' },
        { name: 'Users', description: 'Who is onboarded.' },
        { name: 'Teams', description: 'Teams and their onboarded members.' },
        { name: 'Data quality', description: 'What to know before trusting a number.' },
        { name: 'Sources', description: 'What the tools that history comes from call.' },
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
    transformObject: (made) => withNamedSchemas('openapiObject' in made ? made.openapiObject : made.swaggerObject),
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, i) => (typeof json.$id === 'string' ? json.$id : `schema-${i}`),
    },
  });
}

/** On every operation that needs a key. */
export const keyNeeded = [{ apiKey: [] }];

/** For operations that take no query parameters: a mistyped address must not pass for one that was understood. */
export const noQuery = Type.Object({}, { additionalProperties: false });
