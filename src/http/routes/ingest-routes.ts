import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { isRecordTable, noSuchTable, type RecordTable, recordTableNames } from '../../catalogue/record-tables.ts';
import { jsonArrayItems } from '../../ingest/read/json-document.ts';
import { ndjsonLines } from '../../ingest/read/text-lines.ts';
import type { IntakeParts } from '../../ingest/record-intake.ts';
import { Refusal } from '../../refusal.ts';
import { onlyFor, principalOf } from '../admission/admission.ts';
import { changeContextOf, changingTicket } from '../admission/request-ticket.ts';
import { importLines } from '../body/import-lines.ts';
import { maxErrors } from '../body/record-tally.ts';
import {
  acceptRequestBodies,
  type BodyFormat,
  type BodyKinds,
  type ReadingParts,
  readArriving,
  requestBodyOf,
} from '../body/request-body.ts';
import type { Drain } from '../drain.ts';
import { answered, keyNeeded, noQuery, refused } from '../openapi.ts';

const recordBodies: BodyKinds = {
  types: {
    'application/x-ndjson': 'ndjson',
    'application/ndjson': 'ndjson',
    'application/jsonl': 'ndjson',
    'application/x-jsonlines': 'ndjson',
    'application/json': 'json',
  },
  wanted:
    'one JSON record a line, with the header Content-Type: application/x-ndjson, or a JSON array of records, with Content-Type: application/json',
};

const taken = Type.Object(
  {
    accepted: Type.Integer({ description: 'Records that were kept.' }),
    rejected: Type.Integer({ description: 'Records that were not.' }),
    onboarded: Type.Optional(
      Type.Integer({ description: 'Of people only: how many of those that records were kept of are onboarded.' }),
    ),
    not_onboarded: Type.Optional(Type.Integer({ description: 'Of people only: how many of them are not.' })),
    errors: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Line of the record, or its place in the array. The first is 1.' }),
        detail: Type.String({ description: 'What is wrong with it.' }),
      }),
      { description: `Why, for the first ${maxErrors} of those.` },
    ),
    unmatched_references: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: `Ids in accepted records that match no stored row, as they were sent, by field: the first ${maxErrors}. Absent where all match. They are kept, and count once what they name comes.`,
      }),
    ),
  },
  { title: 'IngestAnswer' },
);
type IngestAnswer = Static<typeof taken>;

const example: IngestAnswer = {
  accepted: 2,
  rejected: 1,
  errors: [{ line: 3, detail: "pr_state must be one of open, closed, merged, not 'done'" }],
};

const described = {
  content: {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'One record a line.',
        examples: ['{"pr_id": "github:acme/web#7", "pr_state": "merged"}\n{"pr_id": "github:acme/web#8"}\n'],
      },
    },
    'application/json': {
      schema: {
        type: 'array',
        description: 'An array of records.',
        items: { type: 'object' },
        examples: [[{ pr_id: 'github:acme/web#7', pr_state: 'merged' }]],
      },
    },
  },
};

/** Records of one body, blank lines counted. */
const defaultMaxRecords = 1_000_000;

interface IngestParts extends IntakeParts, ReadingParts {
  readonly drain: Drain;
  readonly maxRecords?: number | undefined;
}

interface TableRoute {
  Params: { readonly table: string };
}

/** Needs a scope of its own: its bodies are read in another way than all others. */
export function ingestRoutes(app: FastifyInstance, parts: IngestParts): void {
  acceptRequestBodies(app, recordBodies);
  app.post<TableRoute>(
    '/ingest/:table',
    {
      onRequest: [refuseUnknownTable, onlyFor('Owner', 'Sending records')],
      schema: {
        operationId: 'ingestRecords',
        summary: 'Send records',
        description:
          'Takes records of one table in: one JSON record a line, or a JSON array of them, up to 64 MiB and 1,000,000 records, plain or with Content-Encoding: gzip. A record with a known key changes the fields it names, and "_deleted": true removes what it names. Bad records are reported and do not stop the rest. Sending the same body again changes nothing. Needs a key whose creator is an Owner.',
        tags: ['Records'],
        security: keyNeeded,
        params: Type.Object({
          table: Type.Unsafe({ type: 'string', enum: recordTableNames, description: 'What the records are of.' }),
        }),
        querystring: noQuery,
        response: {
          200: answered('What became of the records.', taken, { taken: example }),
          ...refused([400, 401, 403, 404, 408, 413, 415, 429, 500, 503, 504], {
            400: 'The body cannot be read: its array is not closed. The 5000 records accepted before that stay. Sending them again changes nothing.',
            403: 'Sending records needs a key whose creator has the role Owner. The creator of this key has the role Engineer.',
            404: noSuchTable('pull_request'),
            413: 'The body is too large: at most 64 MiB is accepted, also when it is unpacked.',
            415: `The body must be ${recordBodies.wanted}.`,
          }),
        },
      },
      // The schema only describes: records are read and checked one by one, and a bad one does not stop the rest.
      config: { swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, body: described }, url }) },
    },
    async (request, reply): Promise<IngestAnswer> => {
      const { table } = request.params;
      if (!isRecordTable(table)) throw new Error(`${table} was let in`);
      const body = requestBodyOf(request, recordBodies);
      const { organisationId } = principalOf(request);
      return readArriving(parts, request, organisationId, body, (bytes) =>
        take(parts, request, reply, table, body.format, bytes),
      );
    },
  );
}

function refuseUnknownTable(request: FastifyRequest, _reply: unknown, done: (error?: Error) => void): void {
  const { table } = request.params as TableRoute['Params'];
  done(isRecordTable(table) ? undefined : new Refusal('not-found', noSuchTable(table)));
}

async function take(
  parts: IngestParts,
  request: FastifyRequest,
  reply: FastifyReply,
  table: RecordTable,
  format: BodyFormat,
  bytes: AsyncGenerator<Buffer>,
): Promise<IngestAnswer> {
  // Records that have come are kept, also when their sender has left: the signal is not for them.
  const { organisationId, actor } = changeContextOf(request, reply);
  const limit = { maxLines: parts.maxRecords ?? defaultMaxRecords };
  const lines = format === 'json' ? jsonArrayItems(bytes, limit) : ndjsonLines(bytes, limit);
  const contextFor = () => ({ organisationId, actor, ticket: changingTicket(request) });
  const tally = await importLines(parts, contextFor, table, lines);
  if (table === 'people') tally.addPeople({});
  const { accepted, rejected, errors, onboarding, unmatched } = tally;
  return {
    accepted,
    rejected,
    ...onboarding,
    errors: errors.map(({ line, detail }) => ({ line, detail })),
    ...(unmatched && { unmatched_references: unmatched }),
  };
}
