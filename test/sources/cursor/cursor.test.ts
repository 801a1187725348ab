import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { convertUsage, UsageEvents } from '../../../src/sources/cursor/convert.ts';
import { cursor } from '../../../src/sources/cursor/cursor.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { SettingValues } from '../../../src/sources/source.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { type AskedRequest, ReplayHost } from '../contract/replay-host.ts';
import { readWhole } from '../read-whole.ts';
import {
  type CursorWorld,
  cursorAnswer,
  cursorCase,
  cursorNow,
  cursorToken,
  dayMs,
  usageDay,
  usageEvent,
} from './cursor-case.ts';

type Fields = Readonly<Record<string, unknown>>;
const email = 'ada@acme.example';

function tokensOf(...events: readonly unknown[]) {
  const sums = new UsageEvents();
  sums.add(events);
  return sums.result();
}

describe('a day of use', () => {
  test('A day of use is what its person accepted, refused and asked for', () => {
    expect(convertUsage([usageDay(email, 1)]).records).toEqual([
      {
        source: 'cursor',
        date: '2026-03-30',
        person_email: email,
        is_active: true,
        lines_added: 201,
        lines_deleted: 40,
        ai_lines: 120,
        accepted_lines: 120,
        accepts: 53,
        rejects: 17,
        chat_requests: 7,
        composer_requests: 3,
        agent_requests: 5,
        cmd_k_usages: 4,
        model: 'model-a',
      },
    ]);
  });

  test('A day of use that Cursor tells in two parts is their sum, with the model of the larger one', () => {
    const parts = [
      usageDay(email, 1),
      usageDay('ADA@acme.example', 1, { isActive: false, chatRequests: 90, mostUsedModel: 'model-b' }),
    ];
    const { records } = convertUsage(parts);
    expect(records).toHaveLength(1);
    expect(records[0]).toMatchObject({ is_active: true, accepts: 106, chat_requests: 97, model: 'model-b' });
    expect(convertUsage(parts.toReversed()).records).toEqual(records);
  });

  test('A day of use leaves out what is not told, and counts none as none', () => {
    const [record] = convertUsage([
      usageDay(email, 1, { totalRejects: undefined, totalTabsShown: null, agentRequests: 0, mostUsedModel: '' }),
    ]).records;
    expect(record).not.toHaveProperty('rejects');
    expect(record).not.toHaveProperty('model');
    expect(record).toMatchObject({ accepts: 53, agent_requests: 0 });
  });

  test('A day of use has no fewer than no rejects, where more tabs were accepted than shown', () => {
    expect(convertUsage([usageDay(email, 1, { totalTabsShown: 10 })]).records[0]).toMatchObject({ rejects: 2 });
  });

  test('A day of use of which nothing is told is no row, and lines that were typed without Cursor are', () => {
    const nothing = Object.fromEntries(
      Object.entries(usageDay(email, 1)).map(([name, value]) => [name, typeof value === 'number' ? 0 : value]),
    );
    const idle = { ...nothing, date: dayMs(1), email, isActive: false };
    expect(convertUsage([idle]).records).toEqual([]);
    expect(convertUsage([{ ...idle, totalLinesAdded: 12 }]).records).toMatchObject([
      { is_active: false, lines_added: 12 },
    ]);
  });

  test('A day of use of somebody without an address is that of their number', () => {
    const { records, problems } = convertUsage([
      usageDay('', 1, { userId: 4711 }),
      usageDay('', 1),
      usageDay(email, 1, { totalAccepts: -1 }),
    ]);
    expect(records.map(({ person_login }) => person_login)).toEqual(['4711']);
    expect(problems).toEqual([
      'day: email is missing',
      'day: totalAccepts must be a number that is not negative, not number',
    ]);
  });
});

describe('tokens and costs', () => {
  test('Tokens and costs of a person and a day are the sum of all kinds over all requests', () => {
    const { records } = tokensOf(
      usageEvent(email, 1, 9),
      usageEvent(email, 1, 10, { model: 'model-b', tokenUsage: { inputTokens: 5, totalCents: 20.18232 } }),
    );
    const row = { source: 'cursor', date: '2026-03-30', person_email: email, tokens: 4_425, cost_usd: 0.2028232 };
    expect(records).toEqual([row]);
  });

  test('Tokens and costs of a request that is on two pages count once', () => {
    const one = usageEvent(email, 1, 9);
    expect(tokensOf(one, { ...one }, { ...one, model: 'model-b' }).records).toMatchObject([{ tokens: 8_840 }]);
  });

  test('Tokens and costs are unknown of a request that does not tell them, whatever it counts as in the plan', () => {
    expect(tokensOf({ ...usageEvent(email, 1, 9), tokenUsage: null, requestsCosts: 1.4 }).records).toEqual([]);
    const [record] = tokensOf({ ...usageEvent(email, 1, 9), tokenUsage: { inputTokens: 3 } }).records;
    expect(record).toMatchObject({ tokens: 3 });
    expect(record).not.toHaveProperty('cost_usd');
  });

  test('Tokens and costs without a person are those of a service account, which is a bot', () => {
    const { records, problems } = tokensOf(
      { ...usageEvent(email, 1, 9), userEmail: null, serviceAccountId: 'svc_1' },
      { ...usageEvent(email, 1, 9), userEmail: null },
    );
    expect(records).toMatchObject([{ person_login: 'svc_1', person_is_bot: true, tokens: 4_420 }]);
    expect(problems).toEqual(['usage event: userEmail is missing']);
  });

  test('Tokens and costs are of the day in UTC, and their sum is the same in every order', () => {
    const late = usageEvent(email, 1, 23.99);
    const early = usageEvent(email, 0, 0, { tokenUsage: { inputTokens: 1, totalCents: 0.7 } });
    expect(tokensOf(late, early).records.map(({ date }) => date)).toEqual(['2026-03-30', '2026-03-31']);
    const cents = [0.1, 0.2, 0.3, 40.16699999999999];
    const events = cents.map((totalCents, hour) => usageEvent(email, 1, hour, { tokenUsage: { totalCents } }));
    expect(tokensOf(...events).records).toEqual(tokensOf(...events.toReversed()).records);
    expect(tokensOf(...events).records).toMatchObject([{ cost_usd: 0.40767 }]);
  });
});

describe.runIf(recordedDataAvailable)('recorded answers of Cursor', () => {
  const read = (name: string, field: string) =>
    (JSON.parse(readFileSync(join(recordedDataFolder, name), 'utf8')) as Record<string, readonly Fields[]>)[field] ??
    [];
  const total = (rows: readonly Fields[], field: string) => rows.reduce((all, row) => all + Number(row[field] ?? 0), 0);

  test.each(['cursor-faros/daily_usage.json', 'vendor-documented-examples/cursor_POST_teams_daily-usage-data.json'])(
    'Recorded days of use have the sums of their fields: %s',
    (name) => {
      const payloads = read(name, 'data');
      const { records, problems } = convertUsage(payloads);
      expect(problems).toEqual([]);
      expect(records.map(({ date }) => date)).toEqual(['2024-03-18', '2024-03-19']);
      // Added up by hand: 73 + 289 + 91 + 398 and 14 + (342 - 289) + 11 + (456 - 398).
      expect([total(records, 'accepts'), total(records, 'rejects')]).toEqual([851, 136]);
      expect(total(records, 'ai_lines')).toBe(total(payloads, 'acceptedLinesAdded'));
      expect(total(records, 'chat_requests')).toBe(284);
      for (const record of records) expect(readRecord(recordShapeFor('ai_copilot'), record)).toHaveProperty('record');
    },
  );

  test.each([
    'cursor-faros/usage_events.json',
    'vendor-documented-examples/cursor_POST_teams_filtered-usage-events.json',
  ])('Recorded requests have the tokens of all kinds and their cost in dollars: %s', (name) => {
    const { records, problems } = tokensOf(...read(name, 'usageEvents'));
    expect(problems).toEqual([]);
    // Two requests of one person; the third tells no tokens. By hand: 126 + 450 + 6112 + 11964 + 5805 + 311 + 11964.
    expect(records).toMatchObject([{ date: '2025-06-26', tokens: 36_732, cost_usd: 0.6034932 }]);
    for (const record of records) expect(readRecord(recordShapeFor('ai_copilot'), record)).toHaveProperty('record');
  });
});

let host: ReplayHost | undefined;
afterEach(() => host?.close());

async function opened(
  world: CursorWorld,
  settings: SettingValues = {},
  instead: (asked: AskedRequest) => Reply | undefined = () => undefined,
) {
  host = await ReplayHost.start({
    now: () => cursorNow,
    answer: (asked) => instead(asked) ?? cursorAnswer(world, asked),
  });
  const values = { base_url: host.url, token: cursorToken, ...settings };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal, random: () => 0 };
  return { source: openSource(cursor, values, options).source, seen: host.seen };
}

async function streamOf(source: Awaited<ReturnType<typeof opened>>['source'], id: string) {
  for await (const stream of source.streams()) if (stream.id === id) return stream;
  throw new Error(`there is no stream ${id}`);
}

const daysAsked = (seen: readonly AskedRequest[], end: string) =>
  seen
    .filter(({ path }) => path.endsWith(end))
    .map(({ body }) => {
      const { startDate, endDate } = body as Record<string, number>;
      return [startDate, endDate].map((ms) => new Date(ms ?? 0).toISOString().slice(0, 10));
    });

describe('the history', () => {
  test('The history is asked for by thirty days, and ends where Cursor has kept nothing for ninety', async () => {
    const { source, seen } = await opened({ days: [1, 45].map((ago) => usageDay(email, ago)), events: [] });
    const { of, pages } = await readWhole(await streamOf(source, 'usage'));
    expect(of('ai_copilot').map(({ date }) => date)).toEqual(['2026-03-30', '2026-02-14']);
    expect(pages.flatMap(({ notSeen = [] }) => notSeen)).toEqual([
      { why: 'retention', what: 'Cursor keeps use for a rolling time only', since: Date.UTC(2026, 1, 14) / 1_000 },
    ]);
    expect(daysAsked(seen, 'daily-usage-data')).toEqual([
      ['2026-03-01', '2026-03-31'],
      ['2026-01-30', '2026-03-01'],
      ['2025-12-31', '2026-01-30'],
      ['2025-12-01', '2025-12-31'],
      ['2025-11-01', '2025-12-01'],
    ]);
  });

  test('The history begins at the day since which it is wanted, and a day that is not over is not read', async () => {
    const world = cursorCase.makeWorld() as CursorWorld;
    const { source, seen } = await opened(world, { since: '2026-03-29' });
    const { of } = await readWhole(await streamOf(source, 'usage'));
    expect([...new Set(of('ai_copilot').map(({ date }) => date))]).toEqual(['2026-03-30', '2026-03-29']);
    expect(daysAsked(seen, 'daily-usage-data')).toEqual([['2026-03-29', '2026-03-31']]);
    await host?.close();
    const later = await opened(world, { since: '2026-05-01' });
    expect((await readWhole(await streamOf(later.source, 'usage'))).pages).toEqual([
      { records: [], count: 0, at: cursorNow },
    ]);
  });

  test('The history follows pages of days, where Cursor cuts them', async () => {
    const { source } = await opened(
      { days: [], events: [] },
      { since: '2026-03-25' },
      ({ path, body }): Reply | undefined => {
        if (!path.endsWith('daily-usage-data')) return undefined;
        const { page = 1 } = body as { page?: number };
        const data = [usageDay(`person-${page}@acme.example`, 2)];
        return { status: 200, body: { data, pagination: { hasNextPage: page < 3 } } };
      },
    );
    const { of } = await readWhole(await streamOf(source, 'usage'));
    expect(of('ai_copilot')).toHaveLength(3);
  });

  test('The history is not asked for ever where every page is the same', async () => {
    const same: Reply = {
      status: 200,
      body: { usageEvents: [usageEvent(email, 1, 1)], pagination: { hasNextPage: true } },
    };
    const { source } = await opened({ days: [], events: [] }, {}, ({ path }) =>
      path.endsWith('usage-events') ? same : undefined,
    );
    const stream = await streamOf(source, 'usage_events');
    await expect(stream.read({})).rejects.toThrow('The pages lead in a circle');
  });

  test('The last days are read again, and only those that have changed are written', async () => {
    const world = cursorCase.makeWorld() as CursorWorld;
    const { source, seen } = await opened(world);
    const stream = await streamOf(source, 'usage');
    const { mark = null } = await stream.read({});
    const downTo = cursorNow - 3 * 86_400;
    expect(await stream.read({ mark, downTo })).toMatchObject({ isUnchanged: true, records: [] });
    Object.assign(world.days[1] ?? {}, { totalAccepts: 100 });
    const again = await stream.read({ mark, downTo });
    expect(again.records[0]?.records.map(({ date, person_email }) => [date, person_email])).toEqual([
      ['2026-03-29', email],
      ['2026-03-29', 'bo@acme.example'],
    ]);
    expect(again.next).toBeUndefined();
    expect(daysAsked(seen, 'daily-usage-data').slice(1)).toEqual([
      ['2026-03-28', '2026-03-31'],
      ['2026-03-28', '2026-03-31'],
    ]);
  });

  test('What could not be read of days is told again each time, beside all that could', async () => {
    const world = cursorCase.makeWorld() as CursorWorld;
    const { source } = await opened(world);
    const stream = await streamOf(source, 'usage');
    const { mark = null } = await stream.read({});
    Object.assign(world.days[0] ?? {}, { chatRequests: 'many' });
    const again = await stream.read({ mark, downTo: cursorNow - 3 * 86_400 });
    expect(again.problems).toEqual(['day: chatRequests must be a whole number, not string']);
    expect(again.records[0]?.records.length).toBeGreaterThan(1);
    expect(again.isUnchanged).toBeUndefined();
  });
});

describe('a check', () => {
  test('A check says how many members there are', async () => {
    const { source } = await opened(cursorCase.makeWorld() as CursorWorld);
    expect(await source.check()).toMatchObject({
      sees: ['2 members'],
      missing: [],
      clockDifferenceSeconds: expect.any(Number),
    });
  });

  test('A check names each part that is refused, and what to do', async () => {
    const { source } = await opened({ days: [], events: [] }, {}, () => ({
      status: 403,
      body: { error: 'their words' },
    }));
    const { sees, missing } = await source.check();
    expect(sees).toEqual([]);
    expect(missing).toEqual([
      'Members of the team cannot be read. Make an Admin API key',
      expect.stringContaining('Daily use cannot be read'),
      expect.stringContaining('tokens and costs stay unknown'),
    ]);
  });

  test('A check of a key that is not accepted says so, and one with a line break is not sent', async () => {
    const { source } = await opened({ days: [], events: [] }, { token: 'another' });
    await expect(source.check()).rejects.toThrow('does not accept the token (401)');
    await host?.close();
    await expect(opened({ days: [], events: [] }, { token: 'a\nb' })).rejects.toThrow('such as a line break');
  });
});
