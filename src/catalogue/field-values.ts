/** A record before it is checked: values by the names of fields. */
export type FieldValues = Readonly<Record<string, unknown>>;
