import { type Row, storedNames, type Table, type Value } from '../../catalogue/table.ts';
import type { ColumnExtremes, ColumnMeasure, Condition, TableChanges, TableWriter } from '../intake-port.ts';
import { isLong } from '../long-texts.ts';
import { rowMaker } from '../row-shapes.ts';
import type { Tuning } from './limits.ts';
import type { CommitWatch } from './organisation-lock.ts';
import {
  countRows,
  extremes,
  findPlaces,
  isByList,
  listed,
  maxPlaces,
  rowsByDay,
  type Selection,
  selectRows,
  summarise,
} from './reading-statements.ts';
import { type RowId, splitPlaces } from './row-ids.ts';
import { type EngineStatement, maxWrittenOut } from './statement.ts';
import type { Task } from './task.ts';
import {
  changeCosts,
  deleteRows,
  findKeyed,
  type IdentifiedRow,
  insertRows,
  keyed,
  movePlaced,
  patchRows,
  updatePlaced,
} from './writing-statements.ts';

/** Reading fewer columns than this in full is as quick as finding the rows first. */
const narrowColumns = 4;

/** The tables of one organisation inside one transaction. */
export class Session implements TableWriter {
  readonly #task: Task;
  readonly #schema: string;
  readonly #tuning: Tuning;
  readonly #sizes: TableSizes;
  readonly #areSizesKept: boolean;
  #versions: Versions | undefined;

  /** `sizes` are those that a change before left, where this is a change. */
  constructor(task: Task, schema: string, tuning: Tuning, sizes?: TableSizes) {
    this.#task = task;
    this.#schema = schema;
    this.#tuning = tuning;
    this.#sizes = sizes ?? new TableSizes();
    this.#areSizesKept = sizes !== undefined;
  }

  async select(table: Table, columns: readonly string[], where?: Condition): Promise<never[]> {
    // Long lists are asked about in tables that many organisations never fill.
    const isLongList = where && isByList(where) && listed(where) > maxWrittenOut;
    if ((isLongList || this.#areSizesKept) && (await this.#isEmpty(table))) return [];
    const isWide = columns.length > narrowColumns;
    const selection: Selection = isWide && where ? await this.#located(table, where) : { where };
    if (findsNothing(selection)) return [];
    return this.#rows(selectRows(table, columns, selection, this.#schema), columns);
  }

  async tally(table: Table, by: readonly string[], where?: Condition): Promise<never[]> {
    if (this.#areSizesKept && (await this.#isEmpty(table))) return by.length > 0 ? [] : [noRows as never];
    return this.#rows(summarise(table, by, 'rows', where, this.#schema), [...by, 'rows']);
  }

  async summarise(table: Table, by: readonly string[], measure: ColumnMeasure, where?: Condition): Promise<never[]> {
    if (by.length > 0 && this.#areSizesKept && (await this.#isEmpty(table))) return [];
    return this.#rows(summarise(table, by, measure, where, this.#schema), [...by, 'value']);
  }

  rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]> {
    return this.#rows(rowsByDay(table, this.#schema), ['from', 'rows']);
  }

  async extremes(table: Table): Promise<ColumnExtremes> {
    const [found] = await this.#task.values<Value[]>(extremes(table, this.#schema));
    const [first = null, ...last] = found ?? [];
    return { first, last };
  }

  async directoryVersion(): Promise<number> {
    return (this.#versions ?? (await this.#readVersions())).directory;
  }

  async derivationVersion(): Promise<number> {
    return (this.#versions ?? (await this.#readVersions())).derivation;
  }

  async flush(changes: readonly TableChanges[]): Promise<void> {
    for (const { table, removed, put, added, patches } of changes) {
      await this.#remove(table, removed);
      await this.#put(table, put, { areNew: false });
      await this.#put(table, added, { areNew: true });
      for (const { columns, rows } of patches) await this.#patch(table, columns, rows);
    }
  }

  async setDirectoryVersion(version: number): Promise<void> {
    this.#task.markDirectoryChange();
    await this.#setVersion('directory_version', version);
  }

  async setDerivationVersion(version: number): Promise<void> {
    await this.#setVersion('derivation_version', version);
  }

  async #remove(table: Table, rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#task.startChange(deleteRows(table, { where: keyed(table, rows) }, this.#schema));
  }

  /**
   * Deleting and inserting: an update in place of rows all over a wide table writes most of it again at the next
   * checkpoint.
   */
  async #put(table: Table, rows: readonly Row[], { areNew }: { readonly areNew: boolean }): Promise<void> {
    const isEmpty = areNew || rows.length === 0 || (await this.#isEmpty(table));
    for (const portion of portionsOf(table, areNew ? rows : lastOfEach(table, rows))) {
      if (!isEmpty) await this.#task.startChange(deleteRows(table, { where: keyed(table, portion) }, this.#schema));
      await this.#task.startChange(insertRows(table, portion, this.#schema));
      // Rows that may replace others leave about as many as there were, and never none.
      if (isEmpty) this.#sizes.add(table, portion.length);
    }
  }

  async #patch(table: Table, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    if (columns.length === 0) return;
    for (const portion of portionsOf(table, lastOfEach(table, rows))) {
      if (await this.#isLarge(table)) await this.#patchPlaced(table, columns, portion);
      else await this.#task.startChange(patchRows(table, columns, portion, this.#schema));
    }
  }

  async #patchPlaced(table: Table, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    const found = await this.#task.values<[RowId, number]>(findKeyed(table, rows, this.#schema));
    const placed = found.map(([place, number]): IdentifiedRow => ({ place, row: rows[number] ?? {} }));
    const { stay, move } = splitPlaces(placed, changeCosts(table, columns), this.#tuning.groupRows);
    if (stay.length > 0) await this.#task.startChange(updatePlaced(table, columns, stay, this.#schema));
    if (move.length > 0) {
      for (const statement of movePlaced(table, columns, move, this.#schema)) await this.#task.startChange(statement);
    }
  }

  /**
   * In a large table rows that are asked for one by one are found first, by reading nothing but their keys, and only the
   * part of the table that they lie in is then read in full width.
   */
  async #located(table: Table, where: Condition): Promise<Selection> {
    if (!isByList(where) || !(await this.#isLarge(table))) return { where };
    const found = await this.#task.values<[RowId]>(findPlaces(table, where, this.#schema));
    return found.length > maxPlaces ? { where } : { places: found.map(([place]) => place) };
  }

  async #isLarge(table: Table): Promise<boolean> {
    return (await this.#size(table)) >= this.#tuning.largeRows;
  }

  async #isEmpty(table: Table): Promise<boolean> {
    return (await this.#size(table)) === 0;
  }

  #size(table: Table): Promise<number> {
    return this.#sizes.of(table, async () => {
      const [row] = await this.#task.values<[number]>(countRows(table, this.#schema));
      return row?.[0] ?? 0;
    });
  }

  async #rows<R>(statement: EngineStatement, names: readonly string[]): Promise<R[]> {
    const rows: R[] = [];
    const make = rowMaker(names);
    await this.#task.each<Value[]>(statement, (values) => {
      rows.push(make(values) as R);
    });
    return rows;
  }

  /** Both are read at once: a change asks for one when it begins and for the other at its end. */
  async #readVersions(): Promise<Versions> {
    const sql = `SELECT json_array(coalesce(directory_version, 0), coalesce(derivation_version, 0)) FROM ${this.#schema}.state`;
    const [row] = await this.#task.values<[number, number]>({ sql, values: [] });
    const [directory = 0, derivation = 0] = row ?? [];
    this.#versions = { directory, derivation };
    return this.#versions;
  }

  async #setVersion(column: string, version: number): Promise<void> {
    this.#versions = undefined;
    await this.#task.startChange({ sql: `UPDATE ${this.#schema}.state SET ${column} = $1::BIGINT`, values: [version] });
  }
}

/** The version of the directory that the copies show, and of the rules that derived the rows. */
type Versions = Readonly<Record<'directory' | 'derivation', number>>;

const noRows = { rows: 0 } as const;

const findsNothing = (selection: Selection): boolean => 'places' in selection && selection.places.length === 0;

/** One statement takes this many rows at most, and texts of about this many characters. */
const maxRows = 20_000;
const maxCharacters = 64_000_000;

/** Keeps the last of several rows with one key. */
function lastOfEach(table: Table, rows: readonly Row[]): Row[] {
  const [first, ...more] = table.key;
  const keyOf = (row: Row) =>
    first !== undefined && more.length === 0
      ? row[first]
      : JSON.stringify(table.key.map((column) => row[column] ?? null));
  const last = new Map(rows.map((row) => [keyOf(row), row]));
  return last.size === rows.length ? [...rows] : [...last.values()];
}

/**
 * Rows in portions that fit into a statement: each column becomes one text, and a text has a longest length. Only long
 * texts are measured; the others cannot add up to it.
 */
function* portionsOf(table: Table, rows: readonly Row[]): Generator<Row[]> {
  const long = storedNames(table).filter((column) => isLong(table, column));
  let portion: Row[] = [];
  let characters = 0;
  for (const row of rows) {
    let length = 0;
    for (const column of long) length += (row[column] as string | null | undefined)?.length ?? 0;
    if (portion.length > 0 && (portion.length >= maxRows || characters + length > maxCharacters)) {
      yield portion;
      portion = [];
      characters = 0;
    }
    portion.push(row);
    characters += length;
  }
  if (portion.length > 0) yield portion;
}

/** How many rows the tables of an organisation have, about. A table of 0 rows is certainly empty. */
export class TableSizes {
  readonly #sizes = new Map<string, Promise<number>>();

  /** The known size of a table, or the result of counting it. */
  of({ name }: Table, count: () => Promise<number>): Promise<number> {
    const known = this.#sizes.get(name);
    if (known) return known;
    const counted = count();
    this.#sizes.set(name, counted);
    counted.catch(() => this.#sizes.delete(name));
    return counted;
  }

  /** Rows were added that replace no others. */
  add({ name }: Table, rows: number): void {
    const known = this.#sizes.get(name);
    if (known)
      this.#sizes.set(
        name,
        known.then((size) => size + rows),
      );
  }
}

/**
 * Keeps the sizes of tables from one change of an organisation to the next: half of the statements of a small change
 * would count tables, or look for rows in empty ones. Whatever else is committed between two changes ends what is known.
 */
export class KeptTableSizes {
  readonly #kept = new Map<string, { readonly commits: number; readonly sizes: TableSizes }>();

  /**
   * For a change that is about to begin, and for no other until `keep` is called: a change that fails leaves sizes that
   * never were.
   */
  take(organisationId: string, commits: CommitWatch): { readonly sizes: TableSizes; readonly keep: () => void } {
    const before = commits.now()?.commits;
    const kept = this.#kept.get(organisationId);
    this.#kept.delete(organisationId);
    const sizes = kept && kept.commits === before ? kept.sizes : new TableSizes();
    return {
      sizes,
      keep: () => {
        const after = commits.now()?.commits;
        // With any other number another change was committed meanwhile, or this one did nothing.
        if (before !== undefined && after === before + 1) this.#kept.set(organisationId, { commits: after, sizes });
      },
    };
  }
}
