import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { type App, openApp } from '../../src/main.ts';
import { quickStore, type StoreHome } from '../conformance/stores.ts';
import { tableStateOf } from '../ingest/state.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { throwAway } from '../setup/thrown-away.ts';
import { SomeClone } from './git/some-clone.ts';
import { type ReplayServer, startReplay } from './github/replay/server.ts';
import { somePull } from './github/replay/some-pull.ts';
import { someRepository } from './github/replay/some-world.ts';
import { emptyRepository, type World } from './github/replay/world.ts';

let place: StoreHome;
const open = () => openApp({ folder: place.folder, databaseUrl: place.databaseUrl, threads: threadsForFewRows });
let app: App;
let server: ReplayServer | undefined;
beforeAll(async () => {
  place = await quickStore.placeWithTables();
  app = await open();
});
afterEach(() => server?.close());
afterAll(async () => {
  await throwAway(place.folder);
  await app.close();
  await place.remove();
});

/** One pull request, number 7. GitHub leads to it from its earlier names. */
const worldOf = (name: string, earlierNames: readonly string[] = []): World => ({
  organizations: [],
  repositories: [
    {
      ...emptyRepository(someRepository(name, 101)),
      earlierNames,
      pulls: [somePull({ repository: name, number: 7 })],
    },
  ],
});

const organisation = async (): Promise<string> => {
  const id = randomUUID();
  await createOrganisation(
    app.directory,
    { via: 'demo' },
    { id, name: `Organisation ${id}`, ownerEmail: `owner@${id}.test` },
  );
  return id;
};

const add = async (organisationId: string, kind: string, settings: Readonly<Record<string, string>>) =>
  (
    await app.sources.add(
      { organisationId, actor: { via: 'command', user: 'test' }, origin: 'command' },
      kind,
      kind,
      settings,
    )
  ).id;

/** Without names of repositories: all that the token sees are read, under their present names. */
const addGithub = (organisationId: string) =>
  add(organisationId, 'github', { base_url: server?.url ?? '', token: 'replay-token' });

const sync = async (sourceId: string): Promise<void> => {
  const result = await app.syncs.sync(sourceId, { signal: new AbortController().signal });
  expect(result).toEqual({ outcome: 'complete' });
};

const putPullRequest = (organisationId: string, fields: Readonly<Record<string, unknown>>) =>
  app.ingest.put(organisationId, [
    { table: 'pull_requests', lines: [{ line: 1, value: { source: 'github', ...fields } }] },
  ]);

const pullRequests = async (organisationId: string) =>
  (await tableStateOf(app.warehouse, organisationId, 'pull_requests')).map((text) => {
    const { pr_id, repository, pr_title } = JSON.parse(text) as Record<string, unknown>;
    return [pr_id, repository, pr_title];
  });

function cloneOf(...messages: readonly string[]): SomeClone {
  const clone = new SomeClone();
  onTestFinished(() => clone.remove());
  for (const [i, message] of messages.entries()) clone.commit(message, { at: `2024-01-0${i + 1}T09:00:00Z` });
  return clone;
}

describe('a renamed repository counts once', () => {
  test('A renamed repository counts once where it is renamed between two syncs and a restart, and others know it by either name', async () => {
    const org = await organisation();
    const world = worldOf('acme/web');
    server = await startReplay(world);
    const source = await addGithub(org);
    await sync(source);
    await app.close();
    app = await open();
    Object.assign(world, worldOf('acme/site', ['acme/web']));
    await sync(source);
    expect(await pullRequests(org)).toEqual([['github:acme/web#7', 'acme/site', 'Change 7']]);

    await putPullRequest(org, { repository: 'acme/site', pr_number: 7, pr_title: 'Imported' });
    await putPullRequest(org, { repository: 'acme/web', pr_number: 8 });
    const clone = cloneOf('Begin', 'Cloned (#7)', 'Another (#8)');
    await sync(await add(org, 'git', { path: clone.path, repository: 'acme/site' }));
    expect(await pullRequests(org)).toEqual([
      ['github:acme/web#7', 'acme/site', 'Cloned'],
      ['github:acme/web#8', 'acme/site', 'Another'],
    ]);
  });

  test('A renamed repository counts once where it was imported under its old name, and is connected under its new one', async () => {
    const org = await organisation();
    await putPullRequest(org, { repository: 'acme/web', pr_number: 7, pr_title: 'Imported' });
    await putPullRequest(org, { repository: 'elsewhere/gone', pr_number: 1 });
    server = await startReplay(worldOf('acme/site', ['acme/web']));
    const source = await addGithub(org);
    await sync(source);
    expect(await pullRequests(org)).toEqual([
      ['github:acme/web#7', 'acme/site', 'Change 7'],
      ['github:elsewhere/gone#1', 'elsewhere/gone', null],
    ]);
    // Which repository a name leads to is asked once, when one is new.
    const { seen } = server;
    const asked = seen.length;
    await sync(source);
    expect(seen.slice(asked).filter(({ path }) => path.startsWith('/repos/elsewhere'))).toEqual([]);
  });

  test('A renamed repository counts once where a clone is read under its old name, before and beside its host', async () => {
    const org = await organisation();
    const clone = cloneOf('Begin', 'Cloned (#7)');
    const git = await add(org, 'git', { path: clone.path, repository: 'acme/web' });
    await sync(git);
    server = await startReplay(worldOf('acme/site', ['acme/web']));
    await sync(await addGithub(org));
    expect(await pullRequests(org)).toEqual([['github:acme/web#7', 'acme/site', 'Change 7']]);
    clone.commit('Another (#8)', { at: '2024-01-05T09:00:00Z' });
    await sync(git);
    expect(await pullRequests(org)).toEqual([
      ['github:acme/web#7', 'acme/site', 'Change 7'],
      ['github:acme/web#8', 'acme/site', 'Another'],
    ]);
  });
});
