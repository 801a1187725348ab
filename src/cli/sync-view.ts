import { isOutcome, type SyncLine, type SyncOutcomeLine } from '../control/sync-lines.ts';
import type { SyncStreamLine } from '../jobs/sync-progress.ts';
import { cutToWidth } from './display-width.ts';
import { clockDuration, printable, type Screen } from './progress.ts';

const maxScopes = 12;

/** How far sources are, as some lines that are redrawn in place: one for each source, and one for each repository. */
export class SyncView {
  readonly #screen: Screen;
  readonly #sources = new Map<string, Map<string, Map<string, SyncStreamLine>>>();
  #drawn = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  update(line: SyncLine): void {
    if (isOutcome(line)) {
      this.#sources.delete(line.source);
      this.clear();
      for (const text of [outcomeText(line), ...rowsLines(line)]) this.#screen.write(`${printable(text)}\n`);
    } else {
      const scopes = this.#sources.get(line.source) ?? new Map<string, Map<string, SyncStreamLine>>();
      const streams = scopes.get(line.scope) ?? new Map<string, SyncStreamLine>();
      this.#sources.set(line.source, scopes.set(line.scope, streams.set(line.stream, line)));
    }
    this.#draw();
  }

  /** Takes the lines away. */
  clear(): void {
    if (this.#drawn > 0) this.#screen.write(`\x1b[${this.#drawn}A\r\x1b[J`);
    this.#drawn = 0;
  }

  #draw(): void {
    // The last column stays free: some terminals wrap as soon as it is written.
    const width = Math.max(1, (this.#screen.columns || 80) - 1);
    const lines = [...this.#sources].flatMap(([source, scopes]) => sourceLines(source, scopes));
    this.clear();
    if (lines.length > 0) this.#screen.write(`${lines.map((line) => cutToWidth(printable(line), width)).join('\n')}\n`);
    this.#drawn = lines.length;
  }
}

const outcomeText = ({ source, outcome, error, to_do }: SyncOutcomeLine): string =>
  `${source}: ${outcome}${error === null ? '' : `. ${error}. ${to_do ?? ''}`}`;

/** The rows that a sync has brought, a line for each table. */
function rowsLines({ rows }: SyncOutcomeLine): readonly string[] {
  if (!rows) return [];
  const tables = Object.entries(rows).filter(([, counts]) => counts.new + counts.changed > 0);
  if (tables.length === 0) return ['  nothing new'];
  const width = Math.max(...tables.map(([table]) => table.length));
  return tables.map(
    ([table, counts]) =>
      `  ${table.padEnd(width)}  ${counts.new.toLocaleString('en')} new, ${counts.changed.toLocaleString('en')} changed`,
  );
}

/** Repositories that are being read come first; of those that are done only their number is shown. */
export function sourceLines(
  source: string,
  scopes: ReadonlyMap<string, ReadonlyMap<string, SyncStreamLine>>,
): readonly string[] {
  const all = [...scopes.values()].flatMap((streams) => [...streams.values()]);
  const newest = all.at(-1);
  const limit =
    newest?.limit_left == null
      ? ''
      : `limit ${newest.limit_left.toLocaleString('en')} left${newest.limit_resets_at === null ? '' : `, resets ${newest.limit_resets_at.slice(11, 16)} UTC`}`;
  const active = [...scopes].filter(([, streams]) => [...streams.values()].some(isActive));
  const done = scopes.size - active.length;
  const shown = active.slice(0, maxScopes);
  const hidden = active.length - shown.length;
  return [
    joined([source, amountText(all), limit, done > 0 ? `${done} done` : '']),
    ...shown.map(([scope, streams]) => `  ${scopeLine(scope, [...streams.values()])}`),
    ...(hidden > 0 ? [`  and ${hidden} more`] : []),
  ];
}

function scopeLine(scope: string, streams: readonly SyncStreamLine[]): string {
  const active = streams.filter(isActive);
  const rate = sum(active.map(({ per_minute }) => per_minute ?? 0));
  const left = Math.max(0, ...active.map(({ seconds_left }) => seconds_left ?? 0));
  const failed = streams.filter(({ phase }) => phase === 'failed').length;
  const phases = active.map(({ stream, phase }) => `${stream}: ${phase}`).join(', ');
  return joined([
    scope === '' ? 'everything' : scope,
    amountText(streams),
    rate > 0 ? `${rate.toLocaleString('en')}/min` : '',
    left > 0 ? `${clockDuration(left)} left` : '',
    failed > 0 ? `${failed} failed` : '',
    phases,
  ]);
}

function amountText(streams: readonly SyncStreamLine[]): string {
  const done = sum(streams.map((stream) => stream.done));
  const estimates = streams.map(({ estimated, done: read, phase }) => estimated ?? (isOver(phase) ? read : undefined));
  if (estimates.includes(undefined)) return done.toLocaleString('en');
  return `${done.toLocaleString('en')}/${sum(estimates as number[]).toLocaleString('en')}`;
}

const isOver = (phase: string): boolean => phase === 'complete' || phase === 'failed';
const isActive = ({ phase }: SyncStreamLine): boolean => !isOver(phase);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
const joined = (parts: readonly string[]): string => parts.filter((part) => part !== '').join('  ');
