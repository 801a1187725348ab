import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { App } from '../../../src/main.ts';
import { githubCopilot } from '../../../src/sources/github-copilot/github-copilot.ts';
import { quickStore } from '../../conformance/stores.ts';
import { openTemporaryApp } from '../../setup/temporary-app.ts';
import { SyncedSource } from '../synced-source.ts';
import { CopilotHost, type CopilotWorld, seat, userDay } from './copilot-host.ts';

let app: App;
beforeAll(async () => {
  app = await openTemporaryApp({ store: quickStore });
});
afterAll(() => app.close());

async function start(world: CopilotWorld) {
  const host = await CopilotHost.start(world);
  onTestFinished(() => host.stop());
  const settings = { base_url: host.baseUrl, token: 'a-token', organization: 'acme', allow_hosts: [host.fileHost] };
  return { host, source: await SyncedSource.add(app, githubCopilot, settings) };
}

test('Reports and seats become days of people; nothing new asks little and writes nothing', async () => {
  const reports = new Map([['2026-03-30', [userDay('ada', '2026-03-30')]]]);
  const { host, source } = await start({
    reports,
    seats: [seat('ada', '2026-03-30T10:00:00Z'), seat('bo', '2026-03-29T10:00:00Z')],
  });

  await source.sync();

  expect((await source.rows('ai_copilot')).map((row) => [row.person_login, row.is_active, row.accepts])).toEqual([
    ['ada', true, 8],
    ['bo', true, null],
  ]);
  const { version } = source;
  host.asked.length = 0;
  await source.sync();
  expect(source.version).toBe(version);
  // The newest report by its day, and the seats by their ETag; that of teams is looked for while there is none.
  expect(host.asked.filter(({ path }) => !path.includes('user-teams'))).toHaveLength(3);
  expect(host.asked).toHaveLength(6);
});

test('Totals of the organisation give way to days of people, once they are reported', async () => {
  const usage = ['2026-03-29', '2026-03-30'].map((day) => ({
    day,
    total_suggestions_count: 30,
    total_acceptances_count: 10,
    total_lines_suggested: 60,
    total_lines_accepted: 20,
    total_chat_turns: 3,
    breakdown: [],
  }));
  const { host, source } = await start({ usage, seats: [] });
  await source.sync();
  const before = await source.rows('ai_copilot');
  expect(before.map((row) => [row.person_login, row.is_bot, row.is_active, row.accepts])).toEqual([
    ['acme', true, false, 10],
    ['acme', true, false, 10],
  ]);

  host.world.reports = new Map([['2026-03-30', [userDay('ada', '2026-03-30')]]]);
  await source.sync();

  expect((await source.rows('ai_copilot')).map((row) => [row.person_login, row.date])).toEqual([
    ['acme', '2026-03-29'],
    ['ada', '2026-03-30'],
  ]);
});
