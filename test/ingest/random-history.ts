import fc from 'fast-check';
import { recordShapeOf, type Table } from '../../src/catalogue/table.ts';
import { childrenOf, type FactTable, factTables } from '../../src/catalogue/tables/all-tables.ts';
import type { TableRecords } from '../../src/ingest/read/record-changes.ts';
import { arrangement, type WorldRecord, world } from './random-records.ts';

type RecordValues = Readonly<Record<string, unknown>>;

/** A record, or the word that a parent has no other children than those of the same batch. */
export interface HistoryStep {
  readonly table: FactTable;
  readonly record?: RecordValues;
  readonly wholeSetOf?: string;
}

/** A copilot day is known by the person as the record names them, and these worlds name them by their login. */
const keyColumns = (table: FactTable): readonly string[] =>
  table === 'ai_copilot' ? ['person_login', 'source', 'date'] : (factTables[table] as Table).key;

const keyOf = (table: FactTable, record: RecordValues): string =>
  JSON.stringify(keyColumns(table).map((column) => record[column] ?? ''));

const picked = (record: RecordValues, names: readonly string[]): RecordValues =>
  Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : [])));

const neededBy = (table: FactTable): readonly string[] => [
  ...new Set([...keyColumns(table), ...(recordShapeOf(factTables[table]).required ?? [])]),
];

/** Some of the fields of a record, and some of those cleared. */
function amended({ table, record }: WorldRecord): fc.Arbitrary<HistoryStep> {
  const needed = neededBy(table);
  const free = Object.keys(record).filter((name) => !needed.includes(name));
  return fc.tuple(fc.subarray(free), fc.subarray(free)).map(([said, cleared]) => ({
    table,
    record: {
      ...picked(record, said),
      ...Object.fromEntries(cleared.slice(0, 2).map((name) => [name, null])),
      ...picked(record, needed),
    },
  }));
}

const removed = ({ table, record }: WorldRecord): HistoryStep => ({
  table,
  record: { ...picked(record, keyColumns(table)), _deleted: true },
});

/** What its source says of the account, later than the record itself. */
const marked = ({ table, record }: WorldRecord, person_is_bot: boolean | null): HistoryStep => ({
  table,
  record: { ...picked(record, neededBy(table)), person_is_bot },
});

const setsOf = ['pull_request_reviews', 'pull_request_comments', 'pull_request_commits', 'issue_comments'] as const;

/** What becomes of the records of a world, which may be of another world than those they are laid over. */
function amendments(records: readonly WorldRecord[], others: readonly WorldRecord[]): fc.Arbitrary<HistoryStep[]> {
  const any = fc.constantFrom(...records, ...others);
  const naming = [...records, ...others].filter(
    ({ table, record }) =>
      'person_is_bot' in factTables[table].columns && ('person_login' in record || 'person_email' in record),
  );
  const step: fc.Arbitrary<HistoryStep[]> = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...others).chain((one) => amended(one).map((some) => [some])) },
    { weight: 2, arbitrary: any.map((one) => [removed(one)]) },
    {
      weight: naming.length > 0 ? 3 : 0,
      arbitrary: fc
        .tuple(fc.nat(Math.max(0, naming.length - 1)), fc.constantFrom(true, true, false, null))
        .map(([i, isBot]) => (naming[i] ? [marked(naming[i], isBot)] : [])),
    },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom(...setsOf), any, fc.boolean()).map(([table, { record }, isKept]) => {
        const column = (factTables[table] as Table).parent?.key[0] ?? '';
        const parent = record[column];
        if (typeof parent !== 'string') return [];
        const kept = others.filter((one) => one.table === table && one.record[column] === parent && isKept);
        return [...kept.slice(0, 1), { table, wholeSetOf: parent }];
      }),
    },
  );
  return fc.array(step, { maxLength: 10 }).map((steps) => steps.flat());
}

/** The records of a world in any batches, with everything that becomes of them in between. */
export const history: fc.Arbitrary<HistoryStep[][]> = fc
  .tuple(world, world)
  .chain(([records, others]) =>
    arrangement(records).chain((batches) =>
      fc.tuple(...batches.map((batch) => amendments(records, others).map((steps) => [...batch, ...steps]))),
    ),
  );

/** The steps of a batch as records of tables, in the order in which each table comes first. */
export function recordsOf(steps: readonly HistoryStep[]): TableRecords[] {
  const tables = new Map<FactTable, HistoryStep[]>();
  for (const step of steps) tables.set(step.table, [...(tables.get(step.table) ?? []), step]);
  return [...tables].map(([table, some]) => {
    const wholeSetsOf = some.flatMap(({ wholeSetOf }) => wholeSetOf ?? []);
    return {
      table,
      lines: some.flatMap(({ record }) => record ?? []).map((value, i) => ({ line: i + 1, value })),
      ...(wholeSetsOf.length > 0 ? { wholeSetsOf } : {}),
    };
  });
}

/** What there is after all batches, one record for each row, read plainly. */
export function lastWords(batches: readonly (readonly HistoryStep[])[]): WorldRecord[] {
  const rows = new Map<FactTable, Map<string, RecordValues>>();
  const rowsOf = (table: FactTable): Map<string, RecordValues> => {
    const known = rows.get(table) ?? new Map<string, RecordValues>();
    rows.set(table, known);
    return known;
  };
  const removeChildren = (table: FactTable, parent: unknown, isKept: (key: string) => boolean) => {
    const column = (factTables[table] as Table).parent?.key[0] ?? '';
    for (const [key, row] of rowsOf(table)) if (row[column] === parent && !isKept(key)) rowsOf(table).delete(key);
  };
  for (const batch of batches) {
    for (const { table, lines, wholeSetsOf = [] } of recordsOf(batch)) {
      const present = new Set<string>();
      const gone: RecordValues[] = [];
      for (const { value } of lines) {
        const { _deleted, ...fields } = value as RecordValues;
        const key = keyOf(table, fields);
        present.add(key);
        if (_deleted) {
          rowsOf(table).delete(key);
          gone.push(fields);
        } else rowsOf(table).set(key, { ...rowsOf(table).get(key), ...fields });
      }
      for (const parent of wholeSetsOf) removeChildren(table, parent, (key) => present.has(key));
      const [own = ''] = keyColumns(table);
      for (const fields of gone) for (const child of childrenOf(table)) removeChildren(child, fields[own], () => false);
    }
  }
  return [...rows].flatMap(([table, some]) => [...some.values()].map((record) => ({ table, record })));
}
