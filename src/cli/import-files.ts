import type { DirectoryTable } from '../catalogue/directory-records.ts';
import type { Operations } from '../control/operations.ts';
import type { Line } from '../directory/records.ts';
import { batchesOf } from '../ingest/record-file/batches.ts';
import type { FileLine } from '../ingest/record-file/file-line.ts';
import { openRecordFile, type RecordFile } from '../ingest/record-file/open-record-file.ts';
import { RejectsFile, rejectsPath } from '../ingest/record-file/rejects-file.ts';
import { Refusal } from '../refusal.ts';
import type { Context } from './command.ts';
import { Progress } from './progress.ts';
import { say } from './terminal.ts';

const shownMost = 10;

export interface Target {
  readonly org: string;
  readonly table: DirectoryTable;
  readonly strict?: boolean;
  readonly json?: boolean;
}

export interface Tally {
  accepted: number;
  rejected: number;
}

/** Reads files here, with the rights and in the folder of whoever typed the command, and sends their records on. */
export async function importFiles(
  context: Context,
  operations: Operations,
  target: Target,
  paths: readonly string[],
): Promise<Tally> {
  const tally: Tally = { accepted: 0, rejected: 0 };
  const files = paths.map((path) => ({ path, file: openRecordFile(path, { stdin: context.terminal.stdin }) }));
  if (target.strict) await importStrictly(context, operations, target, files, tally);
  else for (const { path, file } of files) await importFile(context, operations, target, path, file, tally);
  return tally;
}

/** Batch by batch: what is good is kept, what is bad goes into a file beside it, with its line and the reason. */
async function importFile(
  context: Context,
  operations: Operations,
  target: Target,
  path: string,
  file: RecordFile,
  tally: Tally,
): Promise<void> {
  const rejects = new RejectsFile(rejectsPath(path));
  const progress = new Progress({ screen: context.terminal.stderr, label: path, enabled: target.json !== true });
  const before = tally.rejected;
  let rows = 0;
  try {
    for await (const batch of batchesOf(file.lines())) {
      const outcome = await operations.putRecords({
        org: target.org,
        table: target.table,
        lines: batch.flatMap(good),
        form: file.form,
        strict: false,
      });
      const reasons = new Map(outcome.rejected.map(({ line, detail }) => [line, detail]));
      for (const line of batch) {
        const detail = 'problem' in line ? line.problem : reasons.get(line.line);
        if (detail === undefined) continue;
        tally.rejected += 1;
        await rejects.add({ line: line.line, detail, record: 'problem' in line ? line.raw : line.value });
        if (tally.rejected - before > shownMost) continue;
        progress.clear();
        say(context.terminal, `${path}:${line.line}: ${detail}`);
      }
      tally.accepted += outcome.accepted;
      rows += batch.length;
      progress.update({ rows, bytesRead: file.bytesRead(), bytesTotal: file.bytesTotal });
    }
  } finally {
    progress.finish({ rows });
    const written = await rejects.close();
    if (written !== undefined) say(context.terminal, `${tally.rejected - before} rejected: see ${written}`);
  }
}

/** Everything in one transaction, so everything is read before the first record is sent. */
async function importStrictly(
  context: Context,
  operations: Operations,
  target: Target,
  files: readonly { readonly path: string; readonly file: RecordFile }[],
  tally: Tally,
): Promise<void> {
  const forms = new Set(files.map(({ file }) => file.form));
  const [form] = forms;
  if (form === undefined || forms.size > 1) {
    throw new Refusal('bad-input', 'A strict import takes files of one kind: CSV files, or any others.');
  }
  const sources: { readonly path: string; readonly line: FileLine }[] = [];
  for (const { path, file } of files) for await (const line of file.lines()) sources.push({ path, line });
  const bad = sources.flatMap(({ path, line }) => ('problem' in line ? [`${path}:${line.line}: ${line.problem}`] : []));
  if (bad.length === 0) {
    const lines = sources.flatMap(({ line }, at) => ('value' in line ? [{ line: at, value: line.value }] : []));
    const outcome = await operations.putRecords({ org: target.org, table: target.table, lines, form, strict: true });
    tally.accepted = outcome.accepted;
    for (const { line: at, detail } of outcome.rejected) {
      bad.push(`${sources[at]?.path}:${sources[at]?.line.line}: ${detail}`);
    }
  }
  tally.rejected = bad.length;
  for (const line of bad.slice(0, shownMost)) say(context.terminal, line);
  if (bad.length > 0) say(context.terminal, `${bad.length} bad records, so nothing was imported.`);
}

const good = (line: FileLine): Line[] => ('value' in line ? [{ line: line.line, value: line.value }] : []);
