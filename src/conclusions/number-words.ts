import type { ChartMeasure } from '../charts/chart-description.ts';
import { duration, grouped, percentDigits, shown } from '../charts/shown-value.ts';

/** How far a number is from the one before, with its sign alone: `+14%`, `−3h 10m`, `+2.4 pts`. */
export function signedDifference(now: number, before: number, measure: ChartMeasure): string {
  const difference = now - before;
  const sign = difference > 0 ? '+' : '−';
  if (measure === 'duration') return `${sign}${duration(Math.abs(difference))}`;
  if (measure === 'percent') {
    const points = percentDigits(Math.abs(difference) * 100);
    return `${sign}${points} ${points === '1' ? 'pt' : 'pts'}`;
  }
  if (before === 0) return `${sign}${shown(Math.abs(difference), measure)} from none`;
  const percent = percentDigits(Math.abs(difference / before) * 100);
  return `${sign}${percent}%`;
}

/** The same with words: `+14% more`, `−3h 10m shorter`, `+2.4 pts`. */
export function differenceText(now: number, before: number, measure: ChartMeasure): string {
  const difference = signedDifference(now, before, measure);
  if (measure === 'percent' || (before === 0 && measure !== 'duration')) return difference;
  const [more, less] =
    measure === 'duration' ? ['longer', 'shorter'] : measure === 'count' ? ['more', 'fewer'] : ['higher', 'lower'];
  return `${difference} ${now > before ? more : less}`;
}

/** A count with its noun: `1 run`, `12 runs`. */
export const counted = (n: number, one: string, many: string): string => `${grouped(n)} ${n === 1 ? one : many}`;

export const capitalised = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
