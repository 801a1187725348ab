import type { FileLine } from './file-line.ts';

interface BatchLimits {
  readonly maxLines?: number;
  /** Roughly, in memory: a few lines of many megabytes make a batch too. */
  readonly maxBytes?: number;
}

/** Lines in groups worth sending together. Where the lines break off, those before the damage still come. */
export async function* batchesOf<L extends FileLine>(
  lines: AsyncIterable<L>,
  { maxLines = 5_000, maxBytes = 16 * 1024 * 1024 }: BatchLimits = {},
): AsyncGenerator<readonly L[]> {
  let batch: L[] = [];
  let bytes = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    for await (const line of lines) {
      batch.push(line);
      bytes += roughBytes('problem' in line ? line.raw : line.value);
      if (batch.length >= maxLines || bytes >= maxBytes) {
        yield batch;
        batch = [];
        bytes = 0;
      }
    }
  } catch (error) {
    failure = { error };
  }
  if (batch.length > 0) yield batch;
  if (failure) throw failure.error;
}

function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 16;
  if (Array.isArray(value)) for (const item of value) bytes += roughBytes(item);
  // Not by entries: a pair for each field of a large value takes fifty times as long.
  else for (const name in value) bytes += name.length + roughBytes(value[name as keyof typeof value]);
  return bytes;
}
