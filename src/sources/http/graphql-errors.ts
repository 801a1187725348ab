/** What the `errors` of an answer with status 200 mean. */
type GraphqlFailure = 'limited' | 'too-much' | 'too-long' | 'missing' | 'forbidden' | 'broken';

const meanings: readonly (readonly [RegExp, GraphqlFailure])[] = [
  [/^RATE_LIMITED$/, 'limited'],
  [/^(MAX_NODE_LIMIT_EXCEEDED|RESOURCE_LIMITS_EXCEEDED)$/, 'too-much'],
  [/^(undefinedField|undefinedType|argumentNotAccepted|selectionMismatch)$/, 'missing'],
  [/^(FORBIDDEN|INSUFFICIENT_SCOPES)$/, 'forbidden'],
];

/** What is gone is null in the data, which is an answer. */
const harmless = /^NOT_FOUND$/;

/** The worst of the errors, if any matters. One without a type is how GitHub says that a query took it too long. */
export function failureOf(body: unknown): GraphqlFailure | undefined {
  if (typeof body !== 'object' || body === null) return 'broken';
  const { data, errors = [] } = body as { readonly data?: unknown; readonly errors?: unknown };
  if (!Array.isArray(errors)) return 'broken';
  const types = errors.map(typeOf).filter((type) => type === undefined || !harmless.test(type));
  for (const [pattern, failure] of meanings) {
    if (types.some((type) => type !== undefined && pattern.test(type))) return failure;
  }
  if (types.length > 0) return types.includes(undefined) ? 'too-long' : 'broken';
  return data === undefined || (data === null && errors.length === 0) ? 'broken' : undefined;
}

function typeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { type, extensions } = error as { readonly type?: unknown; readonly extensions?: { readonly code?: unknown } };
  const named = type ?? extensions?.code;
  return typeof named === 'string' ? named : undefined;
}
