import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Served } from '../query/answer.ts';
import { addVary } from './vary.ts';

/** What an answer to an address depends on besides the address. */
const dependsOn = ['Authorization', 'Cookie', 'Accept', 'Accept-Encoding'];

/**
 * Lets whoever asked by an address keep the answer, and ask each time whether it still holds. Says that it does with 304,
 * after everything that is checked for an answer was: then true, and nothing else is to be sent. Answers behind a
 * gate are kept by nobody.
 */
export function setValidator(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  { gated }: Pick<Served<unknown>, 'gated'>,
): boolean {
  if ((request.method !== 'GET' && request.method !== 'HEAD') || gated) return false;
  const tag = tagOf(bytes);
  reply.header('cache-control', 'private, no-cache').header('etag', tag);
  addVary(reply, ...dependsOn);
  if (!isNamed(request.headers['if-none-match'], tag)) return false;
  reply.removeHeader('content-type').code(304).send();
  return true;
}

/** Weak, because it is the same for a compressed answer. */
const tags = new WeakMap<Buffer, string>();

function tagOf(bytes: Buffer): string {
  const known = tags.get(bytes);
  if (known !== undefined) return known;
  const tag = `W/"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`;
  tags.set(bytes, tag);
  return tag;
}

/** As RFC 9110 compares them for a GET: without regard to weakness. */
const isNamed = (header: string | undefined, tag: string): boolean =>
  header !== undefined && (header.trim() === '*' || header.includes(tag.slice('W/'.length)));
