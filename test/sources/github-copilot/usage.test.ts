import { afterEach, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { githubCopilot } from '../../../src/sources/github-copilot/github-copilot.ts';
import { type OpenedSource, openSource } from '../../../src/sources/open-source.ts';
import type { SettingValues, Stream } from '../../../src/sources/source.ts';
import { readWhole } from '../read-whole.ts';
import { CopilotHost, type CopilotWorld, seat, shifted, userDay } from './copilot-host.ts';

let host: CopilotHost;
let opened: OpenedSource;
afterEach(async () => {
  opened.close();
  await host.stop();
});

async function open(world: CopilotWorld, settings: SettingValues = {}): Promise<void> {
  host = await CopilotHost.start(world);
  opened = openSource(
    githubCopilot,
    { base_url: host.baseUrl, token: 'a-token', organization: 'acme', allow_hosts: [host.fileHost], ...settings },
    { mayBePrivate: () => true, signal: new AbortController().signal, random: () => 0 },
  );
}

async function stream(name: string): Promise<Stream> {
  for await (const one of opened.source.streams()) if (one.name === name) return one;
  throw new Error(`there is no stream ${name}`);
}
const usage = () => stream('use of Copilot');
const seats = () => stream('Copilot seats');
/** Records that stay: without those that take the organisation's day away. */
const kept = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.filter((row) => !row._deleted);
const paths = () => host.asked.map(({ path }) => path.replace('/orgs/acme/copilot', ''));

const daily = (from: string, days: number, login = 'ada') =>
  new Map(Array.from({ length: days }, (_, n) => [shifted(from, n), [userDay(login, shifted(from, n))]]));

describe('the use of Copilot', () => {
  test('The use of Copilot is what the report says of each person and day', async () => {
    await open({ reports: new Map([['2026-03-30', [userDay('Ada', '2026-03-30')]]]) });

    const read = await readWhole(await usage());

    expect(kept(read.of('ai_copilot'))).toEqual([
      {
        source: 'github-copilot',
        date: '2026-03-30',
        person_login: 'Ada',
        is_active: true,
        suggested_lines: 70,
        accepted_lines: 25,
        accepts: 8,
        rejects: 12,
        chat_requests: 4,
        composer_requests: 0,
        agent_requests: 5,
        cmd_k_usages: 2,
        ai_lines: 125,
        model: 'model-a',
        language: 'typescript',
      },
    ]);
    const shape = recordShapeFor('ai_copilot');
    for (const row of read.of('ai_copilot')) expect(readRecord(shape, row)).toHaveProperty('record');
  });

  test('The use of Copilot is fetched from the host of the files without the token, and refused from any other', async () => {
    await open({ reports: daily('2026-03-20', 11) });
    await readWhole(await usage());

    expect(host.askedForFiles.length).toBeGreaterThan(0);
    expect(host.askedForFiles.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
    expect(host.asked.every(({ authorization }) => authorization === 'Bearer a-token')).toBe(true);

    opened.close();
    await host.stop();
    await open({ reports: daily('2026-03-20', 11) }, { allow_hosts: [] });
    await expect(readWhole(await usage())).rejects.toThrow(/leads to another host/);
    expect(host.askedForFiles).toEqual([]);
  });

  test('The use of Copilot is read by 28 days at once, then day by day down to the first one', async () => {
    await open({ reports: daily('2026-02-20', 39) });

    const read = await readWhole(await usage());

    const days = kept(read.of('ai_copilot')).map((row) => row.date);
    expect(days.toSorted()).toEqual([...daily('2026-02-20', 39).keys()]);
    // The days before there was a report end it, not the year that GitHub keeps.
    const asked = paths().filter((path) => path.includes('users-1-day'));
    expect(asked).toHaveLength(11 + 28);
    expect(asked[0]).toContain('day=2026-03-02');
  });

  test('The use of Copilot is read file by file, and again from the first where the report has moved on meanwhile', async () => {
    const reports = new Map([['2026-03-30', ['ada', 'bo', 'cy'].map((login) => userDay(login, '2026-03-30'))]]);
    await open({ reports, files: 3 }, { since: '2026-03-20' });
    const first = await (await usage()).read({});
    const read = await readWhole(await usage());
    host.world.lastDay = '2026-03-31';
    const moved = await readWhole(await usage(), { next: first.next ?? null });

    expect(read.pages.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(kept(moved.of('ai_copilot')).map((row) => row.person_login)).toEqual(['ada', 'bo', 'cy']);
  });

  test('The use of Copilot is read day by day where a file of many days cannot be had', async () => {
    await open({ reports: daily('2026-03-20', 11), areLatestFilesRefused: true }, { since: '2026-03-25' });

    const rows = kept((await readWhole(await usage())).of('ai_copilot'));

    expect(rows.map((row) => row.date)).toEqual([...daily('2026-03-25', 6).keys()].toReversed());
  });

  test('The use of Copilot asks once where no new day is reported, else for the new days and three before', async () => {
    await open({ reports: daily('2026-03-01', 31), lastDay: '2026-03-28' });
    const { mark = null } = await readWhole(await usage());
    host.asked.length = 0;

    const unchanged = await readWhole(await usage(), { mark, downTo: 1_774_600_000 });
    expect(unchanged.pages).toEqual([expect.objectContaining({ isUnchanged: true, records: [] })]);
    expect(paths()).toEqual(['/metrics/reports/users-28-day/latest']);

    host.world.lastDay = '2026-03-30';
    const news = await readWhole(await usage(), { mark, downTo: 1_774_800_000 });
    expect(kept(news.of('ai_copilot')).map((row) => row.date)).toEqual([
      '2026-03-30',
      '2026-03-29',
      '2026-03-28',
      '2026-03-27',
      '2026-03-26',
    ]);
    expect(news.mark).toBe('2026-03-30');
  });

  test('The use of Copilot is the same whether a file has lines or one document', async () => {
    await open({ reports: daily('2026-03-28', 3), form: 'document' }, { since: '2026-03-20' });

    expect(kept((await readWhole(await usage())).of('ai_copilot'))).toHaveLength(3);
  });

  test('The use of Copilot names the field of an entry that is not as it should be, and takes the others', async () => {
    const wrong = [userDay('ada', '2026-03-30', { loc_added_sum: 'many' }), userDay('', '2026-03-30')];
    await open({ reports: new Map([['2026-03-30', [...wrong, userDay('bo', '2026-03-30')]]]) });

    const { pages, of } = await readWhole(await usage());

    expect(pages[0]?.problems).toEqual([
      'user-day: loc_added_sum must be a whole number, not string',
      'user-day: user_login is missing',
    ]);
    expect(kept(of('ai_copilot')).map((row) => row.person_login)).toEqual(['bo']);
  });

  test('The use of Copilot waits for a limit that looks like a refusal', async () => {
    await open({ reports: daily('2026-03-30', 1), teams: [], instead: new Map([['/billing', 'limited']]) });

    expect((await opened.source.check()).missing).toEqual([]);
  });
});

describe('older metrics', () => {
  const metrics = [
    {
      date: '2026-03-29',
      total_active_users: 4,
      copilot_ide_code_completions: {
        editors: [
          {
            name: 'vscode',
            models: [
              {
                name: 'default',
                languages: [
                  {
                    name: 'go',
                    total_code_suggestions: 30,
                    total_code_acceptances: 10,
                    total_code_lines_suggested: 50,
                    total_code_lines_accepted: 20,
                  },
                  {
                    name: 'sql',
                    total_code_suggestions: 5,
                    total_code_acceptances: 5,
                    total_code_lines_suggested: 5,
                    total_code_lines_accepted: 5,
                  },
                ],
              },
            ],
          },
        ],
      },
      copilot_ide_chat: { editors: [{ name: 'vscode', models: [{ name: 'default', total_chats: 7 }] }] },
      copilot_dotcom_chat: { models: [{ name: 'custom-1', total_chats: 2 }] },
    },
    { date: '2026-03-30', total_active_users: 0, copilot_ide_code_completions: null, copilot_dotcom_chat: null },
  ];
  const usageDays = [
    {
      day: '2026-03-29',
      total_suggestions_count: 35,
      total_acceptances_count: 15,
      total_lines_suggested: 55,
      total_lines_accepted: 25,
      total_chat_turns: 9,
      breakdown: [{ language: 'go', editor: 'vscode', suggestions_count: 30 }],
    },
  ];
  const wholeDay = {
    source: 'github-copilot',
    date: '2026-03-29',
    person_login: 'acme',
    person_is_bot: true,
    is_active: false,
    accepts: 15,
    rejects: 20,
    suggested_lines: 55,
    accepted_lines: 25,
    ai_lines: 25,
    chat_requests: 9,
    language: 'go',
  };

  test('Older metrics are of the whole organisation and of nobody, where the host reports no people', async () => {
    await open({ metrics });

    const read = await readWhole(await usage());

    expect(read.of('ai_copilot')[0]).toEqual({ ...wholeDay, model: 'custom-1' });
    expect(read.of('ai_copilot')).toHaveLength(2);
    const shape = recordShapeFor('ai_copilot');
    for (const row of read.of('ai_copilot')) expect(readRecord(shape, row)).toHaveProperty('record');
  });

  test('Older metrics come from the interface before that where there is no other', async () => {
    await open({ usage: usageDays });

    expect((await readWhole(await usage())).of('ai_copilot')).toEqual([wholeDay]);
  });

  test('Older metrics give way to reports of people, day by day', async () => {
    await open({ metrics, reports: daily('2026-03-29', 1) });

    const rows = (await readWhole(await usage())).of('ai_copilot');

    expect(rows[0]).toEqual({ source: 'github-copilot', date: '2026-03-29', person_login: 'acme', _deleted: true });
    expect(kept(rows).map((row) => row.person_login)).toEqual(['ada']);
    expect(paths().filter((path) => path.startsWith('/metrics?'))).toEqual([]);
  });

  test.each(['api.github.com', 'api.acme.ghe.com'])('Older metrics are not asked for at %s', async (own) => {
    const asked: string[] = [];
    const get = async (path: string) => {
      asked.push(path);
      return { status: 404, body: {}, isUnchanged: false, at: 0, headers: {} };
    };
    const requests = { get, post: expect.fail, graphql: expect.fail };
    const { signal } = new AbortController();
    const source = githubCopilot.open({ settings: { organization: 'acme' }, host: own, requests, signal });
    for await (const one of source.streams()) {
      if (one.name === 'use of Copilot') await expect(one.read({})).rejects.toThrow('shows no use of Copilot');
    }
    expect(asked).toEqual(['/orgs/acme/copilot/metrics/reports/users-28-day/latest']);
    const { missing } = await source.check();
    expect(missing[0]).toContain('See that its name is right');
  });

  test('Older metrics are missed where the host has nothing at all', async () => {
    await open({});

    await expect(readWhole(await usage())).rejects.toThrow('acme shows no use of Copilot to the token');
  });
});

describe('seats', () => {
  test('Seats say that a person was active on the day of their last activity, in UTC', async () => {
    const lastSeats = [
      seat('ada', '2026-03-29T22:30:00-06:00'),
      seat('bo', null),
      { ...seat('cy', '2026-03-01T10:00:00Z'), assignee: null },
    ];
    await open({ seats: lastSeats });

    const read = await readWhole(await seats());

    expect(read.of('ai_copilot')).toEqual([
      { source: 'github-copilot', date: '2026-03-30', person_login: 'ada', is_active: true },
    ]);
    expect(read.pages[0]).toMatchObject({ count: 3, total: 3 });
  });

  test('Seats are read page by page, and not again while the only page is unchanged', async () => {
    await open({ seats: Array.from({ length: 150 }, (_, n) => seat(`user-${n}`, '2026-03-29T10:00:00Z')) });
    const many = await readWhole(await seats());
    expect(many.of('ai_copilot')).toHaveLength(150);
    expect(many.mark).toBeUndefined();

    host.world.seats = [seat('ada', '2026-03-29T10:00:00Z')];
    const { mark = null } = await readWhole(await seats());
    expect((await readWhole(await seats(), { mark })).pages).toEqual([expect.objectContaining({ isUnchanged: true })]);
  });
});

describe('check', () => {
  test('Check says what the token sees', async () => {
    await open({ reports: daily('2026-03-30', 1), seats: [seat('ada', null)], teams: [] });

    expect(await opened.source.check()).toMatchObject({
      account: 'ada',
      sees: ['acme: the use of each person, up to 2026-03-30', 'acme: 1 seat'],
      missing: [],
    });
  });

  test('Check says what is missing and what to do', async () => {
    await open({
      instead: new Map<string, number>([
        ['/metrics/reports', 403],
        ['/billing', 404],
        ['/user', 403],
      ]),
    });

    const { account, missing } = await opened.source.check();

    expect(account).toBeUndefined();
    expect(missing).toEqual([
      expect.stringContaining('Allow "Copilot usage metrics" in the policies of the organisation'),
      expect.stringContaining('manage_billing:copilot or read:org'),
    ]);
    expect(missing.join()).not.toContain('the words of the host');
  });

  test('Check needs an organisation, or repositories that have one', async () => {
    await open({});
    const { requests, signal } = {
      requests: { get: expect.fail, post: expect.fail, graphql: expect.fail },
      signal: new AbortController().signal,
    };
    const openWith = (settings: SettingValues) => githubCopilot.open({ settings, host: '', requests, signal });

    expect(() => openWith({})).toThrow('organization is missing');
    expect(() => openWith({ organization: '../user' })).toThrow("'../user' is no name of an organisation");
    const scopes = [];
    for await (const { scope } of openWith({ repositories: ['acme/web', 'Acme/api', 'beta/app'] }).streams())
      scopes.push(scope);
    expect(scopes).toEqual(['Acme', 'beta', 'Acme', 'beta', 'Acme', 'beta']);
  });
});
