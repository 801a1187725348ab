import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/sources/host-port.ts';
import { pageByTime, readLinked } from '../../src/sources/paging.ts';

/** An item whose time is kept in microseconds, and shown in milliseconds. */
interface Kept {
  readonly id: number;
  readonly micros: number;
}

const start = Date.UTC(2026, 2, 1) * 1_000;
const answerOf = (body: unknown, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  body,
  isUnchanged: false,
  at: 0,
  headers: {},
  ...more,
});

/** Reads such a list to its end; `between` happens before each page but the first. */
async function idsOf(
  list: Kept[],
  { size = 3, hasLinks = true, between = () => {} }: { size?: number; hasLinks?: boolean; between?: () => void } = {},
) {
  const ids: number[] = [];
  let asked = 0;
  const ask = async ({ before, page }: { readonly before: string; readonly page: number }) => {
    if (asked++ > 0) between();
    const until = Date.parse(before) * 1_000;
    const found = list.filter(({ micros }) => micros <= until).toSorted((one, other) => other.micros - one.micros);
    const shown = found.slice((page - 1) * size, page * size);
    const body = shown.map(({ id, micros }) => ({ id, at: new Date(Math.floor(micros / 1_000)).toISOString() }));
    return answerOf(body, hasLinks && page * size < found.length ? { nextPage: '/next' } : {});
  };
  const of = {
    size,
    ask,
    momentOf: (item: { text(field: string): string }) => item.text('at'),
    keyOf: (item: { id(field: string): string }) => item.id('id'),
  };
  let next: Parameters<typeof pageByTime>[1];
  do {
    const page = await pageByTime(of, next);
    ids.push(...page.items.map((item) => (item as Kept).id));
    next = page.next;
  } while (next !== undefined && asked < 100);
  return { ids, asked };
}

const spread = (count: number, micros: number): Kept[] =>
  Array.from({ length: count }, (_, id) => ({ id, micros: start - id * micros }));

describe('a list that is read by time', () => {
  test.each([
    ['seconds apart', 1_000_000],
    ['within one millisecond', 7],
    ['at one moment', 0],
  ])('Each item is read once where they are %s', async (_, micros) => {
    const { ids, asked } = await idsOf(spread(11, micros));
    expect(ids.toSorted((one, other) => one - other)).toEqual(spread(11, 0).map(({ id }) => id));
    expect(asked).toBeLessThan(9);
  });

  test('None is passed over where one that was read is deleted, or one moves to the front', async () => {
    for (const change of ['deleted', 'moved'] as const) {
      const list = spread(12, 1_000_000);
      const between = () => {
        const [first] = list.splice(0, 1);
        if (first && change === 'moved') list.unshift({ ...first, micros: start + 1_000_000 });
      };
      const { ids } = await idsOf(list, { between });
      // Those that are there to the end.
      for (const id of [6, 7, 8, 9, 10, 11]) expect(ids, change).toContain(id);
    }
  });

  test('A page that is full is followed by another also where a proxy has taken its link away', async () => {
    expect((await idsOf(spread(7, 1_000_000), { hasLinks: false })).ids).toHaveLength(7);
  });

  test('An item of an unknown shape stays for its conversion to tell, and stops nothing', async () => {
    const page = await pageByTime(
      {
        size: 2,
        ask: async () => answerOf([null, { id: 1, at: '2026-03-01T00:00:00Z' }], { headers: { 'x-total': '5' } }),
        momentOf: (item) => item.text('at'),
        keyOf: (item) => item.id('id'),
      },
      undefined,
    );
    expect(page).toMatchObject({
      items: [null, { id: 1 }],
      total: 5,
      next: { before: '2026-03-01T00:00:00.001Z', page: 1 },
    });
  });
});

test('A list with links is read by their addresses, and is undefined where the host does not show it', async () => {
  const asked: unknown[] = [];
  const host = {
    get: async (path: string, { query }: { readonly query?: unknown }) => {
      asked.push([path, query]);
      return path === '/a' ? answerOf([1], { nextPage: '/a?page=2' }) : answerOf([2]);
    },
  };
  expect((await readLinked(host, '/a', { query: { size: 1 } }))?.items).toEqual([1, 2]);
  expect(asked).toEqual([
    ['/a', { size: 1 }],
    ['/a?page=2', {}],
  ]);
  const gone = { get: async () => answerOf(null, { status: 404 }) };
  expect(await readLinked(gone, '/a', { alsoGood: [404] })).toBeUndefined();
});
