import type { FieldType } from '../../src/catalogue/record.ts';
import type { Cell } from './order.ts';

/** A cell as an answer writes it. */
export function written(cell: Cell, type: FieldType): unknown {
  if (cell === null) return null;
  switch (type) {
    case 'timestamp':
      return new Date(Number(cell) * 1_000).toISOString().replace('.000Z', 'Z');
    case 'duration':
      return writtenDuration(Number(cell));
    case 'text[]':
    case 'json':
      return JSON.parse(String(cell));
    default:
      return cell;
  }
}

/** Hours, minutes and seconds, each where there are any. */
function writtenDuration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'H'],
    [Math.floor(seconds / 60) % 60, 'M'],
    [seconds % 60, 'S'],
  ] as const;
  const some = parts.filter(([number]) => number !== 0).map(([number, unit]) => `${number}${unit}`);
  return `PT${some.length > 0 ? some.join('') : '0S'}`;
}

/** As a part of the name of a series. */
export function named(cell: Cell, type: FieldType): string {
  const value = written(cell, type);
  if (value === null) return '(none)';
  if (Array.isArray(value) && value.length > 0 && value.every((item) => typeof item !== 'object')) {
    return value.join(', ');
  }
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
