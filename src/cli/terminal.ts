import type { Readable, Writable } from 'node:stream';
import { alignedLines } from './display-width.ts';

/** Where a command reads from and writes to: results on standard output, talk and progress on standard error. */
export interface Terminal {
  readonly stdin: Readable & Pick<ScreenSize, 'isTTY'>;
  readonly stdout: Writable & ScreenSize;
  readonly stderr: Writable & ScreenSize;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Only where a person looks at the stream. */
interface ScreenSize {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** How wide the screen is that results go to; undefined for a file or a pipe, in which nothing is drawn. */
export const screenWidth = ({ stdout }: Terminal): number | undefined =>
  stdout.isTTY === true ? stdout.columns || 80 : undefined;

/** The result of a command, the same for people and for programs. */
export interface Report {
  readonly json: unknown;
  readonly text: string;
}

/** `--json` prints exactly one JSON document on standard output, and nothing else goes there. */
export function print(terminal: Terminal, asJson: boolean, { json, text }: Report): void {
  terminal.stdout.write(asJson ? `${JSON.stringify(json)}\n` : text === '' ? '' : `${text}\n`);
}

export function say(terminal: Terminal, line: string): void {
  terminal.stderr.write(`${line}\n`);
}

/** A reader that has seen enough, such as `head`, closes the pipe. That is no failure. */
export function unlessUnread(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'EPIPE') throw error;
  return undefined;
}

/** Rows under a heading, columns as wide as their widest cell. */
export const columns = (heading: readonly string[], rows: readonly (readonly string[])[]): string =>
  alignedLines([heading, ...rows]).join('\n');
