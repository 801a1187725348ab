import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { claudeCode } from '../../../src/sources/claude-code/claude-code.ts';
import { convertActivity, convertReport } from '../../../src/sources/claude-code/convert.ts';
import { openSource } from '../../../src/sources/open-source.ts';
import type { SettingValues } from '../../../src/sources/source.ts';
import { refuseBadSettings } from '../../../src/sources/source-settings.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { type AskedRequest, ReplayHost } from '../contract/replay-host.ts';
import { readWhole } from '../read-whole.ts';
import {
  activityRow,
  type ClaudeWorld,
  claudeNow,
  claudeToken,
  consoleAnswer,
  consoleCase,
  day,
  enterpriseAnswer,
  enterpriseCase,
  reportRow,
} from './claude-code-cases.ts';

const email = 'ada@acme.example';

describe('a row of the Console', () => {
  test('A row of the Console is lines, decisions, tokens and costs of a person and a day', () => {
    expect(convertReport([reportRow(email, 1)]).records).toEqual([
      {
        source: 'claude-code',
        date: '2026-03-30',
        person_email: email,
        is_active: true,
        ai_lines: 201,
        accepts: 13,
        rejects: 3,
        // 1000 + 40 + 500 + 60 and 100 + 40 + 500 + 60.
        tokens: 2_300,
        cost_usd: 1.625,
        model: 'model-a',
      },
    ]);
  });

  test('A row of the Console is added to those of other terminals and plans, in any order', () => {
    const rows = [
      reportRow(email, 1),
      reportRow('Ada@acme.example', 1, {
        terminal_type: 'iTerm.app',
        customer_type: 'subscription',
        model_breakdown: [
          { model: 'model-b', tokens: { input: 2_000 }, estimated_cost: { currency: 'USD', amount: 30 } },
        ],
      }),
    ];
    const { records } = convertReport(rows);
    expect(records).toMatchObject([{ ai_lines: 402, accepts: 26, tokens: 4_300, cost_usd: 1.925, model: 'model-b' }]);
    expect(convertReport(rows.toReversed()).records).toEqual(records);
  });

  test('A row of the Console that names a key is that of a bot with its name', () => {
    const actor = { type: 'api_actor', api_key_name: 'nightly' };
    const { records } = convertReport([reportRow(email, 1, { actor })]);
    expect(records).toMatchObject([{ person_login: 'nightly', person_is_bot: true }]);
    expect(records[0]).not.toHaveProperty('person_email');
  });

  test('A row of the Console leaves out what it does not tell', () => {
    const [record] = convertReport([
      reportRow(email, 1, { model_breakdown: [], tool_actions: null, core_metrics: { num_sessions: 4 } }),
    ]).records;
    expect(record).toEqual({ source: 'claude-code', date: '2026-03-30', person_email: email, is_active: true });
    const untold = [{ model: 'model-a' }, { model: 'model-b', tokens: { input: 5 } }];
    const [partly] = convertReport([reportRow(email, 1, { model_breakdown: untold })]).records;
    // What one model used is not the sum of both.
    expect(partly).not.toHaveProperty('tokens');
    const inEuros = { model: 'model-a', tokens: { input: 5 }, estimated_cost: { currency: 'EUR', amount: 9 } };
    const [other] = convertReport([reportRow(email, 1, { model_breakdown: [inEuros] })]).records;
    expect(other).toMatchObject({ tokens: 5 });
    expect(other).not.toHaveProperty('cost_usd');
  });

  test('A row of the Console of an unknown shape is named by its field, and does not stop the others', () => {
    const { records, problems } = convertReport([
      reportRow(email, 1, { actor: { type: 'user_actor' } }),
      reportRow(email, 1, { date: 'yesterday' }),
      reportRow(email, 1),
    ]);
    expect(records).toHaveLength(1);
    expect(problems).toEqual(['row: actor: email_address is missing', 'row: date must be a day such as 2026-01-31']);
  });
});

describe('a row of the Enterprise plan', () => {
  test('A row of the Enterprise plan is lines and decisions, without tokens and costs', () => {
    expect(convertActivity([activityRow(email)], '2026-03-27').records).toEqual([
      {
        source: 'claude-code',
        date: '2026-03-27',
        person_email: email,
        is_active: true,
        ai_lines: 80,
        accepts: 9,
        rejects: 1,
      },
    ]);
  });

  test('A row of the Enterprise plan of somebody who used Claude and not Claude Code is none', () => {
    const zeros = { core_metrics: { distinct_session_count: 0, lines_of_code: { added_count: 0 } }, tool_actions: {} };
    const rows = [
      activityRow(email, { claude_code_metrics: zeros }),
      activityRow(email, { claude_code_metrics: null }),
    ];
    expect(convertActivity(rows, '2026-03-27')).toEqual({ records: [], problems: [] });
    const session = { core_metrics: { distinct_session_count: 1 } };
    expect(convertActivity([activityRow(email, { claude_code_metrics: session })], day(4)).records).toHaveLength(1);
  });

  test('A row of the Enterprise plan of a deleted account is that of its number', () => {
    const user = { id: 'user_7', email_address: null };
    expect(convertActivity([activityRow(email, { user })], day(4)).records).toMatchObject([{ person_login: 'user_7' }]);
  });
});

describe.runIf(recordedDataAvailable)('recorded answers about Claude Code', () => {
  test.each([
    ['claude-faros/claude_code_usage_report.json', [50, 6], [101_900, 48_700], [2.28, 1.25]],
    [
      'vendor-documented-examples/anthropic_GET_v1_organizations_usage_report_claude_code.json',
      [25, 3],
      [101_900],
      [2.28],
    ],
  ])('Recorded rows have the sums of their fields: %s', (name, decisions, tokens, costs) => {
    const { data } = JSON.parse(readFileSync(join(recordedDataFolder, name), 'utf8')) as { data: readonly unknown[] };
    const { records, problems } = convertReport(data);
    expect(problems).toEqual([]);
    // Added up by hand over models and tools.
    expect([records[0]?.accepts, records[0]?.rejects]).toEqual(decisions);
    expect(records.map((record) => record.tokens)).toEqual(tokens);
    expect(records.map((record) => record.cost_usd)).toEqual(costs);
    expect(records[0]).toMatchObject({ date: '2025-08-08', ai_lines: 342 });
    for (const record of records) expect(readRecord(recordShapeFor('ai_copilot'), record)).toHaveProperty('record');
  });
});

let host: ReplayHost | undefined;
afterEach(() => host?.close());

type Answers = (world: ClaudeWorld, asked: AskedRequest) => Reply;

async function opened(answer: Answers, world: ClaudeWorld, settings: SettingValues = {}) {
  host = await ReplayHost.start({ now: () => claudeNow, answer: (asked) => answer(world, asked) });
  const values = { base_url: host.url, token: claudeToken, ...settings };
  const options = { mayBePrivate: () => true, signal: new AbortController().signal, random: () => 0 };
  return { source: openSource(claudeCode, values, options).source, seen: host.seen };
}

async function daysOf(source: Awaited<ReturnType<typeof opened>>['source']) {
  for await (const stream of source.streams()) return stream;
  throw new Error('there is no stream');
}

describe('the interface', () => {
  test('The interface is the one that accepts the key, and only the one that the settings name is tried', async () => {
    const console = await opened(consoleAnswer, new Map());
    expect(await console.source.check()).toMatchObject({ sees: ['days of the Console'], missing: [] });
    expect(console.seen).toHaveLength(1);
    await host?.close();
    const enterprise = await opened(enterpriseAnswer, new Map());
    expect(await enterprise.source.check()).toMatchObject({
      sees: ['days of the Enterprise plan'],
      missing: ['The interface of the Enterprise plan reports no tokens and no costs'],
    });
    // A sync says it as well, and of the Console nothing.
    expect((await daysOf(enterprise.source)).notSeen).toEqual([
      { why: 'hidden', what: 'The interface of the Enterprise plan reports no tokens and no costs' },
    ]);
    await host?.close();
    expect((await daysOf((await opened(consoleAnswer, new Map())).source)).notSeen).toEqual([]);
    await host?.close();
    const named = await opened(enterpriseAnswer, new Map(), { interface: 'console' });
    await expect(named.source.check()).rejects.toThrow('The key is not accepted by the Console');
    expect(named.seen).toHaveLength(1);
  });

  test('The interface that accepts no key says which keys there are', async () => {
    const { source } = await opened(() => ({ status: 401, body: { error: 'their words' } }), new Map());
    const problem = await source.check().catch((error: unknown) => error);
    expect(problem).toMatchObject({
      message: 'The key is not accepted by the Console nor by the Enterprise plan',
      toDo: expect.stringMatching(/Admin keys.*read:analytics.*Other plans/s),
      isRefused: true,
    });
  });

  test('The interface that is named otherwise than it is called is refused with the settings', () => {
    const texts = { token: 'a', interface: 'team' };
    expect(() => refuseBadSettings(claudeCode, texts, { origin: 'command' })).toThrow(
      "interface must be console or enterprise, not 'team'",
    );
  });
});

describe('the days', () => {
  test('The days of the Console are asked for one by one, with all pages of each', async () => {
    const { source, seen } = await opened(consoleAnswer, consoleCase.makeWorld() as ClaudeWorld, { since: day(2) });
    const { of } = await readWhole(await daysOf(source));
    expect(of('ai_copilot')).toHaveLength(4);
    const asked = seen.slice(1).map(({ query }) => [query.get('starting_at'), query.get('page'), query.get('limit')]);
    expect(asked).toEqual([
      ['2026-03-30', null, '1000'],
      ['2026-03-30', 'page_2', '1000'],
      ['2026-03-29', null, '1000'],
      ['2026-03-29', 'page_2', '1000'],
    ]);
  });

  test('The days of the Enterprise plan begin with 2026, and those that are not reported yet come later', async () => {
    const world = enterpriseCase.makeWorld() as ClaudeWorld;
    world.set('2025-12-31', [activityRow(email)]);
    const { source, seen } = await opened(enterpriseAnswer, world, { since: '2025-06-01' });
    const { of } = await readWhole(await daysOf(source));
    const days = of('ai_copilot').map(({ date }) => String(date));
    expect(days.at(-1)).toBe(day(36));
    expect([...days].sort().at(-1)).toBe(day(3));
    expect(seen.at(-1)?.query.get('date')).toBe('2026-01-01');
  });

  test('The days before the last week that are refused are an error', async () => {
    const { source } = await opened(
      (world, asked) =>
        asked.query.get('date') === day(9) ? { status: 400, body: {} } : enterpriseAnswer(world, asked),
      enterpriseCase.makeWorld() as ClaudeWorld,
    );
    await expect(readWhole(await daysOf(source))).rejects.toThrow('does not understand a request (400)');
  });
});
