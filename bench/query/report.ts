import type { Timing } from './measuring.ts';

/** What one question took, asked in each way. */
export interface ReportLine {
  readonly name: string;
  readonly plumb: Timing;
  readonly engine: Timing;
  readonly postgres: Timing | undefined;
}

const [maxRatio, maxMoreMs] = [1.25, 2];

export function printQuestions(lines: readonly ReportLine[]): void {
  const rows = lines.map(({ name, plumb, engine, postgres }) => [
    name,
    ms(plumb.ms),
    ms(engine.ms),
    (plumb.ms / engine.ms).toFixed(2),
    `${plumb.ms < engine.ms ? '' : '+'}${(plumb.ms - engine.ms).toFixed(1)}`,
    verdict(plumb.ms / engine.ms <= maxRatio || plumb.ms - engine.ms <= maxMoreMs),
    postgres ? ms(postgres.ms) : '–',
    postgres ? (postgres.ms / plumb.ms).toFixed(2) : '–',
  ]);
  printTable(
    [
      'question',
      'Plumb (ms)',
      'by hand (ms)',
      'ratio',
      'more (ms)',
      `≤ ${maxRatio} × or +${maxMoreMs} ms`,
      'PostgreSQL (ms)',
      'against Plumb',
    ],
    rows,
  );
}

export function printTable(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ');
  console.log(line(header));
  console.log(widths.map((width) => '-'.repeat(width)).join('  '));
  for (const row of rows) console.log(line(row));
  console.log('');
}

/** One number beside its goal. */
export function printGoal(what: string, value: string, goal: string, isReached: boolean | undefined): void {
  console.log(`${what}: ${value} (goal: ${goal}; ${isReached === undefined ? 'not measured' : verdict(isReached)})`);
}

export const verdict = (isReached: boolean): string => (isReached ? 'reached' : 'MISSED');
export const ms = (value: number): string => (value < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en'));
export const megabytes = (bytes: number | undefined): string =>
  bytes === undefined ? 'not known' : `${Math.round(bytes / 1e6).toLocaleString('en')} MB`;
export const whole = (value: number): string => Math.round(value).toLocaleString('en');
