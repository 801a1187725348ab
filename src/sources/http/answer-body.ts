import { readJson } from '../../bounded-json.ts';
import type { RawAnswer } from './connection.ts';

const jsonLimits = { depth: 100, values: 4_000_000 };

type AnswerBody = { readonly value: unknown } | 'unreadable';

/** JSON where the answer says that it is some, and text elsewhere. What was cut is no JSON. */
export async function bodyOf({ status, headers, body }: RawAnswer, asText = false): Promise<AnswerBody> {
  if (status === 204 || status === 304 || body.length === 0) {
    return isJson(headers) && status === 200 ? 'unreadable' : { value: null };
  }
  const text = body.toString('utf8');
  if (asText || !isJson(headers)) return { value: text };
  const read = await readJson(text, jsonLimits);
  return 'value' in read ? { value: read.value } : 'unreadable';
}

const isJson = (headers: Readonly<Record<string, string>>): boolean => /[/+]json\b/.test(headers['content-type'] ?? '');

/** The address of another page in a Link header: `<https://…?page=2>; rel="next"`. */
export function linkOf(header: string | undefined, relation: 'next' | 'last'): string | undefined {
  for (const [, address, parameters = ''] of (header ?? '').matchAll(/<([^<>]*)>([^<]*)/g)) {
    const words = parameters.split(';').map((parameter) => parameter.trim().split(/[^\w-]+/));
    if (words.some(([name, ...relations]) => name === 'rel' && relations.includes(relation))) return address;
  }
  return undefined;
}

/** Whether a next page is the page itself, or one with a number that is no larger: reading on would never end. */
export function leadsBack(asked: URL, next: URL): boolean {
  if (asked.pathname !== next.pathname) return false;
  if (asked.search === next.search) return true;
  const [from, to] = [asked, next].map(({ searchParams }) => Number(searchParams.get('page') ?? 1));
  return next.searchParams.has('page') && from !== undefined && to !== undefined && to <= from;
}
