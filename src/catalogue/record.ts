import type { FirstNameOf, NumberedPlace } from './record-ids.ts';

/**
 * The types of fields. Dates and texts stay text; a timestamp is whole seconds since 1970, UTC, and a duration is
 * seconds: the store and the warehouse type them.
 */
export type FieldType =
  | 'text'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'timestamp'
  | 'date'
  | 'duration'
  | 'text[]'
  | 'json';

export interface Field<T extends FieldType = FieldType> {
  readonly type: T;
  readonly meaning: string;
  /** A closed list of values. Spelled as here in the store, matched without regard to case. */
  readonly oneOf?: readonly string[];
  /** The largest whole number either side of zero, where it is not the usual one. */
  readonly max?: number;
  /** A text that may be as long as any. */
  readonly isLong?: true;
  /** The least and the largest number, where not any will do. */
  readonly between?: readonly [min: number, max: number];
  /** The form that a JSON value must have, where not every form is allowed. */
  readonly form?: 'list' | 'object';
}

type RecordFields = Readonly<Record<string, Field>>;

/** The shape of one kind of record, declared once: validation, documentation and types derive from it. */
export interface RecordShape<F extends RecordFields = RecordFields> {
  readonly name: string;
  /** One record in words, for messages: "a person". */
  readonly one: string;
  readonly fields: F;
  /** Fields that a record cannot do without, and those that are enough to remove what it names. */
  readonly required?: readonly string[];
  readonly key?: readonly string[];
  /** The fields that identify a record without a key. */
  readonly composedKey?: ComposedKey;
  /** Other names that a field is known by, each with the field's own. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Names that fields had once, each with the field's own. Beside that field they are derived columns of an export. */
  readonly formerNames?: Readonly<Record<string, string>>;
  /** Fields of a record that are accepted and ignored: its parent has the same. */
  readonly ignoredFields?: Readonly<Record<string, Field>>;
}

/** A key that follows from other fields, so that imports and connectors make the same. */
export interface ComposedKey {
  readonly field: string;
  /** The fields, for messages: "source, repository and pr_number". */
  readonly from: string;
  /** A key that is made so. */
  readonly example: string;
  readonly make: (record: Readonly<Record<string, unknown>>, firstNameOf?: FirstNameOf) => string | undefined;
  /** Reads a key that is written short, `acme/web#7`. Absent where the key has no short form. */
  readonly fieldsOfShort?: (place: NumberedPlace) => Readonly<Record<string, unknown>>;
}

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

export interface ReadValues {
  readonly text: string;
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly timestamp: number;
  readonly date: string;
  readonly duration: number;
  readonly 'text[]': readonly string[];
  readonly json: Json;
}

/** A record after reading: a field left out is absent and keeps its old value, an explicit null clears it. */
export type RecordOf<S extends RecordShape> = {
  readonly [N in keyof S['fields']]?: ReadValues[S['fields'][N]['type']] | null;
} & { readonly _deleted?: true };

export const text = (meaning: string, oneOf?: readonly string[]): Field<'text'> =>
  oneOf ? { type: 'text', meaning, oneOf } : { type: 'text', meaning };
export const integer = (meaning: string): Field<'integer'> => ({ type: 'integer', meaning });
export const number = (meaning: string, between?: readonly [min: number, max: number]): Field<'number'> =>
  between ? { type: 'number', meaning, between } : { type: 'number', meaning };
/** A text that people write at length, such as a description or a comment. */
export const longText = (meaning: string): Field<'text'> => ({ type: 'text', meaning, isLong: true });
/** A whole number without the usual bound: bytes, tokens and lines add up. */
export const amount = (meaning: string): Field<'integer'> => ({
  type: 'integer',
  meaning,
  max: Number.MAX_SAFE_INTEGER,
});
export const timestamp = (meaning: string): Field<'timestamp'> => ({ type: 'timestamp', meaning });
export const duration = (meaning: string): Field<'duration'> => ({ type: 'duration', meaning });
export const boolean = (meaning: string): Field<'boolean'> => ({ type: 'boolean', meaning });
export const date = (meaning: string): Field<'date'> => ({ type: 'date', meaning });
export const textList = (meaning: string, oneOf?: readonly string[]): Field<'text[]'> =>
  oneOf ? { type: 'text[]', meaning, oneOf } : { type: 'text[]', meaning };
export const json = (meaning: string, form?: 'list' | 'object'): Field<'json'> =>
  form ? { type: 'json', meaning, form } : { type: 'json', meaning };

export const recordShape = <const F extends RecordFields>(shape: RecordShape<F>): RecordShape<F> => shape;
