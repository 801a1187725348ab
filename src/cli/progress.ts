import { displayWidth } from './display-width.ts';

/** The screen of a progress view: standard error, as a rule. */
export interface Screen {
  readonly isTTY?: boolean;
  /** The width of the screen, asked again at every drawing: windows are resized. */
  readonly columns?: number;
  write(text: string): unknown;
}

interface ProgressState {
  readonly rows: number;
  readonly bytesRead: number;
  /** Without a total there is neither a bar nor a time left. */
  readonly bytesTotal?: number | undefined;
}

export interface ProgressOptions {
  readonly screen?: Screen;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
  /** The current work, such as the name of a file. */
  readonly label?: string;
  /** Off, nothing is ever drawn: where the output is for machines. */
  readonly enabled?: boolean;
}

const redrawMilliseconds = 100;
const barWidth = 20;
const eraseLine = '\r\x1b[K';

/** One line, redrawn in place, on a terminal; no output anywhere else. */
export class Progress {
  readonly #screen: Screen;
  readonly #now: () => number;
  readonly #label: string;
  readonly #isShown: boolean;
  readonly #startedAt: number;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #isDrawn = false;

  constructor({
    screen = process.stderr,
    now = () => performance.now(),
    label = '',
    enabled = true,
  }: ProgressOptions = {}) {
    this.#screen = screen;
    this.#now = now;
    this.#label = printable(label);
    this.#isShown = enabled && screen.isTTY === true;
    this.#startedAt = now();
  }

  /** Draws, unless it has done so within the last tenth of a second. */
  update(state: ProgressState): void {
    if (!this.#isShown) return;
    const now = this.#now();
    if (now - this.#drawnAt < redrawMilliseconds) return;
    this.#drawnAt = now;
    this.#isDrawn = true;
    // The last column stays free: some terminals wrap as soon as it is written.
    const width = Math.max(1, (this.#screen.columns || 80) - 1);
    const line = progressLine(this.#label, state, (now - this.#startedAt) / 1_000, width);
    this.#screen.write(`${eraseLine}${line}`);
  }

  /** Takes the line away, so that something else can be written; the next update brings it back. */
  clear(): void {
    if (!this.#isDrawn) return;
    this.#isDrawn = false;
    this.#drawnAt = Number.NEGATIVE_INFINITY;
    this.#screen.write(eraseLine);
  }

  /** Takes the line away for good and says in one line how it went: the rows, the time and the rate. */
  finish({ rows }: Pick<ProgressState, 'rows'>): void {
    if (!this.#isShown) return;
    this.clear();
    const seconds = (this.#now() - this.#startedAt) / 1_000;
    const parts = [rowsText(rows), `in ${clockDuration(seconds)}`, rateText(rows, seconds)];
    const summary = parts.filter((part) => part !== '').join('  ');
    this.#screen.write(`${this.#label === '' ? '' : `${this.#label}  `}${summary}\n`);
  }
}

/** The parts that fit, the most telling first; each says something by itself. */
export function progressLine(label: string, state: ProgressState, elapsedSeconds: number, width: number): string {
  const share = shareOf(state);
  const parts: readonly ProgressPart[] = [
    { place: 3, text: rowsText(state.rows) },
    { place: 2, text: share === undefined ? '' : `${Math.floor(share * 100)} %` },
    { place: 5, text: timeLeftText(share, elapsedSeconds) },
    { place: 4, text: rateText(state.rows, elapsedSeconds) },
    { place: 1, text: share === undefined ? '' : barText(share) },
    { place: 0, text: label },
  ];
  const fitting: ProgressPart[] = [];
  let used = -2;
  for (const part of parts) {
    const needed = displayWidth(part.text) + 2;
    if (part.text === '' || used + needed > width) continue;
    fitting.push(part);
    used += needed;
  }
  return fitting
    .sort((a, b) => a.place - b.place)
    .map(({ text }) => text)
    .join('  ');
}

interface ProgressPart {
  /** From left to right. */
  readonly place: number;
  readonly text: string;
}

function shareOf({ bytesRead, bytesTotal }: ProgressState): number | undefined {
  if (bytesTotal === undefined || bytesTotal <= 0) return undefined;
  return Math.min(1, Math.max(0, bytesRead / bytesTotal));
}

const rowsText = (rows: number): string => `${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;

const rateText = (rows: number, seconds: number): string =>
  seconds > 0 ? `${Math.round(rows / seconds).toLocaleString('en')} rows/s` : '';

/** A guess from what the first part took, so not before there is one. */
function timeLeftText(share: number | undefined, elapsedSeconds: number): string {
  if (share === undefined || share < 0.01 || elapsedSeconds < 1) return '';
  return `${clockDuration((elapsedSeconds * (1 - share)) / share)} left`;
}

function barText(share: number): string {
  const filled = Math.floor(share * barWidth);
  return `[${'#'.repeat(filled)}${'-'.repeat(barWidth - filled)}]`;
}

/** `1:02:03`, `4:05`, as a stopwatch shows it. */
export function clockDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const padded = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3_600);
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(whole % 60)}` : `${minutes}:${padded(whole % 60)}`;
}

/** A name as it can be shown: one that holds control characters must not command the terminal. */
export const printable = (label: string): string => label.replace(/\p{C}/gu, '?');
