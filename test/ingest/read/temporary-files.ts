import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll } from 'vitest';
import { type FileLine, openRecordFile, type RecordFile } from '../../../src/ingest/read/open-record-file.ts';

/** A folder of this test file's own, gone when its tests are. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-record-file-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes files into the folder and opens them. */
export function filesIn(folder: string) {
  const written = (name: string, content: string | Uint8Array): string => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  return {
    written,
    read: (name: string, content: string | Uint8Array) => linesOf(openRecordFile(written(name, content))),
  };
}

export async function linesOf(file: RecordFile): Promise<FileLine[]> {
  const lines: FileLine[] = [];
  for await (const line of file.lines()) lines.push(line);
  return lines;
}

/** What came before the file could not be read on, and why it could not. */
export async function linesUntilRefusal(
  file: RecordFile,
): Promise<{ readonly lines: readonly FileLine[]; readonly refusal: unknown }> {
  const lines: FileLine[] = [];
  try {
    for await (const line of file.lines()) lines.push(line);
  } catch (refusal) {
    return { lines, refusal };
  }
  throw new Error(`nothing was refused, and ${lines.length} lines were read`);
}

export const fromStdin = (chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): RecordFile =>
  openRecordFile('-', { stdin: Readable.from(chunks) });

/** The same bytes in other pieces: one by one, or cut at the given places. */
export function* pieces(bytes: Uint8Array, cuts?: readonly number[]): Generator<Uint8Array> {
  const places = cuts ? [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b) : undefined;
  let from = 0;
  for (const to of [...(places ?? Array.from({ length: bytes.length }, (_, at) => at + 1)), bytes.length]) {
    if (to > from) yield Buffer.from(bytes.subarray(from, to));
    from = to;
  }
}
