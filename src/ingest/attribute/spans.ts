import { secondsPerDay } from '../../calendar.ts';
import type { SpanEnd } from '../../warehouse/intake-port.ts';

/** Before everything. A span from here to the end holds all of a repository. */
export const theBeginning = Number.NEGATIVE_INFINITY;
/** After everything. Rows that stand at no moment, such as open pull requests, are touched here. */
export const theEnd = Number.POSITIVE_INFINITY;

/** A time in whole seconds, or one that a condition finds with the span of a repository. */
export type TimeOrEnd = number | SpanEnd;

/** A stretch of time in which something may be different. `until` is no longer part of it. */
export interface TimeSpan<M extends TimeOrEnd = number> {
  readonly from: M;
  readonly until: M;
}

/** A span of one repository. */
export interface RepositorySpan extends TimeSpan {
  readonly key: string;
}

/** All of a repository. */
export const allTime: TimeSpan = { from: theBeginning, until: theEnd };

export const isAllTime = ({ from, until }: TimeSpan<TimeOrEnd>): boolean => from === theBeginning && until === theEnd;

/** Spans are made of whole blocks of time, so that those of several keys are alike and can be read with one condition. */
const block = 2 * secondsPerDay;
/** A key with more than these has the closest of them joined: each is read by itself. */
const maxSpans = 32;
/** Spans that are held for a key before they are joined. */
const maxHeld = 1_000;

/** For each key the stretches of time in which something may be different. */
export class Spans {
  readonly #spans = new Map<string, TimeSpan[]>();

  get size(): number {
    return this.#spans.size;
  }

  keys(): IterableIterator<string> {
    return this.#spans.keys();
  }

  has(key: string): boolean {
    return this.#spans.has(key);
  }

  /** From a moment to another one, both included. What has no time stands after everything; one that was not read may be any. */
  touch(key: string, first: number | null | undefined, last: number | null | undefined = first): void {
    const isKnown = first !== undefined && last !== undefined;
    this.add(key, isKnown ? { from: first ?? theEnd, until: (last ?? theEnd) + 1 } : allTime);
  }

  add(key: string, span: TimeSpan): void {
    const spans = this.#spans.get(key) ?? [];
    spans.push(span);
    this.#spans.set(key, spans.length > maxHeld ? joined(spans) : spans);
  }

  /** The spans of a key, the earliest first. */
  of(key: string): readonly TimeSpan[] {
    const spans = joined(this.#spans.get(key) ?? []);
    // What stands at no moment is looked at together with whatever else there is.
    return spans.length > 1 ? spans.filter(({ from }) => from !== theEnd) : spans;
  }

  /** The first moment of a key. */
  firstOf(key: string): number {
    return this.of(key)[0]?.from ?? theEnd;
  }
}

function joined(some: readonly TimeSpan[]): TimeSpan[] {
  const inBlocks = some.map(({ from, until }) => ({
    from: Math.floor(from / block) * block,
    until: Math.ceil(until / block) * block,
  }));
  let spans = inBlocks.sort((a, b) => (a.from === b.from ? 0 : a.from - b.from));
  for (let gap = 0; ; gap = gap * 4 + block) {
    spans = joinClose(spans, gap);
    if (spans.length <= maxSpans) return spans;
  }
}

/** Spans that are at most so far from each other, as one. */
export function joinClose(inOrder: readonly TimeSpan[], gap: number): TimeSpan[] {
  const spans: TimeSpan[] = [];
  for (const span of inOrder) {
    const last = spans.at(-1);
    if (last && span.from <= last.until + gap) {
      spans[spans.length - 1] = { from: last.from, until: Math.max(last.until, span.until) };
    } else spans.push(span);
  }
  return spans;
}
