import { secondsPerDay } from '../../calendar.ts';
import type { FieldType, Json } from '../../catalogue/record.ts';
import { compareTexts } from '../../text-comparison.ts';
import type { Cell } from '../plan.ts';

/** How the cells of one column are shown. Made once for a column, since what follows from its type is the same for all. */
type CellReader = (cell: Cell) => Json;
/** The cell as JSON text: exactly what `JSON.stringify` makes of it. */
type CellWriter = (cell: Cell) => string;

export function cellReader(type: FieldType): CellReader {
  switch (type) {
    case 'timestamp':
      return timesInText((text) => text);
    case 'duration':
      return (cell) => (cell === null ? null : isoDuration(Number(cell)));
    case 'text[]':
    case 'json':
      return (cell) => (cell === null ? null : JSON.parse(String(cell)));
    default:
      return (cell) => cell;
  }
}

export function cellWriter(type: FieldType): CellWriter {
  switch (type) {
    case 'timestamp': {
      const quoted = timesInText((text) => `"${text}"`);
      return (cell) => quoted(cell) ?? 'null';
    }
    case 'duration':
      return (cell) => (cell === null ? 'null' : `"${isoDuration(Number(cell))}"`);
    case 'text[]':
    case 'json': {
      const plain = remembered(plainJson);
      return (cell) => (cell === null ? 'null' : plain(String(cell)));
    }
    default:
      return scalarText;
  }
}

function scalarText(cell: Cell): string {
  if (typeof cell === 'string') return JSON.stringify(cell);
  // JSON has no word for what is not finite.
  return typeof cell === 'number' && !Number.isFinite(cell) ? 'null' : String(cell);
}

/** JSON as JavaScript writes it, whatever spaces and spellings of numbers are stored. */
const plainJson = (text: string): string => JSON.stringify(JSON.parse(text));

const maxRemembered = 1_000;
const rememberedLongest = 500;

/** Lists of teams and the like come again and again; what is long does not, and would fill the memory. */
function remembered(work: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    if (text.length > rememberedLongest) return work(text);
    const found = known.get(text);
    if (found !== undefined) return found;
    const made = work(text);
    if (known.size >= maxRemembered) known.clear();
    known.set(text, made);
    return made;
  };
}

const maxDays = 10_000;
const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** Of hundreds of thousands of instants only a few thousand days are different ones; making a day is what takes long. */
function timesInText(framed: (text: string) => string): (cell: Cell) => string | null {
  const days = new Map<number, string>();
  return (cell) => {
    if (cell === null) return null;
    const seconds = Math.floor(Number(cell));
    const day = Math.floor(seconds / secondsPerDay);
    let begins = days.get(day);
    if (begins === undefined) {
      begins = new Date(day * secondsPerDay * 1_000).toISOString().slice(0, -13);
      if (days.size >= maxDays) days.clear();
      days.set(day, begins);
    }
    const rest = seconds - day * secondsPerDay;
    const [hour, minute] = [Math.floor(rest / 3_600), Math.floor(rest / 60) % 60];
    return framed(`${begins}${twoDigits[hour]}:${twoDigits[minute]}:${twoDigits[rest % 60]}Z`);
  };
}

/** `PT26H4M5S`: days are not used, since not every day has 24 hours. Parts that are zero are left out. */
export function isoDuration(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  // Sources may give fractions. Anything finer than a thousandth is an artefact of how numbers are kept.
  const thousandths = Math.round(Math.abs(seconds) * 1_000);
  const [hours, minutes] = [Math.floor(thousandths / 3_600_000), Math.floor(thousandths / 60_000) % 60];
  const rest = (thousandths % 60_000) / 1_000;
  const parts = `${hours > 0 ? `${hours}H` : ''}${minutes > 0 ? `${minutes}M` : ''}${rest > 0 ? `${rest}S` : ''}`;
  return parts === '' ? 'PT0S' : `${sign}PT${parts}`;
}

/** Two cells of one column, the smaller first. Nothing comes last, in either direction. */
export function compareCells(a: Cell, b: Cell, direction: 'asc' | 'desc' = 'asc'): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  const ascending = typeof a === 'string' && typeof b === 'string' ? compareTexts(a, b) : a === b ? 0 : a < b ? -1 : 1;
  return direction === 'asc' ? ascending : -ascending;
}

/** Several cells in turn, ascending: the first that differs decides. */
export function compareCellLists(a: readonly Cell[], b: readonly Cell[]): number {
  for (const [i, cell] of a.entries()) {
    const order = compareCells(cell, b[i] ?? null);
    if (order !== 0) return order;
  }
  return 0;
}
