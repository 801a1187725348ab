/** A schema of an object in which every field is there, but for those named. Its title is its name in the document. */
export const named = (
  title: string,
  properties: Readonly<Record<string, object>>,
  optional: readonly string[] = [],
): object => ({
  title,
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

/** A title that is a name, such as `Team`. */
const isName = /^[A-Z][A-Za-z]+$/;

type JsonObject = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The document with every schema that has a name among its components, and a reference where it stood: what generators
 * make types from, and what keeps the document from saying the same thing in many places.
 */
export function withNamedSchemas<T extends object>(document: T): T {
  const schemas: Record<string, unknown> = {};
  const hoisted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoisted);
    if (!isJson(value)) return value;
    // Examples are data: a property called title in one does not name a schema.
    const entries = Object.entries(value).map(([key, one]) => [
      key,
      /^(examples?|enum)$/.test(key) ? one : hoisted(one),
    ]);
    const { title, description, ...schema } = Object.fromEntries(entries) as JsonObject;
    if (typeof title !== 'string' || !isName.test(title) || schema.type === undefined) {
      return Object.fromEntries(entries);
    }
    const known = schemas[title] as JsonObject | undefined;
    if (known === undefined) schemas[title] = { ...schema, ...(description === undefined ? {} : { description }) };
    else if (bare(known) !== bare(schema)) throw new Error(`Two schemas are called ${title}.`);
    const isDescribedHere = known !== undefined && description !== undefined && known.description !== description;
    return { $ref: `#/components/schemas/${title}`, ...(isDescribedHere ? { description } : {}) };
  };
  const { components = {}, ...rest } = document as JsonObject & {
    components?: { schemas?: Readonly<Record<string, JsonObject>> };
  };
  const named = Object.entries(components.schemas ?? {}).map(([name, { title: _, ...schema }]) => [
    name,
    hoisted(schema),
  ]);
  const outside = Object.fromEntries(
    Object.entries(rest).map(([key, one]) => [key, key === 'info' ? one : hoisted(one)]),
  );
  const all = Object.entries({ ...Object.fromEntries(named), ...schemas }).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...outside, components: { ...components, schemas: Object.fromEntries(all) } } as T;
}

const bare = ({ description: _, ...schema }: JsonObject): string => JSON.stringify(schema);
