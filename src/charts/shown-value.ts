import { durationText } from '../duration-text.ts';
import { withoutTrailing } from '../trailing-characters.ts';
import type { ChartMeasure } from './chart-description.ts';
import { drawnWords } from './drawn-words.ts';

/** Never at the end of a line. */
const fixedSpace = '\u00a0';
export const noValue = '–';

/** A number for people: two units of a duration, commas between thousands, percent of a share. */
export function shown(value: number | null | undefined, measure: ChartMeasure): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return noValue;
  switch (measure) {
    case 'duration':
      return duration(value);
    case 'percent':
      return `${percentDigits(value * 100)}%`;
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

/** The value with all its digits, for a tooltip. */
export function exact(value: number | null | undefined, measure: ChartMeasure): string {
  if (value === null || value === undefined) return drawnWords.noValue;
  if (measure === 'duration') return drawnWords.seconds(grouped(value));
  if (measure === 'percent') return `${trimmed((value * 100).toFixed(6))}%`;
  return grouped(value);
}

/** `1d 4h`, `3h 12m`, `48s`. */
export const duration = (seconds: number): string => durationText(seconds, '−');

/** One decimal below ten: 8.1%, 91%. */
export const percentDigits = (percent: number): string => {
  const digits = Math.abs(percent) < 9.95 ? percent.toFixed(1) : String(Math.round(percent));
  return digits.replace('-', '−').replace(/^(−?\d+)\.0$/, '$1');
};

const trimmed = (text: string): string =>
  text.includes('.') ? withoutTrailing(withoutTrailing(text, '0'), '.') : text;

/** Tokens are counted in hundreds of millions, which no tile has room for. */
const inMillions = (value: number): string => {
  const millions = value / 1e6;
  return `${Math.abs(millions) < 100 ? millions.toFixed(1) : grouped(Math.round(millions))}M`.replace('-', '−');
};

export function grouped(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  const divided = whole.replace(/\B(?=(\d{3})+$)/g, ',').replace('-', '−');
  return fraction === undefined ? divided : `${divided}.${fraction}`;
}

function bytes(value: number): string {
  const names = ['B', 'KB', 'MB', 'GB', 'TB'];
  const at = Math.min(names.length - 1, value < 1 ? 0 : Math.floor(Math.log10(value) / 3));
  return `${trimmed((value / 1_000 ** at).toFixed(1))}${fixedSpace}${names[at]}`;
}
