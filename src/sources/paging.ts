import type { Json } from '../catalogue/record.ts';
import type { Answer } from './host-port.ts';
import { Payload } from './payload.ts';
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
