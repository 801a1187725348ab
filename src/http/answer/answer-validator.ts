import { hash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Served } from '../../query/answer.ts';
import { addVary } from '../admission/vary.ts';

/** What an answer to an address depends on besides the address. */
const dependsOn = ['Authorization', 'Cookie', 'Accept', 'Accept-Encoding'];

/**
 * Lets the client of a GET keep the answer and ask each time whether it still holds. If it does, this sends 304 after
 * all the checks that an answer takes, and returns true: nothing else is to be sent. Answers behind a gate must not be
 * cached.
 */
export function setValidator(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  served: Pick<Served<unknown>, 'gated'>,
): boolean {
  return mayBeKept(request, served) && isHeldAlready(request, reply, tagOf(bytes));
}

/**
 * The same for an answer whose bytes are never all here: it is known by what it depends on. The data may have changed since
 * the state was read; then the tag is of an older state than the answer, and does not come up again.
 */
export function setStreamValidator(
  request: FastifyRequest,
  reply: FastifyReply,
  format: string,
  served: Pick<Served<unknown>, 'gated' | 'state'>,
): boolean {
  const { state } = served;
  if (state === undefined || !mayBeKept(request, served)) return false;
  return isHeldAlready(request, reply, tagNamed(`${thisProcess} ${format} ${state}`));
}

/** Versions of the data begin again with each process, and after a restored backup the same one means other data. */
const thisProcess = randomUUID();

const mayBeKept = ({ method }: FastifyRequest, { gated }: Pick<Served<unknown>, 'gated'>): boolean =>
  (method === 'GET' || method === 'HEAD') && !gated;

function isHeldAlready(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  reply.header('cache-control', 'private, no-cache').header('etag', tag);
  addVary(reply, ...dependsOn);
  if (!isNamed(request.headers['if-none-match'], tag)) return false;
  reply.removeHeader('content-type').code(304).send();
  return true;
}

const tags = new WeakMap<Buffer, string>();

function tagOf(bytes: Buffer): string {
  const known = tags.get(bytes);
  if (known !== undefined) return known;
  const tag = tagNamed(bytes);
  tags.set(bytes, tag);
  return tag;
}

/** Weak, because it is the same for a compressed answer. */
const tagNamed = (content: Buffer | string): string => `W/"${hash('sha256', content, 'base64url').slice(0, 22)}"`;

/** As RFC 9110 compares them for a GET: without regard to weakness. */
const isNamed = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(tag.slice('W/'.length)));
