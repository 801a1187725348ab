import type { FilterDeclaration } from './filters.ts';

/** A filter as a JSON schema, for callers that give repositories by their names and no nulls: addresses and agents. */
export function plainFilterSchema({ meaning, form, oneOf }: FilterDeclaration): Readonly<Record<string, unknown>> {
  if (form === 'text') return { type: 'string', description: meaning };
  const type = form === 'integers' ? 'integer' : 'string';
  return { type: 'array', items: { type, ...(oneOf ? { enum: oneOf } : {}) }, description: meaning };
}
