import type { Json } from '../catalogue/record.ts';
import type { Answer, Asking } from './host-port.ts';
import { Payload, UnknownShape } from './payload.ts';
import { SourceProblem } from './source.ts';

/** A page of a list, however its provider cuts lists into pages. */
export interface PageOfList {
  readonly items: readonly unknown[];
  /** Where the next page begins; absent at the end. */
  readonly next?: Json;
  /** The provider's clock, in seconds since 1970. */
  readonly at: number;
  /** Of all pages, where the provider says it. */
  readonly total?: number;
}

/** Every item of a list. */
export type ItemList = Pick<PageOfList, 'items' | 'at'>;

/** Reads a list to its end, in the order of its pages. */
export async function readAll(ask: (next: Json | undefined) => Promise<PageOfList>): Promise<ItemList> {
  const items: unknown[] = [];
  const asked = new Set<string>();
  for (let next: Json | undefined; ; ) {
    const page = await ask(next);
    for (const item of page.items) items.push(item);
    next = page.next;
    if (next === undefined) return { items, at: page.at };
    refuseCircle(asked, JSON.stringify(next));
  }
}

/** Of a provider that leads on in the Link header. */
export const linkedPage = (answer: Answer, field?: string): PageOfList => ({
  items: itemsOf(answer.body, field),
  at: answer.at,
  ...(answer.nextPage !== undefined && { next: answer.nextPage }),
});

/** Reads a list that leads on in the Link header to its end. Undefined where an answer is one of `alsoGood`. */
export async function readLinked(
  host: { get(path: string, asking: Asking): Promise<Answer> },
  path: string,
  { field, ...asking }: Asking & { readonly field?: string } = {},
): Promise<ItemList | undefined> {
  let isMissing = false;
  const list = await readAll(async (next) => {
    // The address of a next page has its query already.
    const answer = await (typeof next === 'string' ? host.get(next, { ...asking, query: {} }) : host.get(path, asking));
    isMissing = answer.status >= 300;
    return isMissing ? { items: [], at: answer.at } : linkedPage(answer, field);
  });
  return isMissing ? undefined : list;
}

/** Where a page of a list begins that is asked for by time. */
interface TimePosition {
  /** Nothing newer is wanted, as a text with milliseconds. */
  readonly before: string;
  /** Which page of that: more than one only where a page is full of one moment. */
  readonly page: number;
  /** Items that the page before has had, and that come again. */
  readonly had: readonly string[];
}

/** A list that has its newest items first, and of which what is older than a moment can be asked for. */
interface ListByTime {
  readonly size: number;
  ask(from: Pick<TimePosition, 'before' | 'page'>): Promise<Answer>;
  /** The time that it is in the order of. */
  momentOf(item: Payload): string;
  keyOf(item: Payload): string;
}

/**
 * A page of such a list. What changes while pages are read moves to the front, and what is deleted moves the others up: a
 * moment is not moved by that, as the number of a page is.
 */
export async function pageByTime(list: ListByTime, next: Json | undefined): Promise<PageOfList> {
  const { before, page, had } = (next as unknown as TimePosition | undefined) ?? newest;
  const answer = await list.ask({ before, page });
  const all = itemsOf(answer.body);
  const known = all.map((item) => timedItem(list, item));
  const total = next === undefined ? Number(answer.headers['x-total'] ?? '') : 0;
  const fresh = {
    items: all.filter((_, i) => !had.includes(known[i]?.key ?? '')),
    at: answer.at,
    ...(total > 0 && { total }),
  };
  // A proxy may take away the Link header, and a server may give less than was asked for.
  const isMore = answer.nextPage !== undefined || all.length >= list.size;
  if (!isMore || all.length === 0) return fresh;
  const oldest = Math.min(...known.flatMap((item) => item?.ms ?? []));
  const askedAgain = known.flatMap((item) => (item && item.ms <= oldest + 1 ? item.key : []));
  // Providers keep finer times than they show: the millisecond of the oldest is asked for again.
  const below = Number.isFinite(oldest) ? new Date(oldest + 1).toISOString() : before;
  const position: TimePosition =
    below < before
      ? { before: below, page: 1, had: askedAgain }
      : { before, page: page + 1, had: [...had, ...askedAgain] };
  return { ...fresh, next: position as unknown as Json };
}

/** Later than anything, also where its clock is ahead of ours. */
const newest: TimePosition = { before: '2100-01-01T00:00:00.000Z', page: 1, had: [] };

/** Undefined for an item of an unknown shape, which its conversion tells. */
function timedItem(
  { momentOf, keyOf }: ListByTime,
  item: unknown,
): { readonly ms: number; readonly key: string } | undefined {
  try {
    const payload = Payload.of(item, 'item');
    return { ms: Date.parse(momentOf(payload)), key: keyOf(payload) };
  } catch (error) {
    if (error instanceof UnknownShape) return undefined;
    throw error;
  }
}

/** Of a provider that counts by place: `offset` is where this page began, `isMore` what it says of the others. */
export function offsetPage(
  answer: Answer,
  { field, offset, isMore, total }: { field: string; offset: number; isMore: boolean; total?: number | null },
): PageOfList {
  const items = itemsOf(answer.body, field);
  return {
    items,
    at: answer.at,
    ...(total != null && { total }),
    // An empty page is the end, whatever the provider says.
    ...(isMore && items.length > 0 && { next: offset + items.length }),
  };
}

/** Of a provider whose answers hold a token for the next page. */
export function tokenPage(answer: Answer, { field, token }: { field: string; token: string }): PageOfList {
  const next = Payload.of(answer.body, `list of ${field}`).textOrNull(token);
  return { items: itemsOf(answer.body, field), at: answer.at, ...(next !== null && { next }) };
}

/** The items of a page: an answer that is a list, or an object that has one. */
export function itemsOf(body: unknown, field?: string): readonly unknown[] {
  const list = field === undefined ? body : Payload.of(body, `list of ${field}`).raw(field);
  if (Array.isArray(list)) return list;
  throw new SourceProblem(
    `The answer has no list of ${field ?? 'items'}`,
    'See that base_url is the address of the provider’s API, and not of a proxy or a page.',
  );
}

/** A proxy or a fault can make a page lead to itself. Reading it for ever would hold up everything else. */
export function refuseCircle(asked: Set<string>, page: string): void {
  if (asked.has(page)) {
    throw new SourceProblem('The pages lead in a circle', 'Nothing: the sync tries again later.', { mayPass: true });
  }
  asked.add(page);
}

/** Seconds since 1970 of a time of the provider's. */
export const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000);
