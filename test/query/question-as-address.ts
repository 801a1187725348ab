import fc from 'fast-check';
import { filters } from '../../src/catalogue/filters.ts';
import type { QuestionBody } from '../reference/question.ts';

/** How the values of a list are written: with commas between them, each as `name[]=`, or each as `name=`. */
export type ListStyle = 'commas' | 'brackets' | 'repeated';
export const listStyles: fc.Arbitrary<ListStyle> = fc.constantFrom('commas', 'brackets', 'repeated');

const encode = encodeURIComponent;

/** A comma, a space at an end or no value at all cannot be written between commas. */
const isPlain = (values: readonly string[]): boolean =>
  values.every((value) => value !== '' && value === value.trim() && !value.includes(','));

function list(name: string, values: readonly string[], style: ListStyle): string[] {
  if (values.length === 0 || (style === 'commas' && isPlain(values)))
    return [`${encode(name)}=${encode(values.join())}`];
  const isRepeated = style === 'repeated' && values.length > 1;
  return values.map((value) => `${encode(isRepeated ? name : `${name}[]`)}=${encode(value)}`);
}

const nameOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? (value as { readonly repository_name: string }).repository_name : value;

/**
 * A question as an address can say it, and as the body that says the same: an address knows neither null nor a value
 * without its list, and repositories by name only.
 */
export function asAddress(question: QuestionBody, style: ListStyle): { readonly query: string; readonly body: object } {
  const { filters: chosen = {}, ...fields } = question as { filters?: Record<string, unknown> } & QuestionBody;
  const pairs: string[] = [];
  const said = new Map<string, unknown>();
  for (const [name, value] of Object.entries(chosen)) {
    const plural = name === 'team_ids' ? 'team' : name;
    const isOne = name === 'start_date' || name === 'end_date' || filters[plural]?.form === 'text';
    if (isOne) {
      said.set(name, value);
      pairs.push(`${name}=${encode(String(value))}`);
    } else {
      const values = (Array.isArray(value) ? value : value === null ? [] : [value]).map(nameOf);
      said.set(name, values);
      pairs.push(...list(name, values.map(String), style));
    }
  }
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) pairs.push(...list(name, value, style));
    else if (typeof value === 'object' && value !== null) {
      for (const [metric, one] of Object.entries(value))
        pairs.push(`${name.slice(0, -1)}.${metric}=${encode(String(one))}`);
    } else pairs.push(`${name}=${encode(String(value))}`);
  }
  return { query: pairs.join('&'), body: { ...fields, filters: Object.fromEntries(said) } };
}
