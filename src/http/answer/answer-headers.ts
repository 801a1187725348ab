import { hash, randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Principal, visibilityNameOf } from '../../access/principal.ts';
import { isoText } from '../../calendar.ts';
import type { Served } from '../../query/collect-answer.ts';
import type { NearestRows, UnmatchedFilters } from '../../query/empty-answer.ts';
import type { Extent } from '../../query/question-port.ts';
import { addVary } from '../admission/response-headers.ts';

/** Says whose rows an answer is made of, and up to when they are complete; nothing of the latter where no rows are. */
export function setDataHeaders(
  reply: FastifyReply,
  principal: Pick<Principal, 'role' | 'visibility'>,
  extent: Extent | undefined,
): void {
  reply.header('x-visibility', visibilityNameOf(principal));
  if (extent?.through !== undefined) reply.header('x-data-through', isoText(extent.through));
}

/** Says of an answer that shows nothing where rows are: `before=2025-03-01, after=2025-06-02`. */
export function setNearestHeader(reply: FastifyReply, nearest: NearestRows | undefined): void {
  if (!nearest) return;
  const sides = Object.entries({ before: nearest.before, after: nearest.after });
  const known = sides.filter(([, day]) => day !== null).map(([side, day]) => `${side}=${day}`);
  if (known.length > 0) reply.header('x-nearest-rows', known.join(', '));
}

/** Says how many answers to surveys were left out, also when none was. Nothing where answers are not anonymous. */
export function setSuppressedHeader(reply: FastifyReply, suppressed: number | undefined): void {
  if (suppressed !== undefined) reply.header('x-suppressed', suppressed);
}

/** Proxies and clients take headers of this length without question. */
const maxBytes = 2_000;

/**
 * URL-encoded JSON of the filters whose values match nothing. A value that no longer fits is left out as a whole, so that
 * what is there can always be read. Undefined where everything matches.
 */
export function unmatchedHeader(unmatched: UnmatchedFilters | undefined): string | undefined {
  if (!unmatched) return undefined;
  const fitting: Record<string, unknown[]> = {};
  let left = maxBytes - encoded({}).length;
  for (const [filter, values] of Object.entries(unmatched)) {
    for (const value of values) {
      // The characters that a value adds: a comma before it, and for the first one of a filter the name and the
      // brackets.
      const more = encoded([value]).length - encoded([]).length + comma.length;
      const frame = fitting[filter] ? 0 : encoded({ [filter]: [] }).length;
      if (more + frame > left) continue;
      left -= more + frame;
      fitting[filter] = [...(fitting[filter] ?? []), value];
    }
  }
  return encoded(fitting);
}

const comma = '%2C';
const encoded = (value: unknown): string => encodeURIComponent(JSON.stringify(value));

export function setUnmatchedHeader(reply: FastifyReply, header: string | undefined): void {
  if (header !== undefined) reply.header('x-unmatched-filters', header);
}

/** The request headers that an answer to an address depends on. */
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
 * The tag of an answer whose bytes are never all here: the answer is known by what it depends on. The data may have changed since
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

/** Sets the tag of an answer to a GET, and sends 304 where the caller has that answer: then it returns true. */
export function isHeldAlready(request: FastifyRequest, reply: FastifyReply, tag: string): boolean {
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
  header !== undefined && (header.trim() === '*' || header.includes(tag.replace(/^W\//, '')));
