import { mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openRecordBytes, openRecordFile, type RecordFile } from '../../ingest/read/open-record-file.ts';
import { checkLines, type FileLine } from '../../ingest/read/text-lines.ts';
import { Refusal } from '../../refusal.ts';
import type { BufferedBody } from './buffered-body.ts';
import { type BodyKinds, plainBytes, type RequestBody } from './request-body.ts';

/** The files that a page sends: named by their type, since a name proves nothing. */
export const uploadedBodies: BodyKinds = {
  types: {
    'text/csv': 'csv',
    'application/x-ndjson': 'ndjson',
    'application/json': 'json',
    'application/vnd.apache.parquet': 'parquet',
  },
  wanted: 'a CSV, NDJSON, JSON or Parquet file. A CSV, NDJSON or JSON file may be packed with gzip',
};

const folderPrefix = 'plumb-upload-';
const leftAfterMs = 3_600_000;

interface UploadOptions {
  /** Where a Parquet file lies while it is read. */
  readonly folder: string;
  readonly name: string;
  readonly maxRecords: number;
}

/** Reads a file that has arrived whole. Nothing of it is left afterwards, whatever happens. */
export async function readUploaded<T>(
  body: RequestBody,
  arrived: BufferedBody,
  { folder, name, maxRecords }: UploadOptions,
  read: (file: RecordFile) => Promise<T>,
): Promise<T> {
  // A file that broke off on its way would be imported in part.
  arrived.requireWhole();
  if (body.format !== 'parquet') {
    return read(
      bounded(
        openRecordBytes(name, body.format, () => plainBytes(body, arrived)),
        maxRecords,
      ),
    );
  }
  if (body.isGzip) {
    throw new Refusal('bad-input', `${name} is Parquet inside gzip. Unpack it: Parquet is compressed by itself.`);
  }
  // Only the engine for files of users opens it, by its path.
  const own = await mkdtemp(join(folder, folderPrefix));
  try {
    const path = join(own, 'file.parquet');
    const file = await open(path, 'wx', 0o600);
    try {
      for await (const chunk of arrived.chunks()) await file.writeFile(chunk);
    } finally {
      await file.close();
    }
    return await read(bounded(openRecordFile(path, { name }), maxRecords));
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

/** A process that was killed may have left a file: it goes with the next start. */
export async function removeLeftUploads(folder: string, now: () => Date): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.startsWith(folderPrefix))) {
    const path = join(folder, name);
    const changed = await stat(path).catch(() => undefined);
    // Another server may be reading one that is younger.
    if (changed && now().getTime() - changed.mtimeMs > leftAfterMs) await rm(path, { recursive: true, force: true });
  }
}

/** Packed columns can hold any amount of rows and of text. */
const maxValueBytes = 512 * 1024 * 1024;

function bounded(file: RecordFile, maxLines: number): RecordFile {
  return {
    ...file,
    async *lines(): AsyncGenerator<FileLine> {
      let [rows, bytes] = [0, 0];
      for await (const line of file.lines()) {
        rows += 1;
        checkLines(rows, { maxLines });
        bytes += 'value' in line ? roughLength(line.value) : (line.length ?? line.raw.length);
        if (bytes > maxValueBytes) {
          throw new Refusal('too-large', 'The file is too large once it is unpacked. Import it in several files.');
        }
        yield line;
      }
    },
  };
}

function roughLength(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  return Object.values(value).reduce<number>((sum, one) => sum + roughLength(one), 0);
}
