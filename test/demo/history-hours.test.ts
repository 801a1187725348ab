import { expect, test } from 'vitest';
import type { Table } from '../../src/catalogue/table.ts';
import { type FactTable, factTables } from '../../src/catalogue/tables/all-tables.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { daysChangedSince, demoHistory, type HistoryOptions } from '../../src/demo/history/demo-history.ts';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import { times } from '../setup/how-long.ts';
import { seed } from '../setup/seed.ts';

type AnyRecord = Readonly<Record<string, unknown>>;

const day = 86_400;
const organisations = demoOrganisations({ seed: 'plumb', scale: 0.02 });

/** The records of a history by table and key, as a store holds them after putting all of them. */
function put(options: HistoryOptions, slug: string, into = new Map<string, AnyRecord>()): Map<string, AnyRecord> {
  const organisation = organisations.find((one) => one.slug === slug);
  if (!organisation) throw new Error(`${slug} is gone`);
  for (const { tables } of demoHistory(organisation, options)) {
    for (const { table, records } of tables) {
      for (const record of records) into.set(keyOf(table, record as AnyRecord), record as AnyRecord);
    }
  }
  return into;
}

function keyOf(table: FactTable, record: AnyRecord): string {
  const { key, publicKey }: Table = factTables[table];
  const columns = publicKey ? ['person_email', 'source', 'date'] : key;
  return JSON.stringify([table, ...columns.map((column) => record[column])]);
}

/** The latest moment that a record mentions. */
const latest = (record: AnyRecord): string =>
  Object.values(record)
    .filter((value): value is string => typeof value === 'string' && /^\d{4}-\d\d-\d\dT.*Z$/.test(value))
    .reduce((last, value) => (value > last ? value : last), '');

const isoOf = (moment: number) => `${new Date(moment * 1_000).toISOString().slice(0, 19)}Z`;

test('The history until one hour is the history until a later one as far as it was known then, for any two hours', () => {
  const random = new SeededRandom(`hours/${seed}`);
  for (let round = 0; round < times(2, 12); round += 1) {
    const { slug } = random.pick(organisations);
    const early = Date.parse('2024-03-01T00:00:00Z') / 1_000 + random.integer(0, 3 * 365 * 24) * 3_600;
    const late = early + random.integer(1, random.pick([5, 48, 24 * 60, 24 * 200])) * 3_600;
    const options = { seed: 'plumb', scale: 0.02 };
    const then = put({ ...options, until: early }, slug);
    const later = put({ ...options, until: late }, slug);
    const context = `${slug} ${isoOf(early)} ${isoOf(late)}`;
    const begin = isoOf(late - 700 * day);
    let compared = 0;
    for (const [key, record] of then) {
      const after = later.get(key);
      // What has left the window of two years meanwhile.
      if (latest(record) < begin) continue;
      compared += 1;
      if (!after) expect.fail(`${context}: ${key} is not known any more`);
      if (JSON.stringify(after) === JSON.stringify(record)) continue;
      const isClosedSurvey = record.survey_status === 'active' && after.survey_status === 'closed';
      if (latest(after) <= isoOf(early) && !isClosedSurvey) expect.fail(`${context}: ${key} was known otherwise`);
    }
    expect(compared).toBeGreaterThan(100);
    for (const [key, record] of later) {
      if (!/^\["pull_request(s|_reviews|_comments|_events)"/.test(key) || then.has(key)) continue;
      if (latest(record) <= isoOf(early) && latest(record) > begin) expect.fail(`${context}: ${key} was known before`);
    }
  }
}, 120_000);

test('What has happened since an hour, put over the history until then, gives the history until now', () => {
  const random = new SeededRandom(`growing/${seed}`);
  for (let round = 0; round < times(2, 12); round += 1) {
    const { slug } = random.pick(organisations);
    const early = Date.parse('2025-01-01T00:00:00Z') / 1_000 + random.integer(0, 2 * 365 * 24) * 3_600;
    const late = early + random.integer(1, random.pick([5, 48, 24 * 100])) * 3_600;
    const options = { seed: 'plumb', scale: 0.02 };
    const days = { from: Math.floor(early / day) - 500, to: Math.floor(late / day) + 2 };
    const whole = put({ ...options, until: late, days }, slug);
    const grown = put({ ...options, until: early, days: { ...days, to: Math.floor(early / day) + 2 } }, slug);
    const changed = { ...daysChangedSince(early, late), to: days.to };
    put({ ...options, until: late, since: early, days: changed }, slug, grown);
    const context = `${slug} ${isoOf(early)} ${isoOf(late)}`;
    expect(grown.size, context).toBe(whole.size);
    for (const [key, record] of whole) {
      if (JSON.stringify(grown.get(key)) !== JSON.stringify(record)) expect.fail(`${context}: ${key} differs`);
    }
  }
}, 120_000);

test('A history in parts is the same as a whole one', () => {
  const options = { seed: 'plumb', scale: 0.02, until: Date.parse('2026-05-20T13:00:00Z') / 1_000 };
  const to = Math.floor(options.until / day) + 2;
  const whole = put({ ...options, days: { from: to - 300, to } }, 'pebblewise');
  const parts = put({ ...options, days: { from: to - 45, to } }, 'pebblewise');
  const newest = parts.size;
  put({ ...options, days: { from: to - 300, to: to - 45 } }, 'pebblewise', parts);
  expect(newest).toBeLessThan(parts.size / 2);
  expect(new Map([...parts].toSorted())).toEqual(new Map([...whole].toSorted()));
});
