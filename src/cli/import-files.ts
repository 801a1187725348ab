import { randomUUID } from 'node:crypto';
import { readRecord } from '../catalogue/read-record.ts';
import { isDirectoryTable, type RecordTable, recordShapeFor } from '../catalogue/record-tables.ts';
import type { Operations } from '../control/operations.ts';
import type { RecordLine, RecordsOutcome } from '../directory/put-records.ts';
import { type ForeignLine, type ForeignOptions, ForeignReader } from '../ingest/read/foreign/foreign-lines.ts';
import { openRecordFile, type RecordFile } from '../ingest/read/open-record-file.ts';
import { RejectsFile, rejectsPath } from '../ingest/read/rejects-file.ts';
import { batchesOf } from '../ingest/read/text-lines.ts';
import { Refusal } from '../refusal.ts';
import type { Context } from './command.ts';
import { Progress } from './progress.ts';
import { SeenRecords } from './seen-records.ts';
import type { CommandConnection } from './server-connection.ts';
import { say, type Terminal } from './terminal.ts';

const maxShown = 10;

/**
 * Tables of what happened arrive in larger batches than people: each batch attributes all repositories that it touches.
 */
const maxFactLines = 50_000;

interface Target extends ForeignOptions {
  readonly org: string;
  readonly table: RecordTable;
  readonly strict?: boolean;
  /** Only reports what would happen. */
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Tally {
  accepted: number;
  rejected: number;
  /** The people that records of people were taken of, and whether each of them is onboarded. */
  readonly people: Map<string, boolean>;
}

interface SourceFile extends Omit<RecordFile, 'lines'> {
  readonly path: string;
  lines(): AsyncIterable<ForeignLine>;
}

/** Reads files in this process, with the rights and in the folder of the operator, and sends their records on. */
export const importFiles = (
  { terminal }: Pick<Context, 'terminal'>,
  { operations }: Pick<CommandConnection, 'operations'>,
  target: Target,
  paths: readonly string[],
): Promise<Tally> => new FileImport(terminal, operations, target).run(paths);

class FileImport {
  readonly #terminal: Terminal;
  readonly #operations: Operations;
  readonly #target: Target;
  readonly #seen: SeenRecords;
  readonly #tally: Tally = { accepted: 0, rejected: 0, people: new Map() };

  constructor(terminal: Terminal, operations: Operations, target: Target) {
    this.#terminal = terminal;
    this.#operations = operations;
    this.#target = target;
    this.#seen = new SeenRecords(target.table);
  }

  async run(paths: readonly string[]): Promise<Tally> {
    const { org, table, dryRun, strict } = this.#target;
    const files: SourceFile[] = [];
    // All headers before any row: a file that cannot be understood refuses the import.
    for (const path of paths) files.push(await this.#open(path));
    if (dryRun) await this.#check(files);
    else if (strict) await this.#importStrictly(files);
    else {
      for (const file of files) await this.#importFile(file);
      await this.#operations.endImport({ org, table });
    }
    await this.#sayUnusual();
    return this.#tally;
  }

  async #open(path: string): Promise<SourceFile> {
    const { table, dryRun } = this.#target;
    const file = openRecordFile(path, { stdin: this.#terminal.stdin });
    const reader = new ForeignReader(table, this.#target, await file.header?.());
    for (const [theirs, ours] of reader.check(path)) {
      if (dryRun) this.#say(`${path}: ${theirs} ${ours === '' ? 'is left out' : `is ${ours}`}`);
    }
    for (const sentence of reader.notesOf(path)) this.#say(sentence);
    return { ...file, path, lines: () => reader.lines(file, (what) => this.#seen.leaveOut(what)) };
  }

  /** Findings in sentences. A dry run looks for them in any case, and so learns whether the organisation exists. */
  async #sayUnusual(): Promise<void> {
    const { org, dryRun } = this.#target;
    const isTaken = this.#tally.accepted > 0;
    for (const sentence of this.#seen.leftOutSentences) this.#say(sentence);
    if (!dryRun && !isTaken) return;
    const isAsked = dryRun || this.#seen.namesAnything;
    const findings = isAsked ? await this.#operations.checkImport({ org, ...this.#seen.input }) : nothingFound;
    if (isTaken) for (const sentence of this.#seen.sentences(findings)) this.#say(sentence);
  }

  /** Reads everything as an import would, and keeps nothing of it. */
  async #check(files: readonly SourceFile[]): Promise<void> {
    const shape = recordShapeFor(this.#target.table);
    for (const { path, form, lines } of files) {
      for await (const line of lines()) {
        const reading = 'problem' in line ? line : readRecord(shape, line.value, form);
        if ('record' in reading) {
          this.#tally.accepted += 1;
          this.#seen.add(line);
        } else {
          this.#tally.rejected += 1;
          if (this.#tally.rejected <= maxShown) this.#say(`${path}:${line.line}: ${reading.problem}`);
        }
      }
    }
  }

  /** Batch by batch: what is good is kept, what is bad goes into a file beside it, with its line and the reason. */
  async #importFile(file: SourceFile): Promise<void> {
    const { org, table, json } = this.#target;
    const { path, form, bytesTotal } = file;
    const rejects = new RejectsFile(rejectsPath(path));
    const progress = new Progress({ screen: this.#terminal.stderr, label: path, enabled: json !== true });
    const importId = randomUUID();
    const before = this.#tally.rejected;
    let rows = 0;
    try {
      progress.update({ rows, bytesRead: 0, bytesTotal });
      const limits = isDirectoryTable(table) ? {} : { maxLines: maxFactLines };
      for await (const batch of batchesOf(file.lines(), limits)) {
        const outcome = await this.#operations.putRecords(
          { org, table, form, strict: false, importId, isPart: true },
          // By its place in the batch: the records of a page all stand on one line.
          batch.flatMap((line, place) => ('value' in line ? [{ line: place, value: line.value }] : [])),
        );
        const reasons = new Map(outcome.rejected.map(({ line, detail }) => [line, detail]));
        for (const [place, line] of batch.entries()) {
          const detail = 'problem' in line ? line.problem : reasons.get(place);
          if (detail === undefined) {
            this.#seen.add(line);
            continue;
          }
          this.#tally.rejected += 1;
          const record = 'problem' in line ? (line.given ?? line.raw) : line.value;
          await rejects.add({ line: line.line, detail, record });
          if (this.#tally.rejected - before > maxShown) continue;
          progress.clear();
          this.#say(`${path}:${line.line}: ${detail}`);
        }
        this.#take(outcome);
        rows += batch.length;
        progress.update({ rows, bytesRead: file.bytesRead(), bytesTotal });
      }
    } finally {
      progress.finish({ rows });
      const written = await rejects.close();
      if (written !== undefined) this.#say(`${this.#tally.rejected - before} rejected: see ${written}`);
    }
  }

  #take({ accepted, people = {}, unmatched }: RecordsOutcome): void {
    this.#tally.accepted += accepted;
    for (const [id, isOnboarded] of Object.entries(people)) this.#tally.people.set(id, isOnboarded);
    this.#seen.addUnmatched(unmatched);
  }

  /** Everything as one change: one bad record in any of the files, and none is kept. */
  async #importStrictly(files: readonly SourceFile[]): Promise<void> {
    const { org, table, json } = this.#target;
    const [form, another] = new Set(files.map((file) => file.form));
    if (form === undefined || another !== undefined) {
      throw new Refusal('bad-input', 'A strict import takes files of one kind: CSV files, or any others.');
    }
    const progress = new Progress({ screen: this.#terminal.stderr, enabled: !json });
    const reading = new StrictReading(files, progress, this.#seen);
    const put = isDirectoryTable(table)
      ? this.#operations.putRecords({ org, table, form, strict: true }, reading.lines())
      : this.#operations.putStrictly({ org, table, form }, reading.lines());
    const outcome = await put.catch((error: unknown) => {
      if (!(error instanceof BadLines)) throw error;
      return undefined;
    });
    progress.finish({ rows: reading.rows });
    const rejected = outcome?.rejected ?? [];
    const bad = [...reading.bad, ...rejected.map(({ line, detail }) => `${reading.place(line)}: ${detail}`)];
    if (outcome) this.#take(outcome);
    if (bad.length > 0) this.#tally.accepted = 0;
    this.#tally.rejected = bad.length;
    for (const line of bad.slice(0, maxShown)) this.#say(line);
    if (bad.length > 0) this.#say(`${bad.length} bad records, so nothing was imported.`);
  }

  #say(sentence: string): void {
    say(this.#terminal, sentence);
  }
}

const nothingFound = { unknownAccounts: [], notOnboarded: [], disputedBots: [], unknownRepositories: [] };

/** Some lines are no records by themselves, so the next step gets none. */
class BadLines extends Error {}

/** No file has more lines than this, so that one number holds both the file and the line. */
const linesOfOne = 10_000_000_000;

/** The lines of several files as one stream, which breaks off at its end when some of them were no lines of data. */
class StrictReading {
  readonly bad: string[] = [];
  readonly #files: readonly SourceFile[];
  readonly #progress: Progress;
  readonly #seen: SeenRecords;
  rows = 0;

  constructor(files: readonly SourceFile[], progress: Progress, seen: SeenRecords) {
    this.#files = files;
    this.#progress = progress;
    this.#seen = seen;
  }

  async *lines(): AsyncGenerator<RecordLine> {
    for (const [i, file] of this.#files.entries()) {
      for await (const line of file.lines()) {
        this.rows += 1;
        if ('problem' in line) this.bad.push(`${file.path}:${line.line}: ${line.problem}`);
        else {
          this.#seen.add(line);
          yield { line: i * linesOfOne + line.line, value: line.value };
        }
        if (this.rows % 1_000 === 0) {
          this.#progress.update({ rows: this.rows, bytesRead: file.bytesRead(), bytesTotal: file.bytesTotal });
        }
      }
    }
    if (this.bad.length > 0) throw new BadLines();
  }

  place(line: number): string {
    return `${this.#files[Math.floor(line / linesOfOne)]?.path}:${line % linesOfOne}`;
  }
}
