import { isoText } from '../calendar.ts';
import { TooMuchAtOnce } from './host-port.ts';
import { SourceProblem } from './source.ts';

/** A payload that is not as it is published. Names the field, never its value. */
export class UnknownShape extends Error {}

/** One object of an answer, whose fields are looked at before they are trusted. Absent and null are the same. */
export class Payload {
  readonly #fields: Readonly<Record<string, unknown>>;
  /** The name of the object in messages: "pull request". */
  readonly #name: string;

  private constructor(fields: Readonly<Record<string, unknown>>, name: string) {
    this.#fields = fields;
    this.#name = name;
  }

  static of(value: unknown, name: string): Payload {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new UnknownShape(`${name} must be an object, not ${kindOf(value)}`);
    }
    return new Payload(value as Readonly<Record<string, unknown>>, name);
  }

  /** A list that is an answer by itself. */
  static listOf(value: unknown, name: string): Payload[] {
    if (!Array.isArray(value)) throw new UnknownShape(`the list of each ${name} must be a list, not ${kindOf(value)}`);
    return value.map((item) => Payload.of(item, name));
  }

  has(field: string): boolean {
    return (this.#fields[field] ?? null) !== null;
  }

  /** As it came. */
  raw(field: string): unknown {
    return this.#fields[field];
  }

  text(field: string): string {
    return this.textOrNull(field) ?? this.#missing(field);
  }

  /** Null where it is empty too: one interface says null where the other says ''. */
  textOrNull(field: string): string | null {
    const value = this.#fields[field] ?? null;
    if (value === null || value === '') return null;
    if (typeof value !== 'string') return this.#wrong(field, 'text');
    return storable(value);
  }

  integer(field: string): number {
    return this.integerOrNull(field) ?? this.#missing(field);
  }

  integerOrNull(field: string): number | null {
    const value = this.#fields[field] ?? null;
    if (value === null) return null;
    return Number.isSafeInteger(value) ? (value as number) : this.#wrong(field, 'a whole number');
  }

  /** Undefined where it is absent, which is not none: a count that nobody has sent. */
  count(field: string): number | undefined {
    const value = this.integerOrNull(field) ?? undefined;
    return value !== undefined && value < 0 ? this.#wrong(field, 'a number that is not negative') : value;
  }

  /** Any number that is not negative, such as an amount of money. */
  measureOrNull(field: string): number | null {
    const value = this.#fields[field] ?? null;
    if (value === null) return null;
    return typeof value === 'number' && value >= 0 ? value : this.#wrong(field, 'a number that is not negative');
  }

  /** The provider's number of something, as text: GraphQL writes it as one, since it is longer than its integers. */
  id(field: string): string {
    const value = this.#fields[field] ?? this.#missing(field);
    if (typeof value === 'string' && /^\d+$/.test(value)) return value;
    return Number.isSafeInteger(value) ? String(value) : this.#wrong(field, 'a whole number');
  }

  isTrue(field: string): boolean {
    const value = this.#fields[field] ?? false;
    return typeof value === 'boolean' ? value : this.#wrong(field, 'true or false');
  }

  /** A time in UTC to the second, however it was written. */
  time(field: string): string {
    return this.timeOrNull(field) ?? this.#missing(field);
  }

  timeOrNull(field: string): string | null {
    const value = this.textOrNull(field);
    if (value === null) return null;
    const at = Date.parse(value);
    if (Number.isNaN(at)) return this.#wrong(field, 'a time');
    return isoText(at / 1_000);
  }

  object(field: string): Payload {
    return this.objectOrNull(field) ?? this.#missing(field);
  }

  objectOrNull(field: string): Payload | null {
    const value = this.#fields[field] ?? null;
    return value === null ? null : Payload.of(value, `${this.#name}: ${field}`);
  }

  /** Empty where it is absent. What a token may not see is null in its place, and left out. */
  list(field: string): Payload[] {
    const value = this.#fields[field] ?? [];
    if (!Array.isArray(value)) return this.#wrong(field, 'a list');
    return value.flatMap((item) => (item === null ? [] : [Payload.of(item, `${this.#name}: ${field}`)]));
  }

  /** The objects in an object, by name. Empty where it is absent. */
  entries(field: string): [name: string, value: Payload][] {
    const value = this.objectOrNull(field);
    if (value === null) return [];
    return Object.keys(value.#fields).flatMap((name) => (value.has(name) ? [[name, value.object(name)]] : []));
  }

  /** Empty where it is absent. */
  texts(field: string): string[] {
    const value = this.#fields[field] ?? [];
    const isTexts = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return isTexts ? (value as string[]) : this.#wrong(field, 'a list of texts');
  }

  #missing(field: string): never {
    throw new UnknownShape(`${this.#name}: ${field} is missing`);
  }

  #wrong(field: string, expected: string): never {
    throw new UnknownShape(`${this.#name}: ${field} must be ${expected}, not ${kindOf(this.#fields[field])}`);
  }
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'a list' : typeof value);

/** No table keeps the NUL character or half a surrogate pair, and a row is not lost for one. */
const storable = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\ufffd');

/** Converts each of many; those of an unknown shape become problems and do not stop the rest. */
export function convertEach<T, R>(items: readonly T[], convert: (item: T) => R): { records: R[]; problems: string[] } {
  const records: R[] = [];
  const problems: string[] = [];
  for (const item of items) {
    try {
      records.push(convert(item));
    } catch (error) {
      if (!(error instanceof UnknownShape)) throw error;
      problems.push(error.message);
    }
  }
  return { records, problems };
}

/** The conversion of an object that is read in several requests: an unknown field takes its place. */
export async function orUnknown<T>(read: () => Promise<T>): Promise<T | UnknownShape> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UnknownShape) return error;
    throw error;
  }
}

/** Converts each of many that take requests of their own. Null for one that is gone meanwhile. */
export async function readEach<T, R>(
  items: readonly T[],
  read: (item: T) => Promise<R | null>,
): Promise<{ records: R[]; problems: string[] }> {
  const all = await Promise.all(items.map((item) => orUnknown(() => read(item))));
  return {
    records: all.flatMap((one) => (one === null || one instanceof UnknownShape ? [] : [one])),
    problems: all.flatMap((one) => (one instanceof UnknownShape ? [one.message] : [])),
  };
}

/** An answer of an unknown shape is a problem that names the field. So is a query that takes too long. */
export function explanationOf(label: string, error: unknown): unknown {
  if (error instanceof UnknownShape) {
    return new SourceProblem(
      `An answer of ${label} is not as it is published: ${error.message}`,
      'Report it with the version of your server. What was read stays.',
    );
  }
  if (error instanceof TooMuchAtOnce) {
    return new SourceProblem(
      `${label} took too long to answer, several times`,
      `It is tried again with the next sync. If it stays like this, see whether ${label} says that it is out of order.`,
      { mayPass: true },
    );
  }
  return error;
}
