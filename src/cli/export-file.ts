import { chmod, rm } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { countLines } from '../control/streaming.ts';
import { type ExportFormat, exportFormats, rowFormats } from '../formats/answer-formats.ts';
import { parquetFiles } from '../formats/parquet/open.ts';
import { recordPieces } from '../formats/record-text.ts';
import type { ExportColumn } from '../ingest/export/export-columns.ts';
import { mustBeOneOf } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { syncToDisk, writePrivately, writeWhole } from './private-file.ts';

const extensions: ReadonlyMap<string, ExportFormat> = new Map(
  exportFormats.flatMap((format) => rowFormats[format].endings.map((ending) => [ending, format] as const)),
);

/** The format of a file: the one that was asked for, else the one of its name. */
export function formatOf(format: string | undefined, path: string | undefined): ExportFormat {
  const known = exportFormats.find((name) => name === format?.toLowerCase());
  if (known) return known;
  if (format !== undefined) {
    throw new Refusal('bad-input', `The format ${mustBeOneOf(exportFormats, format)}`);
  }
  if (path === undefined) return 'ndjson';
  const [extension = ''] = /\.[^.]*$/.exec(basename(path).replace(/\.gz$/i, '')) ?? [];
  const implied = extensions.get(extension.toLowerCase());
  if (implied) return implied;
  throw new Refusal(
    'bad-input',
    `${path} has no extension that tells its format: end it in ${[...extensions.keys()].join(', ')}, or add --format.`,
  );
}

/** The rows of a table on their way out: NDJSON, as it comes through the connection. */
interface Outgoing {
  readonly columns: readonly ExportColumn[];
  readonly rows: AsyncIterable<Uint8Array>;
  /** Called with how many rows have come so far. */
  readonly passed: (rows: number) => void;
}

/** Writes rows onto a stream that stays open. Returns how many. */
export async function writeRows(
  outgoing: Outgoing,
  format: Exclude<ExportFormat, 'parquet'>,
  out: Writable,
): Promise<number> {
  const counted = new CountedOutput(outgoing);
  await pipeline(Readable.from(recordPieces(format, outgoing.columns, counted.rows())), out, { end: false });
  return counted.count;
}

/** Writes rows into a file, all of them or none. Returns how many. */
export async function writeFile(outgoing: Outgoing, format: ExportFormat, file: string): Promise<number> {
  const path = resolve(file);
  const scratch = `${path}.rows.partial`;
  const counted = new CountedOutput(outgoing);
  try {
    await writeWhole(path, async (partial) => {
      if (format !== 'parquet') {
        const bytes = recordPieces(format, outgoing.columns, counted.rows());
        return writePrivately(partial, bytes, /\.gz$/i.test(path) ? createGzip() : undefined);
      }
      await writePrivately(scratch, counted.rows());
      await rm(partial, { force: true });
      const written = await parquetFiles.write(outgoing.columns, scratch, partial);
      if (written !== counted.count) throw new Error(`${written} of ${counted.count} rows were written to ${path}`);
      // The engine makes files with the mode that the process is started with.
      await chmod(partial, 0o600);
      await syncToDisk(partial);
    });
    return counted.count;
  } finally {
    await rm(scratch, { force: true });
  }
}

/** Counts rows as they pass. */
class CountedOutput {
  readonly #outgoing: Outgoing;
  count = 0;

  constructor(outgoing: Outgoing) {
    this.#outgoing = outgoing;
  }

  async *rows(): AsyncGenerator<Buffer> {
    for await (const piece of this.#outgoing.rows) {
      this.count += countLines(piece);
      this.#outgoing.passed(this.count);
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
    }
  }
}
