/** StoreColumn types that both engines spell alike. `text` sorts by Unicode code point on both. */
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

export interface StoreColumn<T extends SqlType = SqlType, N extends boolean = boolean> {
  readonly type: T;
  readonly nullable: N;
}
type StoreColumns = Readonly<Record<string, StoreColumn>>;

export interface StoreTable<C extends StoreColumns = StoreColumns> {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: C;
}

export type StoreRowOf<T extends StoreTable> = {
  readonly [N in keyof T['columns']]:
    | TypeOf[T['columns'][N]['type']]
    | (T['columns'][N]['nullable'] extends true ? null : never);
};

/** A column that every row fills. */
export const needs = <T extends SqlType>(type: T): StoreColumn<T, false> => ({ type, nullable: false });
/** A column that may be null. */
export const may = <T extends SqlType>(type: T): StoreColumn<T, true> => ({ type, nullable: true });
export const table = <const C extends StoreColumns>(
  name: string,
  key: readonly (keyof C & string)[],
  columns: C,
): StoreTable<C> => ({
  name,
  key,
  columns,
});
