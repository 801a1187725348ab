import { factsAt, people, type RandomHistory, weeksSeen } from './random-histories.ts';

/** A message that has to be sent: at which moment, to whom, and what it says. */
export interface Expected {
  readonly moment: number;
  readonly to: string;
  readonly what: string;
}

/**
 * What an alert has to send, worked out in the plain way: for each receiver by itself, by looking at everything that was
 * before, with nothing of what the rules remember.
 */
export function expectedOf(history: RandomHistory): Expected[] {
  const happened = new Map<string, readonly Happened[]>();
  return history.to.flatMap((receiver) => {
    const messages: Expected[] = [];
    let since: number | undefined;
    for (const i of history.moments.keys()) {
      if (!gets(history, receiver.key, i)) {
        since = undefined;
        continue;
      }
      since ??= i;
      // What a channel gets was told to its owner as well, who may have had mail for longer.
      const from = firstTold(history, receiver.key, i, since);
      const who = viewerOf(receiver.key);
      const known = happened.get(`${who} ${from}`) ?? happenings(history, who, from);
      happened.set(`${who} ${from}`, known);
      for (const { at, what } of known)
        if (at <= i && sentAt(history, who, at) === i) messages.push({ moment: i, to: receiver.key, what });
    }
    return messages;
  });
}

const viewerOf = (receiver: string): 'ada' | 'bob' | 'cem' => people.find((id) => receiver === `email:${id}`) ?? 'ada';

const gets = ({ standings }: RandomHistory, receiver: string, i: number): boolean => {
  const now = standings[i];
  if (!now || now.ada.role === 'gone') return false;
  const mayOthers = now.ada.role === 'Owner' || now.ada.role === 'Manager';
  if (receiver.startsWith('slack')) return mayOthers;
  const who = viewerOf(receiver);
  return now[who].role !== 'gone' && (who === 'ada' || mayOthers);
};

/** Since when anything was made as this person without a break. */
function firstTold(history: RandomHistory, receiver: string, i: number, since: number): number {
  const same = history.to.filter(({ key }) => viewerOf(key) === viewerOf(receiver));
  let from = since;
  for (let at = i; at >= 0 && same.some(({ key }) => gets(history, key, at)); at -= 1) from = Math.min(from, at);
  return from;
}

const isSeen = ({ standings }: RandomHistory, who: 'ada' | 'bob' | 'cem', i: number): boolean =>
  standings[i]?.[who].isShown ?? false;

/** Making one takes as long as using it a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();
const formatOf = (zone: string) =>
  new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });

/** By the clock on the wall, asked of the system. */
function wallClock({ zone, moments }: RandomHistory, i: number) {
  const format = formats.get(zone) ?? formatOf(zone);
  formats.set(zone, format);

  const parts = Object.fromEntries(
    format.formatToParts((moments[i] ?? 0) * 1_000).map(({ type, value }) => [type, value]),
  );
  const { weekday = '', year, month, day, hour, minute } = parts;
  return { weekday, day: `${year}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) };
}

export function isQuietAt(history: RandomHistory, i: number): boolean {
  const { quiet } = history;
  if (!quiet) return false;
  const { weekday, minute } = wallClock(history, i);
  if (quiet.weekends && (weekday === 'Sat' || weekday === 'Sun')) return true;
  if (quiet.from === undefined || quiet.until === undefined) return false;
  for (let at = quiet.from; at !== quiet.until; at = (at + 1) % 1_440) if (at === minute) return true;
  return false;
}

/** The first moment from one on at which the person sees it and no message has to wait. */
function sentAt(history: RandomHistory, who: 'ada' | 'bob' | 'cem', from: number): number {
  for (const i of history.moments.keys()) if (i >= from && isSeen(history, who, i) && !isQuietAt(history, i)) return i;
  return -1;
}

interface Happened {
  readonly at: number;
  readonly what: string;
}

/** Everything that happens to somebody from a moment on. What happens later changes nothing of it. */
function happenings(history: RandomHistory, who: 'ada' | 'bob' | 'cem', from: number): Happened[] {
  const moments = [...history.moments.keys()].filter((i) => i >= from && isSeen(history, who, i));
  const { rule } = history;
  switch (rule.kind) {
    case 'goal_missed': {
      const missed = (i: number): string | undefined => {
        const whole = weeksSeen(history, i).filter(({ state }) => state !== 'incomplete');
        const row = whole.slice(whole.length - rule.periods);
        return row.every(({ state }) => state === 'missed') ? row.at(-1)?.firstDay : undefined;
      };
      const isOver = (i: number, since: string) =>
        weeksSeen(history, i).some(({ firstDay, state }) => firstDay >= since && state === 'met');
      return onceUntil(moments, missed, isOver).map(({ at, period }) => ({ at, what: `goal_missed ${period}` }));
    }
    case 'unusual': {
      const isCount = rule.metric !== 'cycle-time';
      const unusual = (i: number) => {
        const values = wholeWeeks(history, i);
        return isUnusual(values, isCount) ? values.at(-1)?.firstDay : undefined;
      };
      const isOver = (i: number, since: string) => {
        const values = wholeWeeks(history, i);
        return values.some(({ firstDay }, at) => firstDay >= since && isWithinBand(values.slice(0, at + 1), isCount));
      };
      return onceUntil(moments, unusual, isOver).map(({ at, period }) => ({ at, what: `unusual ${period}` }));
    }
    case 'source_behind':
      return moments.flatMap((i, at): Happened[] => {
        const isBehind = behindAt(history, i, rule.hours);
        const before = moments[at - 1];
        const wasBehind = before !== undefined && behindAt(history, before, rule.hours) === true;
        if (isBehind === true && !wasBehind) return [{ at: i, what: 'source_behind' }];
        return isBehind === false && wasBehind ? [{ at: i, what: 'source_recovered' }] : [];
      });
    case 'waiting': {
      const days = new Set<string>();
      return moments.flatMap((i): Happened[] => {
        const { day } = wallClock(history, i);
        if (isQuietAt(history, i) || (history.waiting[i] ?? 0) === 0 || days.has(day)) return [];
        days.add(day);
        return [{ at: i, what: 'waiting' }];
      });
    }
  }
}

/** The moments at which a cause begins: not again until it was over at some moment since. */
function onceUntil(
  moments: readonly number[],
  periodAt: (i: number) => string | undefined,
  isOver: (i: number, since: string) => boolean,
): { readonly at: number; readonly period: string }[] {
  const begun: { at: number; period: string }[] = [];
  for (const i of moments) {
    const period = periodAt(i);
    const last = begun.at(-1);
    const wasOver = !last || moments.some((j) => j > last.at && j <= i && isOver(j, last.period));
    if (period !== undefined && wasOver) begun.push({ at: i, period });
  }
  return begun;
}

/** Undefined where the source is not there. */
function behindAt(history: RandomHistory, i: number, hours: number): boolean | undefined {
  const facts = factsAt(history, i);
  const source = facts.kind === 'source_behind' ? facts.sources[0] : undefined;
  return source && (history.source[i]?.hoursAgo ?? 0) >= hours;
}

type SeenWeek = ReturnType<typeof weeksSeen>[number];

function wholeWeeks(history: RandomHistory, i: number): SeenWeek[] {
  const seen = [...weeksSeen(history, i)];
  while (seen.length > 0 && !seen.at(-1)?.isWhole) seen.pop();
  return seen;
}

/** The values below and above which the last two weeks are unusual. Every week of these histories has a value. */
function limits(weeks: readonly SeenWeek[]): [low: number, high: number] {
  const before = weeks.slice(-28, -2).map(({ value }) => value);
  const sorted = before.sort((a, b) => a - b);
  const at = (place: number): number => sorted[place] ?? Number.NaN;
  return [at(1) * 0.75 + at(2) * 0.25, at(23) * 0.25 + at(24) * 0.75];
}

function isUnusual(weeks: readonly SeenWeek[], isCount: boolean): boolean {
  if (weeks.length < 28) return false;
  const [low, high] = limits(weeks);
  const last = weeks.slice(-2);
  const before = weeks.slice(-28, -2);
  const sorted = before.map(({ value }) => value).sort((a, b) => a - b);
  const isEnough = isCount
    ? ((sorted[12] ?? 0) + (sorted[13] ?? 0)) / 2 >= 5
    : last.every(({ n }) => n >= 10) && before.filter(({ n }) => n >= 10).length >= 20;
  return isEnough && (last.every(({ value }) => value < low) || last.every(({ value }) => value > high));
}

function isWithinBand(weeks: readonly SeenWeek[], isCount: boolean): boolean {
  const last = weeks.at(-1);
  if (!last || weeks.length < 28 || !(isCount || last.n >= 10)) return false;
  const [low, high] = limits(weeks);
  return last.value >= low && last.value <= high;
}
