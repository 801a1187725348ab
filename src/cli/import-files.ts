import { randomUUID } from 'node:crypto';
import { type RecordForm, readRecord } from '../catalogue/read-record.ts';
import { isDirectoryTable, type RecordTable, recordShapeFor } from '../catalogue/record-tables.ts';
import type { RecordLine, RecordsOutcome } from '../directory/records.ts';
import { batchesOf } from '../ingest/read/batches.ts';
import { type ForeignLine, type ForeignOptions, ForeignReader } from '../ingest/read/foreign/foreign-lines.ts';
import { openRecordFile, type RecordFile } from '../ingest/read/open-record-file.ts';
import { RejectsFile, rejectsPath } from '../ingest/read/rejects-file.ts';
import { Refusal } from '../refusal.ts';
import type { Context } from './command.ts';
import { Progress } from './progress.ts';
import { SeenRecords } from './seen-records.ts';
import type { CommandConnection } from './server-connection.ts';
import { say } from './terminal.ts';

const maxShown = 10;

/** What happened is taken in larger batches than people: each batch attributes all repositories that it touches. */
const maxFactLines = 50_000;

type Way = Pick<CommandConnection, 'operations'>;

interface Target extends ForeignOptions {
  readonly org: string;
  readonly table: RecordTable;
  readonly strict?: boolean;
  /** Only says what would happen. */
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Tally {
  accepted: number;
  rejected: number;
  /** The people that records of people were taken of, and whether each of them is onboarded. */
  readonly people: Map<string, boolean>;
}

/** Reads files in this process, with the rights and in the folder of the operator, and sends their records on. */
export async function importFiles(
  context: Context,
  connection: Way,
  target: Target,
  paths: readonly string[],
): Promise<Tally> {
  const tally: Tally = { accepted: 0, rejected: 0, people: new Map() };
  const seen = new SeenRecords(target.table);
  const files: SourceFile[] = [];
  // All headers before any row: a file that cannot be understood refuses the import.
  for (const path of paths) {
    const file = openRecordFile(path, { stdin: context.terminal.stdin });
    const reader = new ForeignReader(target.table, target, await file.header?.());
    const columns = reader.check(path);
    if (target.dryRun) sayColumns(context, path, columns);
    for (const sentence of reader.notesOf(path)) say(context.terminal, sentence);
    files.push({ path, file: { ...file, lines: () => reader.lines(file, (what) => seen.leaveOut(what)) } });
  }
  if (target.dryRun) await checkFiles(context, target, files, tally, seen);
  else if (target.strict) await importStrictly(context, connection, target, files, tally, seen);
  else {
    for (const source of files) await importFile(context, connection, target, source, tally, seen);
    await connection.operations.endImport({ org: target.org, table: target.table });
  }
  await sayUnusual(context, connection, target, seen, tally);
  return tally;
}

/** In sentences, what is worth a look. A dry run asks in any case, and so finds out whether the organisation exists. */
async function sayUnusual(
  { terminal }: Context,
  { operations }: Way,
  { org, dryRun }: Target,
  seen: SeenRecords,
  { accepted }: Tally,
): Promise<void> {
  for (const sentence of seen.leftOutSentences) say(terminal, sentence);
  if (!dryRun && accepted === 0) return;
  const findings = dryRun || seen.namesAnything ? await operations.checkImport({ org, ...seen.input }) : nothingFound;
  if (accepted > 0) for (const sentence of seen.sentences(findings)) say(terminal, sentence);
}

const nothingFound = { unknownAccounts: [], notOnboarded: [], disputedBots: [], unknownRepositories: [] };

function sayColumns({ terminal }: Context, path: string, columns: readonly (readonly [string, string])[]): void {
  for (const [theirs, ours] of columns) {
    say(terminal, `${path}: ${theirs} ${ours === '' ? 'is left out' : `is ${ours}`}`);
  }
}

/** Reads everything as an import would, and keeps nothing of it. */
async function checkFiles(
  context: Context,
  { table }: Target,
  files: readonly SourceFile[],
  tally: Tally,
  seen: SeenRecords,
): Promise<void> {
  const shape = recordShapeFor(table);
  for (const { path, file } of files) {
    for await (const line of file.lines()) {
      const reading = 'problem' in line ? line : readRecord(shape, line.value, file.form);
      if ('record' in reading) {
        tally.accepted += 1;
        seen.add(line);
      } else {
        tally.rejected += 1;
        if (tally.rejected <= maxShown) say(context.terminal, `${path}:${line.line}: ${reading.problem}`);
      }
    }
  }
}

/** Batch by batch: what is good is kept, what is bad goes into a file beside it, with its line and the reason. */
async function importFile(
  context: Context,
  { operations }: Way,
  target: Target,
  { path, file }: SourceFile,
  tally: Tally,
  seen: SeenRecords,
): Promise<void> {
  const rejects = new RejectsFile(rejectsPath(path));
  const progress = new Progress({ screen: context.terminal.stderr, label: path, enabled: target.json !== true });
  const importId = randomUUID();
  const before = tally.rejected;
  let rows = 0;
  try {
    progress.update({ rows, bytesRead: 0, bytesTotal: file.bytesTotal });
    const limits = isDirectoryTable(target.table) ? {} : { maxLines: maxFactLines };
    for await (const batch of batchesOf(file.lines(), limits)) {
      const { org, table } = target;
      const outcome = await operations.putRecords(
        { org, table, form: file.form, strict: false, importId, isPart: true },
        // By its place in the batch: the records of a page all stand on one line.
        batch.flatMap((line, place) => ('value' in line ? [{ line: place, value: line.value }] : [])),
      );
      const reasons = new Map(outcome.rejected.map(({ line, detail }) => [line, detail]));
      for (const [place, line] of batch.entries()) {
        const detail = 'problem' in line ? line.problem : reasons.get(place);
        if (detail === undefined) {
          seen.add(line);
          continue;
        }
        tally.rejected += 1;
        await rejects.add({
          line: line.line,
          detail,
          record: 'problem' in line ? (line.given ?? line.raw) : line.value,
        });
        if (tally.rejected - before > maxShown) continue;
        progress.clear();
        say(context.terminal, `${path}:${line.line}: ${detail}`);
      }
      tally.accepted += outcome.accepted;
      addPeople(tally, outcome);
      seen.addUnmatched(outcome.unmatched);
      rows += batch.length;
      progress.update({ rows, bytesRead: file.bytesRead(), bytesTotal: file.bytesTotal });
    }
  } finally {
    progress.finish({ rows });
    const written = await rejects.close();
    if (written !== undefined) say(context.terminal, `${tally.rejected - before} rejected: see ${written}`);
  }
}

function addPeople(tally: Tally, { people = {} }: RecordsOutcome): void {
  for (const [id, isOnboarded] of Object.entries(people)) tally.people.set(id, isOnboarded);
}

interface SourceFile {
  readonly path: string;
  readonly file: Omit<RecordFile, 'lines'> & { lines(): AsyncIterable<ForeignLine> };
}

/** Everything as one change: one bad record in any of the files, and none is kept. */
async function importStrictly(
  context: Context,
  connection: Way,
  target: Target,
  files: readonly SourceFile[],
  tally: Tally,
  seen: SeenRecords,
): Promise<void> {
  const forms = new Set(files.map(({ file }) => file.form));
  const [form] = forms;
  if (form === undefined || forms.size > 1) {
    throw new Refusal('bad-input', 'A strict import takes files of one kind: CSV files, or any others.');
  }
  const progress = new Progress({ screen: context.terminal.stderr, enabled: !target.json });
  const reading = new StrictReading(files, progress, seen);
  const outcome = await putStrictly(connection, target, form, reading);
  reading.progress.finish({ rows: reading.rows });
  const bad = [
    ...reading.bad,
    ...(outcome?.rejected ?? []).map(({ line, detail }) => `${reading.place(line)}: ${detail}`),
  ];
  tally.accepted = bad.length > 0 ? 0 : (outcome?.accepted ?? 0);
  tally.rejected = bad.length;
  if (outcome) addPeople(tally, outcome);
  seen.addUnmatched(outcome?.unmatched);
  for (const line of bad.slice(0, maxShown)) say(context.terminal, line);
  if (bad.length > 0) say(context.terminal, `${bad.length} bad records, so nothing was imported.`);
}

/** Nothing comes back where lines are bad by themselves. */
async function putStrictly(
  { operations }: Way,
  { org, table }: Target,
  form: RecordForm,
  reading: StrictReading,
): Promise<RecordsOutcome | undefined> {
  try {
    return isDirectoryTable(table)
      ? await operations.putRecords({ org, table, form, strict: true }, reading.lines())
      : await operations.putStrictly({ org, table, form }, reading.lines());
  } catch (error) {
    if (error instanceof BadLines) return undefined;
    throw error;
  }
}

class BadLines extends Error {}

/** More lines than a file can have, so that one number says both which file and which line. */
const linesOfOne = 10_000_000_000;

/** The lines of several files as one stream, which breaks off at its end when some of them were no lines of data. */
class StrictReading {
  readonly bad: string[] = [];
  readonly progress: Progress;
  readonly #files: readonly SourceFile[];
  readonly #seen: SeenRecords;
  rows = 0;

  constructor(files: readonly SourceFile[], progress: Progress, seen: SeenRecords) {
    this.#files = files;
    this.#seen = seen;
    this.progress = progress;
  }

  async *lines(): AsyncGenerator<RecordLine> {
    for (const [i, { path, file }] of this.#files.entries()) {
      for await (const line of file.lines()) {
        this.rows += 1;
        if ('problem' in line) this.bad.push(`${path}:${line.line}: ${line.problem}`);
        else {
          this.#seen.add(line);
          yield { line: i * linesOfOne + line.line, value: line.value };
        }
        if (this.rows % 1_000 === 0) {
          this.progress.update({ rows: this.rows, bytesRead: file.bytesRead(), bytesTotal: file.bytesTotal });
        }
      }
    }
    if (this.bad.length > 0) throw new BadLines();
  }

  place(line: number): string {
    return `${this.#files[Math.floor(line / linesOfOne)]?.path}:${line % linesOfOne}`;
  }
}
