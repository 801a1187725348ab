import { afterEach, expect, test } from 'vitest';
import { githubCopilot } from '../../../src/sources/github-copilot/github-copilot.ts';
import { type OpenedSource, openSource } from '../../../src/sources/open-source.ts';
import type { StreamPosition } from '../../../src/sources/source.ts';
import { CopilotHost, type CopilotWorld, inTeam, userDay } from './copilot-host.ts';

let host: CopilotHost;
let opened: OpenedSource;
afterEach(async () => {
  opened.close();
  await host.stop();
});

async function open(world: CopilotWorld): Promise<void> {
  host = await CopilotHost.start({ reports: new Map([['2026-03-30', [userDay('ada', '2026-03-30')]]]), ...world });
  opened = openSource(
    githubCopilot,
    { base_url: host.baseUrl, token: 'a-token', organization: 'acme', allow_hosts: [host.fileHost] },
    { mayBePrivate: () => true, signal: new AbortController().signal, random: () => 0 },
  );
}

async function read(position: StreamPosition = {}) {
  for await (const stream of opened.source.streams())
    if (stream.name === 'teams of Copilot') return stream.read(position);
  throw new Error('there is no such stream');
}

const some = [inTeam('core-team', 'ada'), inTeam('core-team', 'grace'), inTeam('docs', 'ada'), inTeam('docs', null)];

test('Teams of Copilot are those of the newest report, by the names that GitHub shows', async () => {
  const teams = [{ slug: 'core-team', name: 'Core Team' }];
  await open({ teamReports: new Map([['2026-03-30', some]]), teams });
  expect(await read()).toMatchObject({
    directory: {
      owner: 'acme',
      reported: [
        { slug: 'core-team', name: 'Core Team', logins: ['ada', 'grace'] },
        { slug: 'docs', logins: ['ada'] },
      ],
    },
    count: 4,
    mark: '2026-03-30',
    notSeen: [{ why: 'hidden' }],
  });
  expect(host.askedForFiles.every(({ authorization }) => authorization === undefined)).toBe(true);
  host.askedForFiles.length = 0;
  expect(await read({ mark: '2026-03-30' })).toMatchObject({ isUnchanged: true, mark: '2026-03-30' });
  expect(host.askedForFiles).toEqual([]);
});

test('Teams of Copilot are looked for some days back, and not behind the day that is known', async () => {
  await open({ teamReports: new Map([['2026-03-28', some]]), teams: [] });
  expect(await read()).toMatchObject({ mark: '2026-03-28', count: 4 });
  expect(await read({ mark: '2026-03-28' })).toMatchObject({ isUnchanged: true, mark: '2026-03-28' });
  host.world.teamReports = new Map([['2026-03-27', some]]);
  expect(await read()).toMatchObject({ isUnchanged: true, count: 0 });
});

test('Teams of Copilot are not taken from a report of which a part is unknown', async () => {
  await open({ teamReports: new Map([['2026-03-30', [...some, { user_login: 'ada', day: '2026-03-30' }]]]) });
  const page = await read();
  expect(page.problems).toEqual([expect.stringContaining('slug')]);
  expect(page).not.toHaveProperty('directory');
  expect(page).not.toHaveProperty('mark');
});

test('Teams of Copilot whose names are not shown are said, by the sync and by the check', async () => {
  await open({ teamReports: new Map([['2026-03-30', some]]), seats: [] });
  const { notSeen, directory } = await read();
  expect(notSeen).toEqual([expect.objectContaining({ why: 'hidden' }), expect.objectContaining({ why: 'right' })]);
  expect(directory).toMatchObject({ reported: [{ slug: 'core-team', logins: ['ada', 'grace'] }, { slug: 'docs' }] });
  expect((await opened.source.check()).missing).toEqual([expect.stringMatching(/Names of teams .* "Members"/)]);
});

test('A host without reports of people has no teams of Copilot', async () => {
  await open({ reports: undefined as never, usage: [] });
  expect(await read()).toMatchObject({ records: [], count: 0 });
  expect(await read()).not.toHaveProperty('notSeen');
});
