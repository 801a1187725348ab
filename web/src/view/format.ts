import type { Better, Measure } from '../ask/metric.ts';
import type { DayWindow, TimeBucket } from '../ask/windows.ts';

/** Narrow, and never at the end of a line. */
const thinSpace = '\u202f';
const noValue = '–';

/** A number as it is read: two units of a duration, thin spaces between thousands, percent of a share. */
export function shown(value: number | null | undefined, measure: Measure): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return noValue;
  switch (measure) {
    case 'duration':
      return duration(value);
    case 'percent':
      return `${percentDigits(value * 100)}${thinSpace}%`;
    case 'count':
      return Math.abs(value) < 1e7 ? grouped(Math.round(value)) : inMillions(value);
    case 'usd':
      return `$${Math.abs(value) < 100 ? value.toFixed(2) : grouped(Math.round(value))}`;
    case 'bytes':
      return bytes(value);
    case 'number':
      return Math.abs(value) < 10
        ? trimmed(value.toFixed(2))
        : Math.abs(value) < 100
          ? trimmed(value.toFixed(1))
          : grouped(Math.round(value));
  }
}

/** The value with all its digits, for whoever points at it. */
export function exact(value: number | null | undefined, measure: Measure): string {
  if (value === null || value === undefined) return 'no value';
  if (measure === 'duration') return `${grouped(value)} seconds`;
  if (measure === 'percent') return `${trimmed((value * 100).toFixed(6))} %`;
  return grouped(value);
}

const units = [
  ['y', 365 * 86_400],
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** `1d 4h`, `3h 12m`, `48s`: two units, the second rounded. */
export function duration(seconds: number): string {
  const sign = seconds < 0 ? '−' : '';
  const size = Math.abs(seconds);
  if (size < 1) return size === 0 ? '0s' : `${sign}<1s`;
  const first = units.findIndex(([, length]) => size >= length);
  const [, smallest] = units[Math.min(first + 1, units.length - 1)] ?? ['s', 1];
  const rounded = Math.round(size / smallest) * smallest;
  // Rounding may lift it to the next unit: 59m 59.6s is 1h.
  const at = units.findIndex(([, length]) => rounded >= length);
  const [name, length] = units[at] ?? ['s', 1];
  const [nextName, nextLength] = units[at + 1] ?? [undefined, 1];
  const whole = Math.floor(rounded / length);
  const rest = Math.floor((rounded % length) / nextLength);
  return `${sign}${whole}${name}${nextName && rest > 0 ? ` ${rest}${nextName}` : ''}`;
}

/** One decimal below ten: 8.1 %, 91 %. */
const percentDigits = (percent: number): string => {
  const digits = Math.abs(percent) < 9.95 ? percent.toFixed(1) : String(Math.round(percent));
  return digits.replace('-', '−').replace(/^(−?\d+)\.0$/, '$1');
};

const trimmed = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text);

/** Tokens are counted in hundreds of millions, which no tile has room for. */
const inMillions = (value: number): string => {
  const millions = value / 1e6;
  return `${Math.abs(millions) < 100 ? millions.toFixed(1) : grouped(Math.round(millions))}${thinSpace}M`.replace(
    '-',
    '−',
  );
};

export function grouped(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  const spaced = whole.replace(/\B(?=(\d{3})+$)/g, thinSpace).replace('-', '−');
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

function bytes(value: number): string {
  const names = ['B', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(names.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  return `${trimmed((value / 1_000 ** at).toFixed(1))}${thinSpace}${names[at]}`;
}

/** What became of a number since the window before. */
export interface Change {
  readonly direction: 'up' | 'down' | 'same';
  readonly arrow: '↑' | '↓' | '→';
  /** With sign and words: `+14 % more`, `−3h 10m shorter`, `+2.4 points`. */
  readonly text: string;
  /** Whether it is good; undefined where nobody can say. */
  readonly isGood: boolean | undefined;
  /** Relative to the value before, for finding the largest. */
  readonly size: number;
}

export function changeOf(
  now: number | null | undefined,
  before: number | null | undefined,
  measure: Measure,
  better: Better,
): Change | undefined {
  if (typeof now !== 'number' || typeof before !== 'number') return undefined;
  const difference = now - before;
  const size = before === 0 ? Math.sign(difference) : difference / Math.abs(before);
  const isSame = difference === 0 || (measure === 'percent' ? Math.abs(difference) < 0.0005 : Math.abs(size) < 0.005);
  if (isSame) return { direction: 'same', arrow: '→', text: 'unchanged', isGood: undefined, size: 0 };
  const direction = difference > 0 ? 'up' : 'down';
  const isGood = better === null ? undefined : (better === 'higher') === difference > 0;
  return {
    direction,
    arrow: difference > 0 ? '↑' : '↓',
    text: changeText(difference, size, before, measure),
    isGood,
    size,
  };
}

function changeText(difference: number, size: number, before: number, measure: Measure): string {
  const sign = difference > 0 ? '+' : '−';
  const more = difference > 0 ? 'more' : 'fewer';
  if (measure === 'duration')
    return `${sign}${duration(Math.abs(difference))} ${difference > 0 ? 'longer' : 'shorter'}`;
  if (measure === 'percent') {
    const points = percentDigits(Math.abs(difference) * 100);
    return `${sign}${points} ${points === '1' ? 'point' : 'points'}`;
  }
  if (before === 0) return `${sign}${shown(Math.abs(difference), measure)} from none`;
  const percent = percentDigits(Math.abs(size) * 100);
  return `${sign}${percent}${thinSpace}% ${measure === 'count' ? more : difference > 0 ? 'higher' : 'lower'}`;
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const parts = (day: string): [number, string, number] => [
  Number(day.slice(8)),
  months[Number(day.slice(5, 7)) - 1] ?? '',
  Number(day.slice(0, 4)),
];

/** `3 Nov`, with the year where it is not this one. */
export function shownDay(day: string, today?: string): string {
  const [date, month, year] = parts(day);
  return today === undefined || today.startsWith(String(year)) ? `${date} ${month}` : `${date} ${month} ${year}`;
}

/** `3 Nov – 9 Nov 2026`. */
export function shownWindow({ start, end }: DayWindow): string {
  const [, , year] = parts(end);
  if (start === end) return `${shownDay(start)} ${year}`;
  const first = start.startsWith(String(year)) ? shownDay(start) : `${shownDay(start)} ${start.slice(0, 4)}`;
  return `${first} – ${shownDay(end)} ${year}`;
}

/** A bucket as an axis names it. */
export function bucketLabel({ name, start }: TimeBucket, level: string): string {
  const [, month, year] = parts(name);
  if (level === 'month') return `${month} ${String(year).slice(2)}`;
  if (level === 'quarter') return `Q${Math.ceil(Number(name.slice(5, 7)) / 3)} ${year}`;
  return level === 'year' ? String(year) : shownDay(level === 'week' ? name : start);
}

/** A bucket as a sentence names it. */
export function bucketName(bucket: TimeBucket, level: string): string {
  if (level === 'week') return `week of ${shownDay(bucket.name)}`;
  return level === 'day' ? shownDay(bucket.start) : bucketLabel(bucket, level);
}

/** An instant in the organisation's time zone. */
export function shownTime(instant: string | null | undefined, zone: string): string {
  if (!instant) return noValue;
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return instant;
  return new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).format(time);
}

/** One of them or many: `1 run`, `12 runs`. */
export const counted = (n: number, one: string, many: string): string => `${grouped(n)} ${n === 1 ? one : many}`;
