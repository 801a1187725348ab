import type { Row, Table, Value } from '../../catalogue/table.ts';
import type { ColumnExtremes, ColumnMeasure, Condition, TableWriter } from '../../warehouse/intake-port.ts';
import { columnPicker } from '../../warehouse/row-shapes.ts';
import { derivationRules } from '../../warehouse/schema.ts';
import { medianOf } from '../derive/complexity.ts';
import { portioned } from '../read/stored-rows.ts';
import type { IntakeSession, PutOptions } from './intake-session.ts';
import { columnsIn, groupOf, matcher, type RowChange, TableBuffer } from './table-buffer.ts';
import { keyed, keyTextOf } from './table-overlay.ts';

/** Changed rows that are held in memory at most between two portions of a change. */
const maxRows = 40_000;

/**
 * The tables of an organisation as a change leaves them: what the engine has stored, and over it what the change has done
 * so far. The engine gets all of it in one flush at the end. Only a change that outgrows memory is flushed in between: the
 * engine then reads what was flushed, and nobody else sees it before the end.
 */
export class BufferedSession {
  readonly #stored: TableWriter;
  readonly #buffers = new Map<string, TableBuffer>();

  constructor(stored: TableWriter) {
    this.#stored = stored;
  }

  /** The session with the types that its callers know. */
  get session(): IntakeSession {
    return this as unknown as IntakeSession;
  }

  async select(table: Table, columns: readonly string[], where?: Condition): Promise<Row[]> {
    const buffer = this.#changed(table);
    if (!buffer) return this.#read(table, columns, where);
    const tested = columnsIn(where);
    const wanted = [...new Set([...columns, ...table.key, ...tested])];
    const matches = matcher(where);
    const pick = columnPicker(columns);
    const isPicked = wanted.length === columns.length;
    const rows: Row[] = [];
    const stored = new Map<string, Row>();
    for (const row of await this.#read(table, wanted, where)) {
      const key = keyTextOf(table, row);
      if (buffer.changes.has(key)) stored.set(key, row);
      else rows.push(isPicked ? row : pick(row));
    }
    // A stored row that did not match may do so with the columns that were patched.
    const moved: RowChange[] = [];
    for (const [key, change] of buffer.changes) {
      if (change.kind !== 'patch' || stored.has(key)) continue;
      if (tested.some((one) => change.columns.has(one))) moved.push(change);
    }
    for (const row of await this.#storedOf(table, moved, wanted)) stored.set(keyTextOf(table, row), row);
    for (const [key, change] of buffer.changes) {
      const before = stored.get(key);
      const patched = change.kind === 'patch' && before ? { ...before, ...change.row } : undefined;
      const row = change.kind === 'whole' ? change.row : patched;
      if (row && matches(row)) rows.push(pick(row));
    }
    return rows;
  }

  async tally(table: Table, by: readonly string[], where?: Condition): Promise<Row[]> {
    const looked = new Set([...by, ...columnsIn(where)]);
    const counted = (await this.#stored.tally(table, by as never, where)) as unknown as (Row & { rows: number })[];
    const changed = await this.#beforeAndAfter(table, looked);
    if (changed.length === 0) return counted;
    const groups = new Map(counted.map((row) => [groupOf(row, by), { ...row }]));
    const matches = matcher(where);
    const pick = columnPicker(by);
    const count = (row: Row | undefined, more: number) => {
      if (!row || !matches(row)) return;
      const name = groupOf(row, by);
      const group = groups.get(name) ?? { ...pick(row), rows: 0 };
      groups.set(name, group);
      group.rows += more;
    };
    for (const { before, after } of changed) {
      count(before, -1);
      count(after, 1);
    }
    return [...groups.values()].filter(({ rows }) => rows > 0 || by.length === 0);
  }

  async summarise(table: Table, by: readonly string[], measure: ColumnMeasure, where?: Condition): Promise<Row[]> {
    const column = 'median' in measure ? measure.median : 'min' in measure ? measure.min : measure.max;
    const looked = new Set([...by, column, ...columnsIn(where)]);
    const stored = (await this.#stored.summarise(table, by as never, measure as never, where)) as unknown as Row[];
    const changed = await this.#beforeAndAfter(table, looked);
    if (changed.length === 0) return stored;
    const summaries = new Map(stored.map((row) => [groupOf(row, by), row]));
    // A group is summarised again from its rows where a row leaves it that the engine's summary may rest on: any of those
    // of a median, and of a smallest or largest value the one that is it.
    const matches = matcher(where);
    const groups = new Map<string, Row>();
    const joining: Row[] = [];
    for (const { before, after } of changed) {
      const isLeft = before && matches(before);
      if (isLeft && ('median' in measure || (summaries.get(groupOf(before, by))?.value ?? null) === before[column]))
        groups.set(groupOf(before, by), before);
      if (!after || !matches(after)) continue;
      if ('median' in measure) groups.set(groupOf(after, by), after);
      else joining.push(after);
    }
    for (const name of groups.keys()) summaries.delete(name);
    const columns = [...new Set([...by, column])];
    const pick = columnPicker(by);
    for (const row of joining) {
      const name = groupOf(row, by);
      if (groups.has(name)) continue;
      const values = [summaries.get(name)?.value ?? null, row[column] ?? null].filter(isMeasured);
      summaries.set(name, { ...pick(row), value: measuredOf(measure, values) });
    }
    for (const some of await this.#portionsOf(table, by, [...groups.values()], where)) {
      const values = new Map<string, { readonly group: Row; readonly values: (number | string)[] }>();
      for (const row of await this.select(table, columns, some)) {
        const known = values.get(groupOf(row, by)) ?? { group: pick(row), values: [] };
        values.set(groupOf(row, by), known);
        const value = row[column] ?? null;
        if (isMeasured(value)) known.values.push(value);
      }
      for (const [name, { group, values: all }] of values) {
        summaries.set(name, { ...group, value: measuredOf(measure, all) });
      }
    }
    return [...summaries.values()];
  }

  /** Conditions for the rows of some groups, as many at once as fit into memory. */
  async #portionsOf(
    table: Table,
    by: readonly string[],
    groups: readonly Row[],
    where: Condition | undefined,
  ): Promise<Condition[]> {
    const among = (some: readonly Row[]): Condition => ({
      all: [
        ...(where ? [where] : []),
        ...(by.length > 0 ? [{ columns: by, among: some.map((row) => by.map((column) => row[column] ?? null)) }] : []),
      ],
    });
    if (groups.length < 2) return groups.length === 0 ? [] : [among(groups)];
    const counted = (await this.tally(table, by, among(groups))) as (Row & { rows: number })[];
    return portioned(counted, maxRows, ({ rows }) => rows).map(among);
  }

  async rowsByDay(table: Table): Promise<{ readonly from: number | null; readonly rows: number }[]> {
    if (this.#changed(table)) await this.flush();
    return this.#stored.rowsByDay(table);
  }

  async extremes(table: Table): Promise<ColumnExtremes> {
    if (this.#changed(table)) await this.flush();
    return this.#stored.extremes(table);
  }

  directoryVersion(): Promise<number> {
    return this.#stored.directoryVersion();
  }

  derivationVersion(): Promise<number> {
    return this.#stored.derivationVersion();
  }

  setDirectoryVersion(version: number): Promise<void> {
    return this.#stored.setDirectoryVersion(version);
  }

  setDerivationVersion(version: number): Promise<void> {
    return this.#stored.setDerivationVersion(version);
  }

  async put(table: Table, rows: readonly Row[], options?: PutOptions): Promise<void> {
    this.#buffer(table).put(rows, options);
  }

  async patch(table: Table, columns: readonly string[], rows: readonly Row[]): Promise<void> {
    if (columns.length === 0) return;
    const buffer = this.#buffer(table);
    for (const row of rows) buffer.patch(row, columns);
  }

  async remove(table: Table, where: Condition): Promise<void> {
    const gone = await this.select(table, table.key, where);
    const buffer = this.#buffer(table);
    for (const row of gone) buffer.remove(row);
  }

  async flush(): Promise<void> {
    const changes = [...this.#buffers.values()].flatMap((buffer) => (buffer.size > 0 ? [buffer.toFlush()] : []));
    this.#buffers.clear();
    if (changes.length === 0) return;
    await this.#stored.flush(changes);
    // A newer server has derived what is there, and finds by this that not all of it is as it derives.
    if ((await this.derivationVersion()) > derivationRules) await this.setDerivationVersion(derivationRules);
  }

  async flushIfLarge(): Promise<void> {
    const rows = [...this.#buffers.values()].reduce((sum, { size }) => sum + size, 0);
    if (rows > maxRows) await this.flush();
  }

  #buffer(table: Table): TableBuffer {
    const known = this.#buffers.get(table.name) ?? new TableBuffer(table);
    this.#buffers.set(table.name, known);
    return known;
  }

  #changed(table: Table): TableBuffer | undefined {
    const buffer = this.#buffers.get(table.name);
    return buffer && buffer.size > 0 ? buffer : undefined;
  }

  async #read(table: Table, columns: readonly string[], where: Condition | undefined): Promise<Row[]> {
    return (await this.#stored.select(table, columns as never, where)) as unknown as Row[];
  }

  /** Rows of which any of these columns has changed, as they are stored and as they are now. */
  async #beforeAndAfter(
    table: Table,
    looked: ReadonlySet<string>,
  ): Promise<{ readonly before: Row | undefined; readonly after: Row | undefined }[]> {
    const changes = this.#changed(table)?.touching(looked) ?? [];
    const unread = changes.filter(([, change]) => change.kind !== 'whole' || (!change.isNew && !change.stored));
    const rows = await this.#storedOf(
      table,
      unread.map(([, change]) => change),
      [...new Set([...table.key, ...looked])],
    );
    const read = new Map(rows.map((row) => [keyTextOf(table, row), row]));
    return changes.map(([key, change]) => {
      if (change.kind === 'whole') return { before: change.stored ?? read.get(key), after: change.row };
      const before = read.get(key);
      return { before, after: change.kind === 'patch' && before ? { ...before, ...change.row } : undefined };
    });
  }

  /** The stored columns of changed rows. */
  async #storedOf(table: Table, changes: readonly RowChange[], columns: readonly string[]): Promise<Row[]> {
    if (changes.length === 0) return [];
    const where = keyed(
      table,
      changes.map(({ row }) => row),
    );
    return this.#read(table, columns, where);
  }
}

const isMeasured = (value: Value): value is number | string => typeof value === 'number' || typeof value === 'string';

/** What a measure says of some values; null where there are none. */
function measuredOf(measure: ColumnMeasure, values: readonly (number | string)[]): number | string | null {
  if ('median' in measure) return medianOf(values.map(Number));
  const isFurther = (value: number | string, than: number | string) => ('min' in measure ? value < than : value > than);
  return values.reduce<number | string | null>(
    (known, value) => (known === null || isFurther(value, known) ? value : known),
    null,
  );
}
