import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { postedShape, postedTableNames } from '../../catalogue/posted-tables.ts';
import type { FieldType } from '../../catalogue/record.ts';
import type { Directory } from '../../directory/directory.ts';
import { beginHookImport } from '../../directory/put-records.ts';
import type { Ingest } from '../../ingest/ingest.ts';
import { type PostedRejection, readPayload, versionsTaken } from '../../ingest/read/posthook-payload.ts';
import { principalOf } from '../admission/admission.ts';
import { changingTicket } from '../admission/request-ticket.ts';
import { maxErrors, RecordTally } from '../body/record-tally.ts';
import {
  acceptRequestBodies,
  type BodyKinds,
  type ReadingParts,
  readArriving,
  requestBodyOf,
} from '../body/request-body.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';

const payloads: BodyKinds = {
  types: { 'application/json': 'json' },
  wanted: 'JSON, sent with the header Content-Type: application/json',
};

const taken = Type.Object(
  {
    accepted: Type.Integer({ description: 'Rows that were kept.' }),
    rejected: Type.Integer({ description: 'Rows that were not.' }),
    errors: Type.Array(
      Type.Object({
        table: Type.String({ description: 'Table of the row.' }),
        line: Type.Integer({ description: 'Place of the row in its table. The first is 1.' }),
        detail: Type.String({ description: 'What is wrong with it.' }),
      }),
      { description: `Why, for the first ${maxErrors} of those.` },
    ),
    ignored: Type.Array(Type.String(), {
      description: 'Tables and fields that this version does not know, as tables.name and table.field.',
    }),
  },
  { title: 'HookAnswer' },
);
type HookAnswer = Static<typeof taken>;

const example: HookAnswer = {
  accepted: 3,
  rejected: 1,
  errors: [{ table: 'session_prompts', line: 2, detail: 'session_id is missing: a prompt cannot do without it' }],
  ignored: ['sessions.mood'],
};

const jsonTypes: Readonly<Record<FieldType, string>> = {
  text: 'string',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  timestamp: 'string',
  date: 'string',
  duration: 'number',
  'text[]': 'array',
  json: 'object',
};

/** Each table with its fields, made from the declarations that rows are read by. */
const described = {
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['schema_version', 'tables'],
        properties: {
          schema_version: {
            type: ['integer', 'string'],
            description: 'The version of the hook: a whole number of 1 or more, also as digits in a text.',
          },
          tables: {
            type: 'object',
            properties: Object.fromEntries(
              postedTableNames.map((name) => {
                const { fields, required, aliases = {} } = postedShape(name);
                const properties: Record<string, object> = {};
                for (const [field, { type, meaning }] of Object.entries(fields)) {
                  properties[field] = { type: [jsonTypes[type], 'null'], description: meaning };
                }
                for (const [alias, field] of Object.entries(aliases)) {
                  properties[alias] = { ...properties[field], description: `The same as ${field}.` };
                }
                return [name, { type: 'array', items: { type: 'object', required, properties } }];
              }),
            ),
          },
        },
      },
    },
  },
};

interface PosthookIngestParts extends ReadingParts {
  readonly directory: Directory;
  readonly ingest: Pick<Ingest, 'putPosted'>;
  readonly maxRecords?: number | undefined;
}

/** For a scope of its own: its bodies are read in another way than all others. */
export function posthookIngestRoutes(app: FastifyInstance, parts: PosthookIngestParts): void {
  acceptRequestBodies(app, payloads);
  app.post(
    '/posthook/ingest',
    {
      schema: {
        operationId: 'ingestPosthook',
        summary: 'Send what the coding-agent hook recorded',
        description:
          'Takes sessions of coding agents in, with their prompts, the lines they wrote and the commits they went into, up to 64 MiB and 1,000,000 rows, plain or with Content-Encoding: gzip. Rows may be sent again and in any order: the latest one with a key counts. The key may also stand behind Bearer here. An Owner’s key may send anyone’s sessions. Any other key those that name an address or a login of the person who made it. Parts that come before their session wait for it, up to 100,000 rows of one person’s keys.',
        tags: ['Records'],
        security: keyNeeded,
        querystring: noQuery,
        response: {
          200: answered('What became of the rows.', taken, { taken: example }),
          ...refused([400, 401, 408, 413, 415, 429, 500, 503, 504], {
            400: `schema_version is missing. ${versionsTaken}`,
            413: 'The body is too large: at most 64 MiB is accepted, also when it is unpacked.',
          }),
        },
      },
      config: {
        takesBearer: true,
        // The schema only describes: rows are read and checked one by one, and a bad one does not stop the rest.
        swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, body: described }, url }),
      },
    },
    async (request): Promise<HookAnswer> => {
      const body = requestBodyOf(request, payloads);
      const { organisationId } = principalOf(request);
      return readArriving(parts, request, organisationId, body, (bytes) => take(parts, request, bytes));
    },
  );
}

async function take(
  { directory, ingest, arrival: { folder }, maxRecords }: PosthookIngestParts,
  request: FastifyRequest,
  bytes: AsyncGenerator<Buffer>,
): Promise<HookAnswer> {
  const { organisationId, personId, keyId, role } = principalOf(request);
  const tally = new RecordTally<PostedRejection>();
  try {
    const payload = await readPayload(bytes, {
      spoolFolder: folder,
      rejected: (row) => tally.add(0, [row]),
      maxRows: maxRecords,
    });
    try {
      const actor = { via: 'api', personId, keyId } as const;
      const counted = await beginHookImport(directory, { organisationId, actor }, keyId);
      const sender = { personId, isOwner: role === 'Owner' };
      try {
        await ingest.putPosted(
          organisationId,
          payload.pieces(),
          sender,
          (accepted, some) => tally.add(accepted, some),
          {
            ticket: changingTicket(request),
          },
        );
      } finally {
        await counted.add(tally.accepted);
      }
    } finally {
      await payload.close();
    }
    const errors = tally.errors.map(({ table, line, detail }) => ({ table, line, detail }));
    return { accepted: tally.accepted, rejected: tally.rejected, errors, ignored: [...payload.ignored] };
  } catch (error) {
    throw tally.explain(error);
  }
}
