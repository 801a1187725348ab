import { LRUCache } from 'lru-cache';
import type { Principal } from '../access/principal.ts';
import type { AnswerFormat } from '../formats/accept.ts';
import type { Answer, Served } from '../query/answer.ts';

/** Changes with every change of what an organisation's questions are answered from. */
export interface Versions {
  versionOf(organisationId: string): number;
}

/** A request, letter for letter. */
export interface Spelled {
  readonly principal: Principal;
  readonly metric: string;
  readonly format: AnswerFormat;
  /** None where nothing was sent. */
  readonly body: Buffer | undefined;
}

/** What was sent. */
export interface Written {
  readonly bytes: Buffer;
  readonly type: string;
  /** What was said of filters that match nothing. */
  readonly unmatched: string | undefined;
}

export interface Recalled extends Written {
  readonly gated: Served<Answer>['gated'];
  readonly ageSeconds: number;
  readonly total: number | undefined;
  /** How many answers to surveys were left out. */
  readonly suppressed: number | undefined;
}

interface Remembered extends Recalled {
  readonly principal: Principal;
  readonly version: number;
  readonly at: number;
}

/** Any day ends at a quarter of an hour, whatever the time zone, and with it what "today" means in a request. */
const quarterMs = 15 * 60_000;
/** The service's own memory decides how long an answer is good; this is asked again well before it says no. */
const agedMost = 295;
const bytesUsual = 32 * 1_024 ** 2;
/** A single answer that is larger would push out too many others. */
const shareOfOne = 1 / 16;
const bodyMost = 4_096;

/**
 * Recognises a request that was answered a moment ago, before anything of its body is read: dashboards send the same
 * bytes over and over. Who asks is the same object for as long as nothing in their organisation's directory changes, and
 * the tables have a version; so what is recalled is exactly what would be found.
 */
export class RecalledAnswers {
  readonly #versions: Versions;
  readonly #now: () => Date;
  readonly #known: LRUCache<string, Remembered>;

  constructor(versions: Versions, now: () => Date, bytesMost: number = bytesUsual) {
    this.#known = new LRUCache({ maxSize: bytesMost, maxEntrySize: Math.floor(bytesMost * shareOfOne) });
    this.#versions = versions;
    this.#now = now;
  }

  find(asked: Spelled): Recalled | undefined {
    const known = this.#known.get(keyOf(asked));
    if (known?.principal !== asked.principal) return undefined;
    if (known.version !== this.#versions.versionOf(asked.principal.organisationId)) return undefined;
    const now = this.#now().getTime();
    const ageSeconds = known.ageSeconds + Math.floor((now - known.at) / 1_000);
    const isSameQuarter = Math.floor(now / quarterMs) === Math.floor(known.at / quarterMs);
    return isSameQuarter && ageSeconds >= 0 && ageSeconds < agedMost ? { ...known, ageSeconds } : undefined;
  }

  /** Remembers an answer that was kept, unless the data changed since the version was read, before it was asked for. */
  note(asked: Spelled, version: number, { answer, isKept, ageSeconds, gated }: Served<Answer>, written: Written): void {
    const { principal } = asked;
    if (!isKept || (asked.body?.length ?? 0) > bodyMost || version !== this.versionFor(principal)) return;
    const key = keyOf(asked);
    const remembered = {
      principal,
      version,
      at: this.#now().getTime(),
      ...written,
      ageSeconds,
      gated,
      total: answer.total,
      suppressed: answer.suppressed,
    };
    this.#known.set(key, remembered, {
      size: key.length + written.bytes.length + (written.unmatched?.length ?? 0) + 500,
    });
  }

  versionFor({ organisationId }: Principal): number {
    return this.#versions.versionOf(organisationId);
  }
}

const keyOf = ({ principal, metric, format, body }: Spelled): string =>
  `${principal.keyId}\n${metric}\n${format}\n${body?.toString('latin1')}`;
