import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Negotiator from 'negotiator';
import { type DocumentFormat, yamlText } from '../../documents/document-text.ts';
import type { ChangeCondition } from '../../documents/planned-change.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { documentTypes } from '../body/document-body.ts';
import { isHeldAlready, setValidator } from './answer-headers.ts';
import type { LongAnswers } from './long-answers.ts';

/** No program has so much to say in a header, and comparing a long one takes long. */
const maxAcceptLength = 2_000;

/** JSON unless the address or the header Accept asks for YAML. */
function documentFormatOf({ query, headers: { accept } }: FastifyRequest): DocumentFormat {
  const { format } = query as { readonly format?: DocumentFormat };
  if (format !== undefined) return format;
  if (accept === undefined || accept.length > maxAcceptLength) return 'json';
  const type = new Negotiator({ headers: { accept } }).mediaType(Object.values(documentTypes));
  return type === documentTypes.yaml ? 'yaml' : 'json';
}

const bytesOf = (content: unknown, format: DocumentFormat): Buffer =>
  Buffer.from(format === 'yaml' ? yamlText(content) : JSON.stringify(content));

interface SentDocument {
  readonly shown: object;
  readonly etag: string;
}

/**
 * Sends a document. Its tag says which state of the document it is, for If-Match, and behind the point which bytes: the
 * name of a team may change without the document.
 */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { shown, etag }: SentDocument,
  long: LongAnswers,
): Promise<FastifyReply> | FastifyReply {
  const format = documentFormatOf(request);
  const bytes = bytesOf(shown, format);
  const tag = `"${etag}.${hash('sha256', bytes, 'base64url').slice(0, 12)}"`;
  reply.type(`${documentTypes[format]}; charset=utf-8`);
  if (request.method === 'PUT') reply.header('etag', tag);
  else if (isHeldAlready(request, reply, tag)) return reply;
  return long.sendBytes(request, reply, bytes, principalOf(request));
}

/** Sends a list of documents, or anything else that is no document itself. */
export function sendDocumentList(
  request: FastifyRequest,
  reply: FastifyReply,
  list: unknown,
  long: LongAnswers,
): Promise<FastifyReply> | FastifyReply {
  const format = documentFormatOf(request);
  const bytes = bytesOf(list, format);
  reply.type(`${documentTypes[format]}; charset=utf-8`);
  if (setValidator(request, reply, bytes, {})) return reply;
  return long.sendBytes(request, reply, bytes, principalOf(request));
}

/** The condition under which a document is put. One has to be sent, so that nobody overwrites what they have not seen. */
export function conditionOf({ headers }: FastifyRequest, what: string): ChangeCondition {
  const { 'if-match': match, 'if-none-match': noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) {
    throw new Refusal(
      'condition-missing',
      `Send If-None-Match: * to make a new ${what}, or If-Match with the ETag that was read to replace one.`,
    );
  }
  if (noneMatch !== undefined && noneMatch.trim() !== '*') {
    throw new Refusal(
      'bad-input',
      `If-None-Match must be *, which makes a new ${what}. To replace one, send If-Match.`,
    );
  }
  return { isNew: noneMatch !== undefined, ...matched(match) };
}

/** The condition under which a document is removed: none, or a tag. */
export const removalConditionOf = ({ headers }: FastifyRequest): ChangeCondition => matched(headers['if-match']);

function matched(match: string | undefined): ChangeCondition {
  if (match === undefined) return {};
  if (match.trim() === '*') return { etags: 'any' };
  // A proxy that packs answers makes tags weak. These name states of a document, and no bytes that could differ.
  const tags = [...match.matchAll(/"([^"]*)"/g)].map(([, tag = '']) => tag.split('.')[0] ?? '');
  return { etags: tags };
}
