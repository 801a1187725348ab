import type { ComposedKey, Field, FieldType, RecordShape } from './record.ts';

/**
 * Where the value of a column comes from.
 * - `given`: it arrives on records.
 * - `completed`: it arrives on records, and the service fills it in (or corrects it) from what else is known.
 * - `derived`: the service works it out.
 * - `inherited`: it is the value of the same column of the parent row.
 * - `read`: it is put together when it is read, because it depends on the directory or on who asks.
 */
type ColumnOrigin = 'given' | 'completed' | 'derived' | 'inherited' | 'read';

export interface Column<T extends FieldType = FieldType> extends Field<T> {
  /** `given` when it is not said. */
  readonly origin?: ColumnOrigin;
  /** Kept for the service's own use: nobody can ask for it. */
  readonly hidden?: true;
}

export type Columns = Readonly<Record<string, Column>>;

type From<T extends FieldType, O extends ColumnOrigin> = Column<T> & { readonly origin: O };
const from =
  <O extends ColumnOrigin>(origin: O) =>
  <T extends FieldType>(field: Field<T>): From<T, O> => ({ ...field, origin });

export const completed = from('completed');
export const derived = from('derived');
export const inherited = from('inherited');
export const whenRead = from('read');
/** Works for what is given, too: a recipient's identifier arrives with an answer and is never shown. */
export const hidden = <C extends Column>(column: C): C & { readonly hidden: true } => ({ ...column, hidden: true });

export const originOf = (column: Column): ColumnOrigin => column.origin ?? 'given';

/** One table, declared once. Its file layout, row type, record shape, documentation and list of columns derive from it. */
export interface Table<C extends Columns = Columns> {
  readonly name: string;
  /** One row in words, for messages: "a pull request". */
  readonly one: string;
  readonly meaning: string;
  readonly key: readonly (keyof C & string)[];
  /** The key in requests, where it is stored in another form. */
  readonly publicKey?: readonly (keyof C & string)[];
  /** Columns that are shown with the values of others, because their own may tell too much. */
  readonly shownAs?: Readonly<Record<string, keyof C & string>>;
  /** How the key is made for a record that has none. */
  readonly composedKey?: ComposedKey;
  /** Columns that name pull requests or issues of code hosts, which need not be stored, one or a list of them. */
  readonly references?: readonly (keyof C & string)[];
  /** Parts of the key that a record may leave out; they are empty then. */
  readonly mayBeEmpty?: readonly (keyof C & string)[];
  /** The word for the person of a row: "author". Absent where a row belongs to nobody. */
  readonly person?: string;
  /** How a row names its person, where it does so itself. Parts that do not have the person of their parent. */
  readonly naming?: {
    readonly email: keyof C & string;
    /** Whether a login without a source is one on any code host. */
    readonly onAnyCodeHost?: true;
  };
  /**
   * Rows of this table are activity of their person; where `when` is set, only rows in which it is true. People are
   * active in a window by the column that rows are sorted by, as the metrics of the table count them; last active at
   * the latest of these times.
   */
  readonly activity?: { readonly at: readonly (keyof C & string)[]; readonly when?: keyof C & string };
  /** Columns that may name its repository. The first that is given counts. */
  readonly repository?: readonly (keyof C & string)[];
  /** The repository of a row may be the name of a service, so the rows alone make no repository known. */
  readonly mayNameService?: true;
  /**
   * The value of a column by which rows of records are known, where other rows are inferred; and the beginnings of keys
   * that only inferred rows have.
   */
  readonly recorded?: {
    readonly column: keyof C & string;
    readonly value: string;
    readonly inferredKeys: readonly string[];
  };
  /** The rows of the table belong to repositories: they count whether or not the person who started them counts. */
  readonly countsForRepository?: true;
  /** The rows of the table name pull requests, of which everyone sees only their own. */
  readonly carriesPullRequests?: {
    /** Columns of pull requests that name the row that brought them. A pull request may be in a row by each of them. */
    readonly by: readonly string[];
    /** The column that lists them, and the one that says how many they are. */
    readonly list: keyof C & string;
    readonly count: keyof C & string;
    /** The column of those that the source named. */
    readonly named?: keyof C & string;
  };
  /**
   * The rows of the table must not be traced to one person: of their people only the teams are shown. Where their
   * survey is anonymous, they are shown by whole reporting groups.
   */
  readonly anonymous?: {
    /** The columns by which rows without an identifier are listed. */
    readonly listedBy: readonly (keyof C & string)[];
    /** The survey that a row answers. */
    readonly survey: keyof C & string;
    /** The invitation, which alone identifies a respondent from outside. */
    readonly recipient: keyof C & string;
    /**
     * When a row was answered: the first given of these columns. In anonymous surveys one day for the whole survey
     * replaces each.
     */
    readonly answeredAt: readonly (keyof C & string)[];
    /** Times that tell of the recipient, and are left out. */
    readonly leftOut: readonly (keyof C & string)[];
  };
  /** In these columns rows show days instead of times, where their survey is anonymous. */
  readonly daysWhereAnonymous?: { readonly survey: keyof C & string; readonly times: readonly (keyof C & string)[] };
  /** The rows of the table are the people of the directory, put together when they are read. */
  readonly isPeople?: true;
  /** Columns that rows are never grouped by. */
  readonly neverGrouped?: readonly (keyof C & string)[];
  /** The part of the key that follows from how a record names its person. */
  readonly namedAs?: keyof C & string;
  /** The column that says whether the engineer's own key sent the record. */
  readonly sentByEngineer?: keyof C & string;
  /** The table whose row this one is part of, and the columns that name it. Removing the parent removes its children. */
  readonly parent?: { readonly table: string; readonly key: readonly (keyof C & string)[] };
  /** Names that a date field is known by, each with the column. Rows are sorted by the first. */
  readonly dates: Readonly<Record<string, keyof C & string>>;
  /** Columns that have no value where another one has none: why that has none explains theirs. */
  readonly needs?: { readonly [N in keyof C & string]?: readonly (keyof C & string)[] };
  /** Other names of fields of an incoming record. */
  readonly aliases?: Readonly<Record<string, keyof C & string>>;
  /** Names that fields had before a derived column took them: they count where a record lacks the field. */
  readonly formerNames?: Readonly<Record<string, keyof C & string>>;
  /** Fields of incoming records that are accepted and ignored: the parent row has the same. */
  readonly ignoredFields?: Readonly<Record<string, Field>>;
  readonly columns: C;
}

export const table = <const C extends Columns>(declaration: Table<C>): Table<C> => declaration;

/** The columns that have no value where a column has none. */
export const columnsNeeding = ({ needs = {} }: Table, column: string): string[] =>
  Object.entries(needs).flatMap(([name, needed]) => (needed?.includes(column) ? [name] : []));

/** A value as the warehouse keeps it: seconds for timestamps and durations, `YYYY-MM-DD` for dates, JSON text for lists. */
interface StoredAs {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: number;
  readonly date: string;
  readonly duration: number;
  readonly 'text[]': string;
  readonly json: string;
}
export type Value = string | number | boolean | null;
export type Row = Readonly<Record<string, Value>>;

type Physical<C extends Columns> = {
  readonly [N in keyof C as C[N] extends { origin: 'read' } ? never : N & string]: StoredAs[C[N]['type']] | null;
} & {
  readonly [N in keyof C as C[N] extends { origin: 'completed' } ? `given_${N & string}` : never]:
    | StoredAs[C[N]['type']]
    | null;
};
export type RowOf<T extends Table> = T extends Table<infer C> ? Physical<C> : never;

/**
 * The value that a record gave for a column that the service completes, kept apart so that the completion can be done
 * again.
 */
const givenName = (column: string): string => `given_${column}`;

const physical = new WeakMap<Table, ReadonlyMap<string, FieldType>>();

/** Every column that is kept, with its type, in the order of the declaration. */
export function storedColumns(of: Table): ReadonlyMap<string, FieldType> {
  const known = physical.get(of);
  if (known) return known;
  const columns = new Map<string, FieldType>();
  for (const [name, column] of Object.entries(of.columns)) {
    const origin = originOf(column);
    if (origin === 'read') continue;
    columns.set(name, column.type);
    if (origin === 'completed') columns.set(givenName(name), column.type);
  }
  physical.set(of, columns);
  return columns;
}

const nameLists = new WeakMap<Table, readonly string[]>();

/** The names of every column that is kept, always in the same list. */
export function storedNames(of: Table): readonly string[] {
  const known = nameLists.get(of);
  if (known) return known;
  const list = Object.freeze([...storedColumns(of).keys()]);
  nameLists.set(of, list);
  return list;
}

/** Every column that can be asked for. */
export const shownColumns = (of: Table): string[] =>
  Object.entries(of.columns).flatMap(([name, column]) => (column.hidden ? [] : [name]));

const inheritedNames = new WeakMap<Table, readonly string[]>();

/** The columns that a row takes from its parent. Asked for every row, so worked out once. */
export function inheritedColumns(of: Table): readonly string[] {
  const known = inheritedNames.get(of);
  if (known) return known;
  const names = Object.entries(of.columns).flatMap(([name, column]) =>
    originOf(column) === 'inherited' ? [name] : [],
  );
  inheritedNames.set(of, names);
  return names;
}

/** The columns that tell when the person of a row was active. */
export const activityColumns = ({ activity }: Table): readonly string[] =>
  activity ? [...activity.at, ...(activity.when === undefined ? [] : [activity.when])] : [];

const arrives = (column: Column): boolean => ['given', 'completed'].includes(originOf(column));

/** The stored column of a field of a record. */
export const storedAs = (of: Table, field: string): string =>
  of.columns[field] && originOf(of.columns[field]) === 'completed' ? givenName(field) : field;

const shapes = new WeakMap<Table, RecordShape>();

/** The shape of the records that fill a table. */
export function recordShapeOf(of: Table): RecordShape {
  const known = shapes.get(of);
  if (known) return known;
  const fields: Record<string, Field> = {};
  for (const [name, column] of Object.entries(of.columns)) if (arrives(column)) fields[name] = column;
  const mayBeEmpty: readonly string[] = of.mayBeEmpty ?? [];
  const given = (names: Iterable<string>) =>
    [...new Set(names)].filter((name) => name in fields && !mayBeEmpty.includes(name));
  const shape: RecordShape = {
    name: of.name,
    one: of.one,
    fields,
    key: given(of.key),
    required: given([...of.key, ...(of.parent?.key ?? [])]),
    ...(of.composedKey ? { composedKey: of.composedKey } : {}),
    ...(of.aliases ? { aliases: of.aliases } : {}),
    ...(of.formerNames ? { formerNames: of.formerNames } : {}),
    ...(of.ignoredFields ? { ignoredFields: of.ignoredFields } : {}),
  };
  shapes.set(of, shape);
  return shape;
}

/** The column that rows are sorted by. */
export function orderColumn(of: Table): string | undefined {
  return Object.values(of.dates)[0];
}

/** The columns that a window can be about, the one that rows are sorted by first. */
export const dateColumns = (of: Table): readonly string[] => [...new Set(Object.values(of.dates))];
