/** Column types that both engines spell alike. `text` sorts by Unicode code point on both. */
type SqlType = 'text' | 'integer' | 'bigint' | 'double precision' | 'boolean' | 'timestamptz' | 'date';

interface TypeOf {
  readonly text: string;
  readonly integer: number;
  readonly bigint: number;
  readonly 'double precision': number;
  readonly boolean: boolean;
  readonly timestamptz: Date;
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export interface Column<T extends SqlType = SqlType, N extends boolean = boolean> {
  readonly type: T;
  readonly nullable: N;
}
type Columns = Readonly<Record<string, Column>>;

export interface StoreTable<C extends Columns = Columns> {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: C;
}

export type RowOf<T extends StoreTable> = {
  readonly [N in keyof T['columns']]:
    | TypeOf[T['columns'][N]['type']]
    | (T['columns'][N]['nullable'] extends true ? null : never);
};

/** A column that every row fills. */
export const needs = <T extends SqlType>(type: T): Column<T, false> => ({ type, nullable: false });
/** A column that may be null. */
export const may = <T extends SqlType>(type: T): Column<T, true> => ({ type, nullable: true });
export const table = <const C extends Columns>(
  name: string,
  key: readonly (keyof C & string)[],
  columns: C,
): StoreTable<C> => ({
  name,
  key,
  columns,
});
