import { createHash } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { readRecord } from '../../src/catalogue/read-record.ts';
import { recordShapeOf, type Table } from '../../src/catalogue/table.ts';
import { factTableNames, factTables } from '../../src/catalogue/tables/all-tables.ts';
import { type DemoOrganisation, demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { demoHistory, type HistoryOptions } from '../../src/demo/history/demo-history.ts';
import { isLong, times } from '../setup/how-long.ts';
import { options, someHistories } from './some-history.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const smallest = (seed: string): DemoOrganisation => {
  const found = demoOrganisations({ ...options, seed }).find(({ slug }) => slug === 'pebblewise');
  if (!found) throw new Error('the smallest organisation is gone');
  return found;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

function digestOf(organisation: DemoOrganisation, history: HistoryOptions): string {
  const hash = createHash('sha256');
  for (const batch of demoHistory(organisation, history)) hash.update(JSON.stringify(batch));
  return hash.digest('hex');
}

describe('the history of a demo organisation', () => {
  const histories = someHistories();
  let today: string;
  beforeAll(() => {
    today = digestOf(smallest('plumb'), options);
  });

  test('The history of a demo organisation is another for another seed', () => {
    expect(digestOf(smallest('plum'), { ...options, seed: 'plum' })).not.toBe(today);
  });

  test('The history of a demo organisation is the same for the same seed, on any day and without any other source of chance', () => {
    vi.useFakeTimers({ now: new Date('2041-07-01T00:00:00Z') });
    vi.spyOn(Math, 'random').mockImplementation(() => {
      throw new Error('the demo must not draw from Math.random');
    });
    expect(digestOf(smallest('plumb'), options)).toBe(today);
  });

  test('The history of a demo organisation does not depend on how large its batches are', () => {
    const rows = new Map<string, string[]>();
    for (const { tables } of demoHistory(smallest('plumb'), { ...options, maxRows: 50 })) {
      for (const { table, records } of tables) {
        rows.set(table, [...(rows.get(table) ?? []), ...records.map((record) => JSON.stringify(record))]);
      }
    }
    const digests = (of: Iterable<readonly [string, readonly string[]]>) =>
      Object.fromEntries([...of].map(([table, texts]) => [table, digest(texts.join('\n'))]));
    const usual = histories.find(({ organisation }) => organisation.slug === 'pebblewise')?.records;
    const kept = factTableNames.flatMap((table) => {
      const texts = (usual?.[table] ?? []).map((record) => JSON.stringify(record));
      return texts.length === 0 ? [] : [[table, texts] as const];
    });
    expect(digests(rows)).toEqual(digests(kept));
  });

  test('The history of a demo organisation fills every table of all six organisations together', () => {
    for (const table of factTableNames) {
      expect(
        histories.some(({ records }) => (records[table] ?? []).length > 0),
        table,
      ).toBe(true);
    }
  });

  test('The history of a demo organisation holds only records that read cleanly', () => {
    for (const { records } of histories) {
      for (const table of factTableNames) {
        const shape = recordShapeOf(factTables[table]);
        for (const [i, record] of (records[table] ?? []).entries()) {
          if (i % times(5, 1) !== 0) continue;
          const reading = readRecord(shape, record);
          if ('problem' in reading) expect.fail(`${table}: ${reading.problem}`);
        }
      }
    }
  });

  test('The history of a demo organisation never writes one key twice', () => {
    for (const { records } of histories) {
      for (const table of factTableNames) {
        const { key, publicKey }: Table = factTables[table];
        // A day with an assistant is named by the person as the record has them.
        const columns = publicKey ? ['person_email', 'source', 'date'] : key;
        const keys = (records[table] ?? []).map((record) =>
          JSON.stringify(columns.map((column) => (record as Readonly<Record<string, unknown>>)[column])),
        );
        expect(new Set(keys).size, table).toBe(keys.length);
      }
    }
  });

  test('The history of a demo organisation has the volume of its scale, with some of everything', () => {
    const count = (table: (typeof factTableNames)[number]) =>
      histories.reduce((sum, { records }) => sum + (records[table]?.length ?? 0), 0);
    const pullRequests = count('pull_requests');
    expect(pullRequests).toBeGreaterThan(3_000);
    expect(pullRequests).toBeLessThan(3_130);
    const perPullRequest = (table: (typeof factTableNames)[number]) => count(table) / pullRequests;
    for (const [table, least, most] of [
      ['pull_request_reviews', 1.8, 3],
      ['pull_request_comments', 2, 4],
      ['pull_request_commits', 3, 5],
      ['pull_request_events', 2, 4],
    ] as const) {
      expect(perPullRequest(table), table).toBeGreaterThan(least);
      expect(perPullRequest(table), table).toBeLessThan(most);
    }
    const rows = factTableNames.reduce((sum, table) => sum + count(table), 0);
    expect(rows).toBeLessThan(90_000);
  });

  test('The history of a demo organisation brings as many times the pull requests as the scale says', () => {
    let pullRequests = 0;
    const slug = isLong ? demoOrganisations(options)[0]?.slug : 'pebblewise';
    const organisation = demoOrganisations(options).find((one) => one.slug === slug);
    if (!organisation) throw new Error('no organisation');
    for (const { tables } of demoHistory(organisation, { ...options, scale: 3 * options.scale })) {
      pullRequests += tables.find(({ table }) => table === 'pull_requests')?.records.length ?? 0;
    }
    const atOne = histories.find((one) => one.organisation.slug === slug)?.records.pull_requests.length ?? 0;
    expect(pullRequests / atOne).toBeGreaterThan(2.9);
    expect(pullRequests / atOne).toBeLessThan(3.1);
  });

  test('The history of a demo organisation ends with the hour it is asked to end with, whichever that is', () => {
    for (const until of ['2024-02-29T07:00:00Z', ...(isLong ? ['2031-07-04T15:00:00Z'] : [])]) {
      let first = '9999';
      let last = '0000';
      for (const { tables } of demoHistory(smallest('plumb'), { ...options, until: Date.parse(until) / 1_000 })) {
        for (const { table, records } of tables) {
          if (table !== 'pull_request_events') continue;
          for (const { event_at } of records as readonly { readonly event_at: string }[]) {
            if (event_at < first) first = event_at;
            if (event_at > last) last = event_at;
          }
        }
      }
      const end = Date.parse(until);
      expect(Date.parse(last)).toBeLessThanOrEqual(end);
      expect(Date.parse(last)).toBeGreaterThan(end - 7 * 86_400_000);
      expect(Date.parse(first)).toBeGreaterThan(end - (732 + 91) * 86_400_000);
      expect(Date.parse(first)).toBeLessThan(end - 700 * 86_400_000);
    }
  });

  test('The history of a demo organisation refuses an end that is none', () => {
    expect(() => demoHistory(smallest('plumb'), { ...options, until: Number.NaN }).next()).toThrow(RangeError);
  });

  test('The history of a demo organisation mentions nothing that would happen after its end', () => {
    for (const { records } of histories) {
      for (const table of factTableNames) {
        const times = Object.entries(factTables[table].columns).flatMap(([name, { type }]) =>
          type === 'timestamp' ? [name] : [],
        );
        for (const record of (records[table] ?? []) as readonly Readonly<Record<string, unknown>>[]) {
          for (const name of times) {
            const value = record[name];
            if (typeof value !== 'string') continue;
            if (Date.parse(value) / 1_000 > options.until) expect.fail(`${table}.${name} is ${value}`);
          }
        }
      }
    }
  });
});

describe('the batches of a history', () => {
  test('The batches of a history have about as many records as asked for', () => {
    for (const maxRows of isLong ? [200, 2_000] : [200]) {
      const sizes = [...demoHistory(smallest('plumb'), { ...options, maxRows })].map(({ tables }) =>
        tables.reduce((sum, { records }) => sum + records.length, 0),
      );
      expect(Math.max(...sizes)).toBeLessThan(maxRows + 150);
      expect(Math.min(...sizes.slice(0, -1))).toBeGreaterThanOrEqual(maxRows);
    }
  });

  test('The batches of a history bring every part together with its parent, and parents first, and follow each other in time', () => {
    for (const organisation of demoOrganisations(options).filter((_, i) => isLong || i % 3 === 0)) {
      let reached = 0;
      for (const { tables } of demoHistory(organisation, { ...options, maxRows: 300 })) {
        const order = tables.map(({ table }) => factTableNames.indexOf(table));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
        const keysOf = (name: string, columns: readonly string[]) =>
          tables
            .filter(({ table }) => table === name)
            .flatMap(({ records }) =>
              records.map((record) => columns.map((c) => (record as Record<string, string>)[c]).join()),
            );
        for (const { table } of tables) {
          const { parent }: Table = factTables[table];
          if (!parent) continue;
          const parents = new Set(keysOf(parent.table, parent.key));
          for (const key of keysOf(table, parent.key)) if (!parents.has(key)) expect.fail(`${table} without ${key}`);
        }
        const opened = tables.find(({ table }) => table === 'pull_requests')?.records ?? [];
        for (const { pr_created_at } of opened as readonly { readonly pr_created_at: string }[]) {
          const at = Date.parse(pr_created_at) / 86_400_000;
          // What an incident or a bad merge brings about may be recorded a day late.
          if (at < reached - 2.1) expect.fail(`${pr_created_at} comes too late`);
          reached = Math.max(reached, at);
        }
      }
    }
  });
});
