import { asOwnChange } from './own-change.ts';
import { parametersOf, type Question } from './question.ts';
import { noteReached } from './reachable.ts';
import { noteSeenPart } from './seen-part.ts';
import { sendWords } from './send-words.ts';
import { noteSession } from './session-lost.ts';

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type Row = Readonly<Record<string, Json>>;

/** Rows of a flat answer or the results of a compared one, with what the headers of the answer add. */
export interface Rows {
  readonly rows: readonly Row[];
  /** How many rows there are, of which `rows` may be only the first. */
  readonly total: number;
  /** Values of filters that match nothing. */
  readonly unmatched: Readonly<Record<string, readonly Json[]>>;
  /** How many answers to surveys the server left out to protect anonymity. */
  readonly suppressed: number;
}

/** A refusal or failure, as a page shows it. */
export class AskError extends Error {
  readonly status: number;
  readonly requestId: string | undefined;
  constructor(status: number, message: string, requestId: string | undefined) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
  /** The session ended, here or elsewhere. */
  get isSignedOut(): boolean {
    return this.status === 401;
  }
  get isNotAllowed(): boolean {
    return this.status === 403;
  }
}

/** Asks a metric: n of every value, durations as seconds. */
export async function sendQuestion(question: Question, signal?: AbortSignal): Promise<Rows> {
  const response = await send(`${question.path}?${parametersOf(question)}`, question.body, signal);
  const answer = (await response.json()) as readonly Row[] | { readonly results: readonly Row[] };
  const rows = 'results' in answer ? answer.results : answer;
  const unmatched = response.headers.get('x-unmatched-filters');
  return {
    rows,
    total: Number(response.headers.get('x-total-rows') ?? rows.length),
    unmatched: unmatched === null ? {} : JSON.parse(decodeURIComponent(unmatched)),
    suppressed: Number(response.headers.get('x-suppressed') ?? 0),
  };
}

/** POSTs JSON and returns the JSON of the answer; undefined for 204. */
export async function postJson<T>(path: string, body: unknown, signal?: AbortSignal): Promise<T> {
  return read(await asOwnChange(path, () => send(path, body, signal)));
}
export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return read(await request(path, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) }));
}
/** Sends a request with any other method to `/app/…`, with a body or without. */
export async function sendJson<T>(method: 'PATCH' | 'DELETE' | 'PUT', path: string, body?: unknown): Promise<T> {
  const content = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = { ...(body === undefined ? {} : jsonHeaders) };
  return read(await asOwnChange(path, () => request(path, { method, headers, ...content })));
}

/** Reads a text as it is. */
export const getText = (path: string, signal?: AbortSignal): Promise<string> =>
  request(path, signal ? { signal } : {}).then((response) => response.text());

/** Reads a document with the tag that says which state of it this is. */
export async function getTagged<D>(path: string, signal?: AbortSignal): Promise<{ document: D; etag: string }> {
  return tagged(await request(path, { headers: { accept: 'application/json' }, ...(signal ? { signal } : {}) }));
}
/** Replaces the state of a document that has this tag; without one, makes a new document. */
export async function putTagged<D>(path: string, document: D, etag?: string): Promise<{ document: D; etag: string }> {
  const condition = etag === undefined ? { 'if-none-match': '*' } : { 'if-match': etag };
  const headers = { ...jsonHeaders, ...condition };
  const init = { method: 'PUT', headers, body: JSON.stringify(document) };
  return tagged(await asOwnChange(path, () => request(path, init)));
}

const tagged = async <D>(response: Response): Promise<{ document: D; etag: string }> => ({
  document: await read<D>(response),
  etag: response.headers.get('etag') ?? '',
});

/** Sends a file as it is, with what it is in the headers. */
export async function sendFile<T>(path: string, body: Blob, headers: Readonly<Record<string, string>>): Promise<T> {
  return read(await asOwnChange(path, () => request(path, { method: 'POST', headers, body })));
}

const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' };

const send = (path: string, body: unknown, signal?: AbortSignal): Promise<Response> =>
  request(path, {
    method: 'POST',
    headers: jsonHeaders,
    body: JSON.stringify(body),
    ...(signal ? { signal } : {}),
  });

/** Asks the same question and returns the answer as a file, CSV or Parquet. */
export const sendForFile = (question: Question, accept: string): Promise<Response> =>
  request(`${question.path}?${parametersOf(question)}`, {
    method: 'POST',
    headers: { ...jsonHeaders, accept },
    body: JSON.stringify(question.body),
  });

async function read<T>(response: Response): Promise<T> {
  return (response.status === 204 ? undefined : await response.json()) as T;
}

async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(path, { credentials: 'same-origin', ...init }).catch((error: unknown) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    noteReached(false);
    throw new AskError(0, sendWords.serverNotReached, undefined);
  });
  noteReached(true);
  noteSession(response.status);
  noteSeenPart(response.headers.get('x-visibility'));
  if (response.ok) return response;
  throw new AskError(response.status, await detailOf(response), response.headers.get('x-request-id') ?? undefined);
}

async function detailOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined);
  const detail = typeof body === 'object' && body !== null && 'detail' in body ? body.detail : undefined;
  return typeof detail === 'string' ? detail : sendWords.serverAnsweredWithStatus(response.status);
}
