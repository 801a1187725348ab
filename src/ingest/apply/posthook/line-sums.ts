import { postedCommitFiles, postedLineRanges } from '../../../catalogue/derivation-state/posthook-state.ts';
import type { Row } from '../../../catalogue/table.ts';
import type { Batch } from '../batch.ts';

/** A file of a session. */
export interface SessionFile {
  readonly session_id: string;
  readonly file_path: string;
  /** Whether a range that was put down to it is another file's now. */
  readonly hasLost?: boolean;
}

interface Sum {
  lines: number;
  count: number;
}

/** Adds up by key, and remembers what the keys were made of. */
class Sums {
  readonly #sums = new Map<string, Sum>();

  add(key: string, lines: number | null): void {
    const sum = this.#sums.get(key) ?? { lines: 0, count: 0 };
    sum.lines += lines ?? 0;
    sum.count += 1;
    this.#sums.set(key, sum);
  }

  of(key: string): Sum | undefined {
    return this.#sums.get(key);
  }
}

export const fileKey = ({ session_id, file_path }: SessionFile): string => JSON.stringify([session_id, file_path]);

/**
 * Recomputes how many lines sessions and their files wrote and committed, from everything that was reported of them.
 * What nothing was reported of stays as it is.
 */
export async function sumLines(
  { session, tables }: Batch,
  sessions: ReadonlySet<string>,
  files: ReadonlyMap<string, SessionFile>,
): Promise<void> {
  const ids = new Set([...sessions, ...[...files.values()].map(({ session_id }) => session_id)]);
  if (ids.size === 0) return;
  const where = { column: 'session_id', in: [...ids] };
  const written = new Sums();
  for (const row of await session.select(postedLineRanges, ['session_id', 'file_path', 'lines'], where)) {
    written.add(row.session_id ?? '', row.lines);
    written.add(fileKey(row as SessionFile), row.lines);
  }
  const committedFiles = new Sums();
  for (const row of await session.select(postedCommitFiles, ['session_id', 'file_path', 'committed_lines'], where)) {
    committedFiles.add(fileKey(row as SessionFile), row.committed_lines);
  }
  const committed = new Sums();
  const commits = tables.posthook_session_commits;
  await commits.load(session, where);
  for (const { after } of commits.entries.values()) {
    if (after?.session_id != null) committed.add(after.session_id, after.committed_lines);
  }

  await tables.posthook_session_files.loadWhole(session, [...files.values()] as unknown as Row[]);
  for (const [key, file] of files) {
    const [lines, kept] = [written.of(key), committedFiles.of(key)];
    if (!lines && !kept) {
      // Its ranges turned out to be another file's.
      const entry = tables.posthook_session_files.entries.get(
        tables.posthook_session_files.keyOf(file as unknown as Row),
      );
      if (entry) tables.posthook_session_files.remove(entry);
      continue;
    }
    const row = tables.posthook_session_files.make({ session_id: file.session_id, file_path: file.file_path });
    if (!lines && file.hasLost) Object.assign(row, { generated_lines: null, edits: null });
    if (lines) Object.assign(row, { generated_lines: lines.lines, edits: lines.count });
    if (kept) row.committed_lines = kept.lines;
  }

  const known = tables.posthook_sessions;
  await known.loadWhole(
    session,
    [...ids].map((session_id) => ({ session_id })),
  );
  for (const id of ids) {
    const row = known.entries.get(id)?.after;
    if (!row) continue;
    row.generated_lines = written.of(id)?.lines ?? row.generated_lines;
    row.committed_lines = committed.of(id)?.lines ?? row.committed_lines;
  }
}
