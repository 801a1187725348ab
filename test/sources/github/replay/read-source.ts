import { readRecord } from '../../../../src/catalogue/read-record.ts';
import type { Json } from '../../../../src/catalogue/record.ts';
import { type RecordTable, recordShapeFor } from '../../../../src/catalogue/record-tables.ts';
import { factTables, isFactTable } from '../../../../src/catalogue/tables/all-tables.ts';
import { github } from '../../../../src/sources/github/github.ts';
import type { Clock } from '../../../../src/sources/http/clock.ts';
import { type OpenedSource, openSource } from '../../../../src/sources/open-source.ts';
import type {
  HostDirectory,
  KnownRepositories,
  Page,
  SettingValues,
  SourceMemory,
  StreamPosition,
} from '../../../../src/sources/source.ts';

/** Rows as tables would have them after a sync: by key, and whole sets replaced. */
export class ReadRows {
  readonly #rows = new Map<RecordTable, Map<string, Record<string, unknown>>>();
  readonly directories: HostDirectory[] = [];
  readonly problems: string[] = [];

  of(table: RecordTable): Record<string, unknown>[] {
    const rows = this.#rows.get(table) ?? new Map();
    return [...rows.entries()].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  }

  get all(): Record<string, Record<string, unknown>[]> {
    return Object.fromEntries([...this.#rows.keys()].toSorted().map((table) => [table, this.of(table)]));
  }

  take({ records, directory, problems = [] }: Page): void {
    this.problems.push(...problems);
    if (directory && 'people' in directory) this.directories.push(directory);
    for (const { table, records: rows, wholeSetsOf = [] } of records) {
      const kept = this.#rows.get(table) ?? new Map<string, Record<string, unknown>>();
      for (const [key, row] of kept) if (wholeSetsOf.includes(String(row.pr_id ?? row.issue_id))) kept.delete(key);
      for (const row of rows) this.#put(table, kept, row);
      this.#rows.set(table, kept);
    }
  }

  #put(table: RecordTable, kept: Map<string, Record<string, unknown>>, row: Readonly<Record<string, unknown>>): void {
    const shape = recordShapeFor(table);
    const reading = readRecord(shape, row);
    if ('problem' in reading) throw new Error(`${table}: ${reading.problem}`);
    const columns = isFactTable(table) ? factTables[table].key : ['repository'];
    const key = columns.map((column) => String(row[column])).join(' ');
    if (row._deleted) kept.delete(key);
    else kept.set(key, { ...kept.get(key), ...row });
  }
}

export const memoryInMap = (): SourceMemory => {
  const kept = new Map<string, Json>();
  return { get: async (key) => kept.get(key), set: async (key, value) => void kept.set(key, value) };
};

/** What is tried again is tried at once. */
const withoutPauses = { now: () => Date.now(), sleep: async () => {} };

export interface Reading {
  readonly rows: ReadRows;
  readonly marks: Map<string, Json>;
  readonly failures: Map<string, Error>;
  /** Streams of which everything was as before. */
  readonly unchanged: string[];
}

export interface ReadOptions {
  readonly settings?: SettingValues;
  readonly memory?: SourceMemory;
  readonly repositories?: KnownRepositories;
  /** Ours. Without one, what is tried again is tried at once. */
  readonly clock?: Clock;
  /** Only streams whose id begins so. */
  readonly only?: string;
  /** What the last reading left: only changes are read. */
  readonly after?: Reading;
  readonly downTo?: number;
}

export function openGithub(
  url: string,
  { settings, memory = memoryInMap(), repositories, clock = withoutPauses }: ReadOptions = {},
): OpenedSource {
  return openSource(
    github,
    { base_url: url, token: 'replay-token', repositories: ['acme/web'], ...settings },
    {
      mayBePrivate: () => true,
      signal: new AbortController().signal,
      clock,
      memory,
      ...(repositories && { repositories }),
    },
  );
}

/** Reads every stream to its end, page after page, as a sync does. */
export async function readGithub(url: string, options: ReadOptions = {}): Promise<Reading> {
  const { only = '', after, downTo } = options;
  const opened = openGithub(url, options);
  const reading: Reading = {
    rows: after?.rows ?? new ReadRows(),
    marks: new Map(),
    failures: new Map(),
    unchanged: [],
  };
  try {
    for await (const stream of opened.source.streams()) {
      if (!stream.id.startsWith(only)) continue;
      const mark = after?.marks.get(stream.id);
      let position: StreamPosition | undefined = {
        ...(mark !== undefined && { mark }),
        ...(downTo !== undefined && { downTo }),
      };
      try {
        while (position) {
          const page: Page = await stream.read(position);
          reading.rows.take(page);
          if (page.isUnchanged) reading.unchanged.push(stream.id);
          if (page.mark !== undefined) reading.marks.set(stream.id, page.mark);
          position = page.next === undefined ? undefined : { ...position, next: page.next };
        }
      } catch (error) {
        reading.failures.set(stream.id, error as Error);
      }
    }
  } finally {
    opened.close();
  }
  return reading;
}
