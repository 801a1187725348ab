import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal.ts';
import { AwaitedWork, type RequestTicket } from '../admission/ticket.ts';
import { Refusal } from '../refusal.ts';
import type { MetricAnswer, Served } from './collect-answer.ts';

/** A question whose answer may be in the cache. */
interface CacheableQuestion<A> {
  /** The caller and the question: two questions with one key have one answer. */
  readonly key: string;
  /** The state of the data. An answer from another state is not served, nor is any while it is not known. */
  readonly version: () => string | undefined;
  readonly find: (signal: AbortSignal) => Promise<A>;
  /** Whether to cache an answer once it is found. Default: yes. */
  readonly isWorthKeeping?: (answer: A) => boolean;
  /** How much memory an answer takes, about. */
  readonly bytes: (answer: A) => number;
  /** In whose name the question is asked. */
  readonly ticket?: RequestTicket | undefined;
}

/** A request, byte for byte. */
export interface RawRequest {
  readonly principal: Principal;
  readonly metric: string;
  readonly format: string;
  /** Undefined where nothing was sent. */
  readonly body: Buffer | undefined;
}

/** A response that was sent before: the bytes, and what the headers say. */
export interface CachedResponse<A> {
  readonly served: Served<A>;
  readonly bytes: Buffer;
}

/** An answer, with the bytes that were written of it. */
interface AnswerEntry<A> {
  readonly kind: 'answer';
  readonly answer: A;
  readonly at: number;
  readonly version: string;
  readonly currentVersion: () => string | undefined;
  size: number;
}

/** A request, with the question that it was read as. */
interface RequestEntry {
  readonly kind: 'request';
  readonly principal: Principal;
  readonly quarter: number;
  readonly question: string;
  /** The format of the bytes: a document is JSON, whatever the request prefers. */
  readonly format: string;
  /** The state of the data: another state may have other notes. */
  readonly version: string;
  readonly notes: Pick<Served<unknown>, 'unmatched' | 'gated' | 'suppressed' | 'tables'>;
}

type Formats = Map<string, Buffer | AwaitedWork<Buffer | undefined>>;

const cachedMs = 5 * 60_000;
/** Every day of every time zone ends at a quarter of an hour, and with it what "today" means in a request. */
const quarterMs = 15 * 60_000;
const bytesDefault = 96 * 1_024 ** 2;
/** A single entry that is larger would push out too many others. */
const shareOfOne = 1 / 16;
const maxBodyBytes = 4_096;
const never = new AbortController().signal;

/**
 * Answers for five minutes, or until the data changes, in three steps, each cheaper than the one before: the answer to a
 * question, its bytes in a format, and the question that a request was read as. Dashboards send the same bytes over and
 * over: such a request is answered before its body is read.
 */
export class ResponseCache<A extends object = MetricAnswer> {
  readonly #now: () => number;
  readonly #entries: LRUCache<string, AnswerEntry<A> | RequestEntry>;
  readonly #maxEntryBytes: number;
  readonly #finding = new Map<string, { readonly keyId: string | undefined; readonly work: AwaitedWork<A> }>();
  /** Bytes go when their answer does. */
  readonly #formats = new WeakMap<A, Formats>();
  readonly #questions = new WeakMap<A, string>();

  constructor(now: () => number, maxBytes: number = bytesDefault) {
    this.#now = now;
    this.#maxEntryBytes = Math.floor(maxBytes * shareOfOne);
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: this.#maxEntryBytes });
  }

  /** The answer to a question, found once for everyone who asks it at the same time. */
  async serve(question: CacheableQuestion<A>): Promise<Served<A>> {
    const cached = this.#current(question.key);
    if (cached) return { answer: cached.answer, isCached: true, ageSeconds: this.#ageSeconds(cached) };
    const version = question.version();
    // Without a known state, nobody can say whether two questions ask about the same one.
    const found =
      version === undefined ? question.find(question.ticket?.signal ?? never) : this.#find(question, version);
    return { answer: await found, isCached: false, ageSeconds: 0 };
  }

  /** The bytes of an answer, written once. Undefined where `write` says that they are too many. */
  bytesOf(
    answer: A,
    format: string,
    caller: AbortSignal,
    write: (signal: AbortSignal) => Buffer | Promise<Buffer | undefined>,
  ): Buffer | Promise<Buffer | undefined> {
    const formats: Formats = this.#formats.get(answer) ?? new Map();
    this.#formats.set(answer, formats);
    const known = formats.get(format);
    if (Buffer.isBuffer(known)) return known;
    if (known && !known.isAbandoned) return known.wait(caller);
    // Short answers are written at once: no other caller can ask meanwhile.
    const controller = new AbortController();
    const written = write(controller.signal);
    if (Buffer.isBuffer(written)) {
      this.#keepBytes(answer, formats, format, written);
      return written;
    }
    const work = new AwaitedWork((signal) => {
      signal.addEventListener('abort', () => controller.abort(signal.reason));
      return written;
    });
    formats.set(format, work);
    const settle = (bytes: Buffer | undefined): void => {
      // A later caller may have started over after all earlier ones had left.
      if (formats.get(format) !== work) return;
      formats.delete(format);
      if (bytes) this.#keepBytes(answer, formats, format, bytes);
    };
    written.then(settle, () => settle(undefined));
    return work.wait(caller);
  }

  /** The response to a request whose very bytes were answered before. */
  recall(request: RawRequest): CachedResponse<A> | undefined {
    const known = this.#entries.get(requestKey(request));
    // A principal is the same object for as long as nothing in the directory of the organisation changes.
    if (known?.kind !== 'request' || known.principal !== request.principal || known.quarter !== this.#quarter()) {
      return undefined;
    }
    const cached = this.#current(known.question);
    if (!cached || cached.version !== known.version) return undefined;
    const bytes = this.#formats.get(cached.answer)?.get(known.format);
    if (!Buffer.isBuffer(bytes)) return undefined;
    const served = { answer: cached.answer, isCached: true, ageSeconds: this.#ageSeconds(cached), ...known.notes };
    return { served, bytes };
  }

  /** Remembers that a request got an answer that is in the cache. */
  remember(request: RawRequest, format: string, { answer, unmatched, gated, suppressed, tables }: Served<A>): void {
    const question = this.#questions.get(answer);
    if (question === undefined || (request.body?.length ?? 0) > maxBodyBytes) return;
    const cached = this.#current(question);
    if (cached?.answer !== answer) return;
    const key = requestKey(request);
    const notes = { unmatched, suppressed, tables, ...(gated ? { gated } : {}) };
    const { principal } = request;
    const { version } = cached;
    this.#entries.set(
      key,
      { kind: 'request', principal, quarter: this.#quarter(), question, format, version, notes },
      { size: 2 * key.length + 500 },
    );
  }

  #current(question: string): AnswerEntry<A> | undefined {
    const known = this.#entries.get(question);
    if (known?.kind !== 'answer' || known.version !== known.currentVersion()) return undefined;
    const age = this.#now() - known.at;
    return age >= 0 && age < cachedMs ? known : undefined;
  }

  #ageSeconds({ at }: AnswerEntry<A>): number {
    return Math.floor((this.#now() - at) / 1_000);
  }

  #quarter(): number {
    return Math.floor(this.#now() / quarterMs);
  }

  #keepBytes(answer: A, formats: Formats, format: string, bytes: Buffer): void {
    const question = this.#questions.get(answer);
    const entry = question === undefined ? undefined : this.#entries.peek(question);
    if (question === undefined || entry?.kind !== 'answer' || entry.answer !== answer) {
      formats.set(format, bytes);
      return;
    }
    if (entry.size + bytes.length > this.#maxEntryBytes) return;
    formats.set(format, bytes);
    entry.size += bytes.length;
    // The size of an entry that is set again with the same value would stay what it was.
    this.#entries.delete(question);
    this.#entries.set(question, entry, { size: entry.size });
  }

  /**
   * A caller that waits for an answer that another key asked for is not refused with that key: the other key may have
   * too many questions waiting. The question is then asked once more, in the caller's own name and waiting time.
   */
  async #find(question: CacheableQuestion<A>, version: string): Promise<A> {
    const { ticket } = question;
    const key = `${version}\n${question.key}`;
    const keyId = this.#finding.get(key)?.keyId;
    if (!this.#finding.has(key) || keyId === ticket?.keyId) return this.#join(key, question, version);
    const waited = ticket?.waiting.begin(() => {});
    try {
      return await this.#join(key, question, version);
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== 'unavailable') throw error;
    } finally {
      waited?.();
    }
    return this.#join(`${key}\n${ticket?.keyId}`, question, version);
  }

  async #join(key: string, question: CacheableQuestion<A>, version: string): Promise<A> {
    question.ticket?.signal?.throwIfAborted();
    const known = this.#finding.get(key);
    const work = known && !known.work.isAbandoned ? known.work : this.#start(key, question, version);
    return work.wait(question.ticket?.signal);
  }

  #start(key: string, question: CacheableQuestion<A>, version: string): AwaitedWork<A> {
    const work: AwaitedWork<A> = new AwaitedWork((signal) =>
      question
        .find(signal)
        .then((answer) => {
          this.#keep(question, version, answer);
          return answer;
        })
        .finally(() => {
          if (this.#finding.get(key)?.work === work) this.#finding.delete(key);
        }),
    );
    this.#finding.set(key, { keyId: question.ticket?.keyId, work });
    return work;
  }

  #keep(
    { key, version: currentVersion, isWorthKeeping, bytes }: CacheableQuestion<A>,
    version: string,
    answer: A,
  ): void {
    // An answer that came while the data changed is good for those who asked before, and for nobody else.
    if (currentVersion() !== version || isWorthKeeping?.(answer) === false) return;
    const size = Math.max(1, bytes(answer) + key.length);
    this.#questions.set(answer, key);
    this.#entries.set(key, { kind: 'answer', answer, at: this.#now(), version, currentVersion, size }, { size });
  }
}

const requestKey = ({ principal, metric, format, body }: RawRequest): string =>
  `request\n${principal.keyId}\n${metric}\n${format}\n${body?.toString('latin1')}`;
