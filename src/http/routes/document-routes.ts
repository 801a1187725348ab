import type { FastifyInstance } from 'fastify';
import { type TObject, type TProperties, type TSchema, Type } from 'typebox';
import type { Principal } from '../../access/principal.ts';
import type { RequestTicket } from '../../admission/ticket.ts';
import type { Documents, ShownDocument } from '../../documents/documents.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { changingTicket, requestTicket } from '../admission/request-ticket.ts';
import { conditionOf, removalConditionOf, sendDocument, sendDocumentList } from '../answer/document-answers.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { acceptDocuments, documentTypes } from '../body/document-body.ts';
import { answered, type ErrorStatus, keyNeeded, noQuery, refused, unchanged, validatorHeaders } from '../openapi.ts';
import { named } from '../reference/named-schemas.ts';

/** How documents of one kind are served: all but this is the same for every kind. */
interface DocumentInterface<D extends object> {
  readonly documents: Documents<D>;
  readonly tag: string;
  /** The name of one in the OpenAPI document, such as `Board`. */
  readonly title: string;
  /** A sentence that says what one is. */
  readonly meaning: string;
  /** The fields of a document by name, in their usual order, and those that may be left out. */
  readonly fields: Readonly<Record<string, object>>;
  readonly optional: readonly string[];
  readonly example: object;
  /** A sentence about what a document of this kind has to fulfil, with an example of its refusal. */
  readonly rule: string;
  readonly wrong: string;
  /** More parameters of the list, and which documents they keep. */
  readonly narrowing?: {
    readonly parameters: TProperties;
    readonly keeps: (query: Readonly<Record<string, unknown>>) => (document: D) => boolean;
  };
  /** What a list says of each document besides, worked out for the reader. */
  readonly standing?: {
    readonly fields: Readonly<Record<string, object>>;
    readonly example: object;
    readonly of: (reader: DocumentReader, all: readonly ShownDocument<D>[]) => Promise<ReadonlyMap<string, object>>;
  };
}

interface DocumentReader {
  readonly principal: Principal;
  readonly ticket: RequestTicket;
}

interface SlugRoute {
  readonly Params: { readonly slug: string };
}

const format = Type.Optional(
  Type.Union([Type.Literal('json'), Type.Literal('yaml')], { description: 'json or yaml, whatever Accept says.' }),
);
const state = Type.Optional(
  Type.Union([Type.Literal('true'), Type.Literal('false')], {
    description: 'false leaves out what is worked out from the data, which takes time where there are many.',
  }),
);
const formatQuery = Type.Object({ format }, { additionalProperties: false });

/** What a list says of each document beside the document itself. */
const listedFields = {
  owner: {
    title: 'DocumentOwner',
    type: ['object', 'null'],
    required: ['merged_user_id', 'name'],
    properties: { merged_user_id: { type: 'string' }, name: { type: 'string' } },
    description: 'Who made it. Null once that person is removed: then it belongs to the Owners.',
  },
  may_change: { type: 'boolean', description: 'Whether the caller may change and remove it.' },
  changed_at: { type: 'string', format: 'date-time', description: 'When it was last changed.' },
};

const listed = ({ shown, owner, mayChange, changedAt }: ShownDocument<object>, standing: object = {}): object => ({
  ...shown,
  ...standing,
  owner: owner && { merged_user_id: owner.id, name: owner.name },
  may_change: mayChange,
  changed_at: changedAt.toISOString(),
});

const listedExample = {
  owner: { merged_user_id: '0b6a7c1e-4f2d-5a8b-8e3c-9d1f6b2a7c45', name: 'Ada Lovelace' },
  may_change: true,
  changed_at: '2026-03-02T09:30:00.000Z',
};

/** GET of all and of one, PUT and DELETE of documents of one kind. For a scope of its own: its bodies may be YAML. */
export function documentRoutes<D extends object>(
  app: FastifyInstance,
  declared: DocumentInterface<D>,
  long: LongAnswers,
): void {
  const { documents, tag, title, meaning, example, narrowing, standing } = declared;
  const { kind: word, plural, maxCount } = documents.kind;
  const described = describe(declared);
  const shared = { tags: [tag], security: keyNeeded };
  const one = `/${plural}/:slug`;
  const params = Type.Object({ slug: Type.String({ description: `The name of the ${word}: a–z, 0–9 and '-'.` }) });
  acceptDocuments(app);

  const listQuery: TObject = Type.Object(
    { format, ...narrowing?.parameters, ...(standing ? { state } : {}) },
    { additionalProperties: false },
  );
  app.get(
    `/${plural}`,
    {
      schema: {
        operationId: `list${capitalised(plural)}`,
        summary: `List ${plural}`,
        description: `${meaning} Every one that the caller may see, by name, with its owner and whether the caller may change it. JSON, or YAML by Accept or format.`,
        ...shared,
        querystring: listQuery,
        response: {
          200: inBothFormats(
            answered(
              `Every ${word} that the caller may see.`,
              { type: 'array', items: described.listed },
              {
                [plural]: [{ ...example, ...standing?.example, ...listedExample }],
              },
              validatorHeaders,
            ),
          ),
          304: unchanged,
          ...errors([], { 400: "'limit' is not a query parameter of this operation." }),
        },
      },
    },
    async (request, reply) => {
      const reader = { principal: principalOf(request), ticket: requestTicket(request, reply) };
      const keeps = narrowing?.keeps(request.query as Readonly<Record<string, unknown>>) ?? (() => true);
      const all = (await documents.list(reader)).filter(({ document }) => keeps(document));
      const isPlain = (request.query as { readonly state?: string }).state === 'false';
      const standings = isPlain ? undefined : await standing?.of(reader, all);
      const list = all.map((one) => listed(one, standings?.get(one.slug)));
      return sendDocumentList(request, reply, list, long);
    },
  );

  app.get<SlugRoute>(
    one,
    {
      schema: {
        operationId: `get${title}`,
        summary: `Read one ${word}`,
        description: `The ${word} as it was written, with the names of teams that the caller may see. Its ETag is what If-Match takes.`,
        ...shared,
        params,
        querystring: formatQuery,
        response: {
          200: inBothFormats(answered(`The ${word}.`, described.schema, { [word]: example }, validatorHeaders)),
          304: unchanged,
          ...errors([404], { 404: `There is no ${word} 'delivery-reviews' that you may see.` }),
        },
      },
    },
    async (request, reply) => {
      const caller = { principal: principalOf(request), ticket: requestTicket(request, reply) };
      return sendDocument(request, reply, await documents.read(caller, request.params.slug), long);
    },
  );

  app.put<SlugRoute & { readonly Body: unknown }>(
    one,
    {
      schema: {
        operationId: `put${title}`,
        summary: `Make or replace a ${word}`,
        description: `With If-None-Match: * it makes a new one, which belongs to the caller. With If-Match and the ETag that was read it replaces one, which only its owner and Owners of the organisation may. ${declared.rule} An organisation has at most ${maxCount} ${plural}, of 64 KiB each.`,
        ...shared,
        params,
        querystring: formatQuery,
        headers: conditionHeaders,
        response: {
          200: inBothFormats(
            answered('It was replaced, or said the same already.', described.schema, { [word]: example }, tagHeader),
          ),
          201: inBothFormats(answered('It was made.', described.schema, { [word]: example }, tagHeader)),
          ...errors([403, 409, 412, 413, 415, 428], {
            400: declared.wrong,
            413: 'A document has at most 64 KiB.',
            415: 'The document must be JSON or YAML, sent with Content-Type: application/json or application/yaml.',
          }),
        },
      },
      config: {
        // Described, and not checked by the framework: the document is read in one place, with words of its own.
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, body: described.schema, consumes: Object.values(documentTypes) },
          url,
        }),
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const condition = conditionOf(request, word);
      if (request.body === undefined) throw new Refusal('bad-input', 'The document is empty.');
      const caller = { principal: principalOf(request), ticket: changingTicket(request) };
      const { change, after, etag } = await documents.put(caller, { slug, written: request.body }, condition);
      return sendDocument(request, reply.code(change === 'new' ? 201 : 200), { shown: after, etag }, long);
    },
  );

  app.delete<SlugRoute>(
    one,
    {
      schema: {
        operationId: `delete${title}`,
        summary: `Remove a ${word}`,
        description: `Only its owner and Owners of the organisation may. With If-Match, only where the ${word} is still the one that was read.`,
        ...shared,
        params,
        querystring: noQuery,
        headers: removalHeaders,
        response: {
          204: { type: 'null', description: 'It is removed.' },
          ...errors([403, 404, 412]),
        },
      },
    },
    async (request, reply) => {
      const caller = { principal: principalOf(request), ticket: changingTicket(request) };
      await documents.remove(caller, request.params.slug, removalConditionOf(request));
      return reply.code(204).send();
    },
  );
}

function describe<D extends object>({ title, fields, optional, standing }: DocumentInterface<D>) {
  const schema = named(title, fields, optional);
  return {
    schema,
    listed: named(`Listed${title}`, { ...fields, ...standing?.fields, ...listedFields }, [
      ...optional,
      ...Object.keys(standing?.fields ?? {}),
    ]),
  };
}

/** Who sees a document beside its owner and the Owners of the organisation. */
export const visibleToSchema = {
  description: 'organisation, me (where it is left out), or a team: its members, and those who see the team.',
  anyOf: [
    { type: 'string', enum: ['organisation', 'me'] },
    {
      title: 'VisibleToTeam',
      type: 'object',
      required: ['team'],
      properties: { team: { type: 'string', description: 'Name or identifier.' } },
    },
  ],
};

const tagHeader = { ETag: { type: 'string', description: 'What If-Match takes to replace what was put.' } };

const conditionHeaders: TSchema = Type.Object({
  'if-none-match': Type.Optional(Type.String({ description: '* makes a new one, and never replaces one.' })),
  'if-match': Type.Optional(Type.String({ description: 'The ETag that was read: replaces that one, and no other.' })),
});

const removalHeaders: TSchema = Type.Object({
  'if-match': Type.Optional(Type.String({ description: 'The ETag that was read: removes that one, and no other.' })),
});

const inBothFormats = (answer: object): object => {
  const { content } = answer as { readonly content: Readonly<Record<string, object>> };
  const schema = { type: 'string', description: 'The same as YAML.' };
  return { ...answer, content: { ...content, [documentTypes.yaml]: { schema } } };
};

const errors = (more: readonly ErrorStatus[], own: Partial<Record<ErrorStatus, string>> = {}): Record<number, object> =>
  refused([400, 401, 405, 429, 500, 503, 504, ...more], own);

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
