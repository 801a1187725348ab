import type { FilterDeclaration } from './filters.ts';
import { maxNameLength, maxSearchLength } from './text-limits.ts';

/** One value of a filter that is a text. A closed list of values says by itself how long they are. */
export const textSchema = ({ oneOf, isSearch }: Pick<FilterDeclaration, 'oneOf' | 'isSearch'>) =>
  ({ type: 'string', ...(oneOf ? {} : { maxLength: isSearch ? maxSearchLength : maxNameLength }) }) as const;

/** A filter as a JSON schema, for callers that give repositories by their names and no nulls: addresses and agents. */
export function plainFilterSchema(declaration: FilterDeclaration): Readonly<Record<string, unknown>> {
  const { meaning, form, oneOf } = declaration;
  if (form === 'text') return { ...textSchema(declaration), description: meaning };
  const item = form === 'integers' ? { type: 'integer' } : textSchema(declaration);
  return { type: 'array', items: { ...item, ...(oneOf ? { enum: oneOf } : {}) }, description: meaning };
}
