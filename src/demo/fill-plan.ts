import { dayOfNumber } from '../calendar.ts';
import { Refusal } from '../refusal.ts';
import { findCursor, putCursor } from '../store/cursors.ts';
import { demoFilledSince, demoSource } from '../store/organisation-rows.ts';
import type { Store } from '../store/store.ts';
import { chapterOf, firstDayOf } from './history/chapters.ts';
import { daysChangedSince, daysKnownAt, type HistoryDays } from './history/demo-history.ts';

const stream = 'history';

/** How far the history of an organisation is filled in. */
export interface FilledHistory {
  readonly seed: string;
  readonly scale: number;
  /** The moment until which it is known. */
  readonly until: number;
  /** The first day of those that are there, and of those that are to be there. */
  readonly from: number;
  readonly begin: number;
}

/** A part of the work, and how far the history is filled in after it. */
export interface FillPart {
  readonly days: HistoryDays;
  readonly since?: number;
  readonly after: FilledHistory;
}

/**
 * What is waited for at scale 1: the 90 days that pages begin with, and those that some time zone has at either end. At
 * other scales it is the days in which about as much happened.
 */
const daysWaitedFor = 93;

/** Undefined where nothing is there, null where an earlier version filled it in, which is left as it is. */
export async function filledHistory(
  store: Pick<Store, 'read'>,
  organisationId: string,
): Promise<FilledHistory | null | undefined> {
  const value = await store.read((session) => findCursor(session, organisationId, demoSource, stream));
  if (value === undefined) return undefined;
  return value.startsWith('{') ? (JSON.parse(value) as FilledHistory) : null;
}

export const rememberHistory = (store: Store, organisationId: string, filled: FilledHistory, at: Date) =>
  store.change(organisationId, async (session) => {
    const since = filled.from > filled.begin ? dayOfNumber(filled.from) : '';
    await putCursor(session, demoSource, stream, JSON.stringify(filled), at);
    await putCursor(session, demoSource, demoFilledSince, since, at);
  });

/** What comes first: the newest days, or what has happened since those that are there were filled in. */
export function newestPart(
  filled: FilledHistory | undefined,
  wanted: Pick<FilledHistory, 'seed' | 'scale' | 'until'>,
  newestDays = daysWaitedFor,
): FillPart | undefined {
  const { from: begin, to } = daysKnownAt(wanted.until);
  if (!filled) {
    const days = { from: Math.max(begin, to - Math.ceil(newestDays / wanted.scale)), to };
    return { days, after: { ...wanted, from: days.from, begin } };
  }
  const { until } = wanted;
  if (until <= filled.until) return undefined;
  const changed = daysChangedSince(filled.until, until);
  const days = { from: Math.max(filled.from, changed.from), to: changed.to };
  return { days, since: filled.until, after: { ...filled, until } };
}

/** What is before the days that are there, the newest first; the more at once, the less there is in it. */
export function* olderParts(filled: FilledHistory): Generator<FillPart> {
  const { begin, scale, until } = filled;
  const atOnce = Math.ceil(0.25 / scale);
  for (let to = filled.from; to > begin; ) {
    const from = Math.max(begin, firstDayOf(chapterOf(to - daysWaitedFor) - atOnce + 1));
    yield { days: { from, to }, after: { ...filled, until, from } };
    to = from;
  }
}

export function requireScale(scale: number): void {
  if (scale >= 0.02 && scale <= 20) return;
  throw new Refusal('bad-input', `The scale must be a number from 0.02 to 20, not ${scale}.`);
}
