import type { Field, FieldType } from './record.ts';

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
