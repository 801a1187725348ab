import { didYouMean } from '../nearest.ts';
import { fromCell, type RecordForm, readValue, show, UnfitValue } from './read-value.ts';
import type { Field, RecordOf, RecordShape } from './record.ts';
import type { FirstNameOf } from './record-ids.ts';

export type RecordReading<S extends RecordShape> = { readonly record: RecordOf<S> } | { readonly problem: string };

/** Whether two names of a field say the same. One that is null says nothing beside the other. */
function isSameTwice(one: unknown, other: unknown): boolean {
  if (one === null || other === null || one === other) return true;
  const [a, b] = [one, other].map((value) => (typeof value === 'string' ? value.trim().toLowerCase() : undefined));
  return a !== undefined && a === b;
}

/** The field that a record means by a name, which may be another name of it. */
const fieldNamed = ({ aliases, formerNames }: RecordShape, given: string): string =>
  (aliases && Object.hasOwn(aliases, given) && aliases[given]) ||
  (formerNames && Object.hasOwn(formerNames, given) && formerNames[given]) ||
  given;

/** The field that a name in a record stands for. */
interface NamedField {
  readonly name: string;
  readonly field: Field;
  /** Whether it is accepted and not kept. */
  readonly isIgnored: boolean;
  /** Whether a record may give it twice, under two names. */
  readonly hasAliases: boolean;
  /** Whether the field had this name once. It says nothing beside the field itself. */
  readonly isFormer: boolean;
}

const namedFields = new WeakMap<RecordShape, ReadonlyMap<string, NamedField>>();

/** Every name that a record may give. Each name of each record is looked up here, so it is worked out once. */
function fieldsByName(shape: RecordShape): ReadonlyMap<string, NamedField> {
  const known = namedFields.get(shape);
  if (known) return known;
  const { fields, aliases = {}, formerNames = {}, ignoredFields = {} } = shape;
  const aliased = new Set(Object.values(aliases));
  const byName = new Map<string, NamedField>();
  for (const given of [fields, ignoredFields, aliases, formerNames].flatMap(Object.keys)) {
    const name = fieldNamed(shape, given);
    const ignored = Object.hasOwn(ignoredFields, name) ? ignoredFields[name] : undefined;
    const field = ignored ?? (Object.hasOwn(fields, name) ? fields[name] : undefined);
    if (!field) continue;
    const isFormer = Object.hasOwn(formerNames, given);
    byName.set(given, { name, field, isIgnored: ignored !== undefined, hasAliases: aliased.has(name), isFormer });
  }
  namedFields.set(shape, byName);
  return byName;
}

/** Reads one incoming record against its shape, or says in one sentence what is wrong with it. */
export function readRecord<S extends RecordShape>(
  shape: S,
  value: unknown,
  form: RecordForm = 'json',
  firstNameOf?: FirstNameOf,
): RecordReading<S> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: `${shape.one} must be a JSON object, not ${show(value)}` };
  }
  const record: Record<string, unknown> = {};
  const values = value as Readonly<Record<string, unknown>>;
  const byName = fieldsByName(shape);
  for (const given of Object.keys(values)) {
    const raw = values[given];
    if (form === 'text' && raw === '') continue;
    const named = byName.get(given);
    if (!named) {
      if (fieldNamed(shape, given) !== '_deleted') return { problem: notAField(shape, fieldNamed(shape, given)) };
      const flag = typeof raw === 'string' ? fromCell('boolean', raw) : raw;
      if (typeof flag !== 'boolean') return { problem: `_deleted must be true or false, not ${show(raw)}` };
      if (flag) record._deleted = true;
      continue;
    }
    const { name, field, isIgnored, hasAliases, isFormer } = named;
    if (isFormer && Object.hasOwn(values, name)) continue;
    try {
      const read = raw === null ? null : readValue(field, raw, form);
      const isAgain = hasAliases && Object.hasOwn(record, name);
      if (isAgain && !isSameTwice(record[name], read)) {
        const other = Object.keys(values).find((one) => one !== name && fieldNamed(shape, one) === name);
        return { problem: `${name} is given twice with two values, also as ${other}: give one, or the same in both` };
      }
      if (!isIgnored && (!isAgain || read !== null)) record[name] = read;
    } catch (error) {
      if (error instanceof UnfitValue) return { problem: `${given} ${error.message}` };
      throw error;
    }
  }
  const { composedKey } = shape;
  if (composedKey) record[composedKey.field] ??= composedKey.make(record, firstNameOf);
  const needed = record._deleted ? shape.key : shape.required;
  const missing = needed?.find((name) => record[name] === undefined || record[name] === null);
  if (missing !== undefined) {
    const instead = missing === composedKey?.field ? `, unless ${composedKey.from} are given` : '';
    return { problem: `${missing} is missing: ${shape.one} cannot do without it${instead}` };
  }
  return { record: record as RecordOf<S> };
}

function notAField({ fields, name: table }: RecordShape, name: string): string {
  const known = Object.keys(fields);
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  return `'${shown}' is not a field of ${table}.${didYouMean(shown, known)} Fields: ${known.join(', ')}`;
}
