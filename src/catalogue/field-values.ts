/** A record before it is checked: values by the names of fields. */
export type FieldValues = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is FieldValues =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
