import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergePeople } from '../../../src/directory/merging.ts';
import { removePerson } from '../../../src/directory/people.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { actor, change, organise } from '../metrics/some-metrics.ts';

/** Ada is an Owner and in Payments with Grace, a Manager; Edsger and Barbara are in Platform; Åsa is a Squad Lead. */
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true });
});
afterAll(() => service.close());

const put = (slug: string, visible_to: unknown, key: string, headers: Readonly<Record<string, string>> = anew) =>
  service.request('PUT', `/boards/${slug}`, { key, headers, body: { title: slug, visible_to, panels: [] } });
const anew = { 'if-none-match': '*' };
const any = { 'if-match': '*' };
const statusOf = async (slug: string, key: string) => (await service.request('GET', `/boards/${slug}`, { key })).status;
const remove = async (slug: string, key: string) =>
  (await service.request('DELETE', `/boards/${slug}`, { key })).status;
const listed = async (key: string) =>
  ((await service.request('GET', '/boards', { key })).json as { board: string; may_change: boolean }[]).map(
    ({ board, may_change }) => `${board}${may_change ? '*' : ''}`,
  );

describe('Making boards', () => {
  test('The organisation and teams see boards of Managers and Owners only', async () => {
    const { owner, manager, engineer, squadLead } = service.keys;
    for (const [slug, visible_to] of [
      ['for-all', 'organisation'],
      ['for-team', { team: 'Platform' }],
    ] as const) {
      for (const key of [engineer, squadLead]) expect((await put(slug, visible_to, key)).status).toBe(403);
      for (const key of [owner, manager]) {
        expect((await put(slug, visible_to, key)).status).toBe(201);
        expect(await remove(slug, key)).toBe(204);
      }
    }
    for (const key of [engineer, squadLead]) {
      expect((await put('own', 'me', key)).status).toBe(201);
      // Nor does a board of their own become one.
      expect((await put('own', 'organisation', key, any)).status).toBe(403);
      expect(await remove('own', key)).toBe(204);
    }
  });
});

describe('Seeing and changing boards', () => {
  beforeAll(async () => {
    const { owner, manager, engineer } = service.keys;
    await put('owners', 'me', owner);
    await put('managers', 'me', manager);
    await put('engineers', 'me', engineer);
    await put('everyones', 'organisation', manager);
    await put('of-platform', { team: 'Platform' }, owner);
    await put('of-research', { team: 'Research' }, owner);
  });
  afterAll(() => organise(service, { team_restrictions: 'false' }));

  test('Everyone sees their own, those of their teams and those of the organisation, and Owners see all', async () => {
    const { owner, manager, engineer, squadLead } = service.keys;
    expect(await listed(owner)).toEqual([
      'engineers*',
      'everyones*',
      'managers*',
      'of-platform*',
      'of-research*',
      'owners*',
    ]);
    // A Manager who is not restricted sees every team.
    expect(await listed(manager)).toEqual(['everyones*', 'managers*', 'of-platform', 'of-research']);
    expect(await listed(engineer)).toEqual(['engineers*', 'everyones', 'of-platform']);
    expect(await listed(squadLead)).toEqual(['everyones']);
    for (const slug of ['owners', 'managers', 'of-research', 'nope'])
      expect([slug, await statusOf(slug, engineer)]).toEqual([slug, 404]);
  });

  test('A restricted Manager sees the boards of the teams that they manage or are in', async () => {
    await organise(service, { team_restrictions: 'true' });
    expect(await listed(service.keys.manager)).toEqual(['everyones*', 'managers*']);
    await change(service, 'grace@example.com', { managed_teams: ['Research'] });
    expect(await listed(service.keys.manager)).toEqual(['everyones*', 'managers*', 'of-research']);
  });

  test('A board is changed and removed by its owner and by Owners, and by nobody else', async () => {
    const { owner, manager, engineer } = service.keys;
    expect((await put('of-platform', { team: 'Platform' }, engineer, any)).status).toBe(403);
    expect(await remove('of-platform', engineer)).toBe(403);
    expect(await remove('everyones', engineer)).toBe(403);
    expect(await remove('owners', manager)).toBe(404);
    expect((await put('everyones', 'me', owner, any)).status).toBe(200);
    // It still belongs to the person who made it.
    expect(await listed(manager)).toContain('everyones*');
    expect((await put('everyones', 'organisation', manager, any)).status).toBe(200);
  });

  test('A name that is taken by a board that the caller cannot see is taken, and nothing more is said', async () => {
    const { engineer } = service.keys;
    for (const headers of [anew, any, { 'if-match': '"x"' }]) {
      const answer = await put('managers', 'me', engineer, headers);
      expect([answer.status, answer.json]).toEqual([409, { detail: "The name 'managers' is taken." }]);
    }
  });

  test('The name of a team is shown to those who may see the team, and its identifier to others', async () => {
    const { owner, engineer } = service.keys;
    const body = {
      title: 'Named',
      visible_to: 'organisation',
      filters: { team: ['Platform', 'Payments'] },
      panels: [],
    };
    await service.request('PUT', '/boards/named', { key: owner, headers: anew, body });
    const seen = await service.request('GET', '/boards/named', { key: engineer });
    expect(seen.json).toMatchObject({ filters: { team: ['Platform', expect.stringMatching(/^[0-9a-f-]{36}$/)] } });
    expect(seen.text).not.toContain('Payments');
    expect((await service.request('GET', '/boards?format=yaml', { key: engineer })).text).not.toContain('Payments');
    await remove('named', owner);
  });

  test('Somebody who loses a role keeps their board, for themselves', async () => {
    const { owner, manager } = service.keys;
    await change(service, 'grace@example.com', { access_role: 'Engineer' });
    const body = { title: 'Other', visible_to: 'organisation', panels: [] };
    const other = await service.request('PUT', '/boards/everyones', { key: manager, headers: any, body });
    expect(other.status).toBe(403);
    expect((await put('everyones', 'me', manager, any)).status).toBe(200);
    await change(service, 'grace@example.com', { access_role: 'Manager' });
    expect(await statusOf('everyones', owner)).toBe(200);
  });
});

describe('Boards and their people', () => {
  test('The boards of a person who is merged are those of the one that stays', async () => {
    const { app, organisationId, keys } = service;
    expect((await put('merged', 'me', keys.squadLead)).status).toBe(201);
    const context = { organisationId, actor };
    await mergePeople(app.directory, context, 'edsger@example.com', 'asa@example.com');
    expect(await listed(keys.engineer)).toContain('merged*');
  });

  test('The boards of a person who is removed go to the Owners, pinned ones are forgotten, and nothing dangles', async () => {
    const { app, organisationId, keys } = service;
    await removePerson(app.directory, { organisationId, actor }, 'grace@example.com');
    const all = (await service.request('GET', '/boards', { key: keys.owner })).json as {
      board: string;
      owner: unknown;
      may_change: boolean;
    }[];
    expect(all.find(({ board }) => board === 'managers')).toMatchObject({ owner: null, may_change: true });
    expect(await statusOf('managers', keys.engineer)).toBe(404);
    expect(await remove('managers', keys.owner)).toBe(204);
  });

  test('Every change is in the audit log, with the name of the board', async () => {
    const log = await service.app.store.read((session) =>
      session.rows<{ action: string; subject: string; actor: string | null; via: string }>(
        "SELECT action, subject, actor, via FROM audit_log WHERE subject = 'own' ORDER BY version, entry",
      ),
    );
    const of = (email: string) => service.idOf(email);
    const [edsger, asa] = [await of('edsger@example.com'), await of('asa@example.com')];
    expect(edsger).toBe(asa);
    expect(log.map(({ action, via }) => `${action} ${via}`)).toEqual([
      'board.create api',
      'board.remove api',
      'board.create api',
      'board.remove api',
    ]);
  });
});
