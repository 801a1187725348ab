import { describe, expect, test } from 'vitest';
import { ApiKeys } from '../../src/access/api-keys.ts';
import { Authentication } from '../../src/access/authentication.ts';
import type { ChangeContext } from '../../src/directory/directory.ts';
import { Listings } from '../../src/directory/listings.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { onboard } from '../../src/directory/onboarding.ts';
import { findPerson, removePerson } from '../../src/directory/people.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { verify } from '../../src/safety/verify.ts';
import { keyOf } from '../../src/text-comparison.ts';
import { describeOnOneStore, directoryOf, postgres, sharedStore, someOrganisation } from './stores.ts';

const actor = { via: 'command', user: 'test' } as const;

/** What happens to a directory that is mirrored from another one, night after night. */
describeOnOneStore('a directory that is imported again and again', postgres, (engine) => {
  const store = sharedStore(engine);
  const directory = () => directoryOf(store());

  async function world(): Promise<{
    context: ChangeContext;
    put: (table: Parameters<typeof putRecords>[2], ...records: object[]) => ReturnType<typeof putRecords>;
    person: (who: string) => ReturnType<typeof findPerson>;
    teams: () => Promise<Record<string, string[]>>;
  }> {
    const { id } = await someOrganisation(store());
    const context = { organisationId: id, actor };
    return {
      context,
      put: (table, ...records) =>
        putRecords(
          directory(),
          context,
          table,
          records.map((value, i) => ({ line: i + 1, value })),
        ),
      person: (who) => store().read((session) => findPerson(session, id, who)),
      teams: async () => {
        const listed = await new Listings(store()).teams(id);
        return Object.fromEntries(
          listed.map((team) => [`${team.team_name} ${team.team_id}`, team.members?.map(({ name }) => name) ?? []]),
        );
      },
    };
  }

  const a = { main_email: 'a@x.test', emails: ['a@x.test'], logins: { github: 'alog' }, name: 'A', onboarded: true };
  const b = { main_email: 'b@x.test', emails: ['b@x.test'], logins: { github: 'blog' }, name: 'B', onboarded: false };

  test('A merge outlives any number of imports of the two people it joined, and can still be undone', async () => {
    const { context, put, person } = await world();
    await put('people', a, b);
    await mergePeople(directory(), context, 'a@x.test', 'b@x.test');
    for (let night = 0; night < 3; night += 1) {
      expect(await put('people', b, a)).toEqual({ accepted: 2, rejected: [] });
      for (const who of ['a@x.test', 'b@x.test', 'alog', 'blog']) {
        expect((await person(who)).effective).toMatchObject({ name: 'A', onboarded: true });
      }
    }
    await unmergePerson(directory(), context, 'b@x.test');
    expect((await person('blog')).effective).toMatchObject({ name: 'B', main_email: 'b@x.test', onboarded: false });
    expect((await person('alog')).effective).toMatchObject({ name: 'A', main_email: 'a@x.test', onboarded: true });
  });

  test('Deleting one of two merged people leaves the other, whichever it is', async () => {
    const { context, put, person } = await world();
    await put('people', a, b);
    await mergePeople(directory(), context, 'a@x.test', 'b@x.test');
    await put('people', { main_email: 'b@x.test', _deleted: true });
    expect((await person('a@x.test')).effective.name).toBe('A');
    await expect(person('b@x.test')).rejects.toMatchObject({ reason: 'not-found' });
    await put('people', b);
    await mergePeople(directory(), context, 'a@x.test', 'b@x.test');
    await put('people', { main_email: 'a@x.test', _deleted: true });
    expect((await person('b@x.test')).effective).toMatchObject({ name: 'B', merged_into: null });
    await expect(person('a@x.test')).rejects.toMatchObject({ reason: 'not-found' });
    expect((await verify(store())).findings).toEqual([]);
  });

  test('Removing the middle of a chain of merges keeps its ends together', async () => {
    const { context, put, person } = await world();
    await put('people', a, b, { main_email: 'c@x.test', name: 'C' });
    await mergePeople(directory(), context, 'b@x.test', 'c@x.test');
    await mergePeople(directory(), context, 'a@x.test', 'b@x.test');
    await put('people', { main_email: 'b@x.test', _deleted: true });
    expect((await person('c@x.test')).effective.name).toBe('A');
    await unmergePerson(directory(), context, 'c@x.test');
    expect((await person('c@x.test')).effective.name).toBe('C');
    expect((await verify(store())).findings).toEqual([]);
  });

  test('The keys of someone who was removed never work again, not even when the address comes back', async () => {
    const { context, put, person } = await world();
    const owner = { main_email: 'bob@x.test', name: 'Bob', access_role: 'Owner' };
    await put('people', owner);
    const now = () => new Date();
    const keys = new ApiKeys(store(), now);
    const authentication = new Authentication(store(), now);
    const creatorId = (await person('bob@x.test')).effective.id;
    const { key } = await keys.create(context.organisationId, actor, { creatorId, name: 'k' });
    expect((await authentication.authenticate(key)).role).toBe('Owner');
    await removePerson(directory(), context, 'bob@x.test');
    await expect(authentication.authenticate(key)).rejects.toMatchObject({ reason: 'unauthenticated' });
    await put('people', { ...owner, name: 'Another Bob' });
    await expect(authentication.authenticate(key)).rejects.toMatchObject({ reason: 'unauthenticated' });
    expect(await keys.list(context.organisationId)).toMatchObject([{ revoked_at: expect.any(Date) }]);
  });

  test('A name that a team gave up makes another team, and leaves the renamed one alone', async () => {
    const { put, teams } = await world();
    await put('people', { ...a, teams: ['Core'] });
    const [core = ''] = Object.keys(await teams());
    const id = core.replace('Core ', '');
    await put('teams', { team_id: id, team_name: 'Platform', department: 'Eng' });
    await put('people', { ...b, onboarded: true, teams: ['Core'] });
    const listed = await teams();
    expect(listed[`Platform ${id}`]).toEqual(['A']);
    expect(Object.entries(listed).find(([name]) => name.startsWith('Core '))?.[1]).toEqual(['B']);
  });

  test('A renamed team takes over what people had already named', async () => {
    const { put, teams } = await world();
    await put('teams', { team_id: 't-1', team_name: 'Old' });
    await put('people', { ...a, teams: ['Old', 'New'] }, { ...b, onboarded: true, teams: ['New'] });
    expect(await put('teams', { team_id: 't-1', team_name: 'New' })).toEqual({ accepted: 1, rejected: [] });
    expect(await teams()).toEqual({ 'New t-1': ['A', 'B'] });
  });

  test.each([
    { order: 'name first', records: [{ team_name: 'X' }, { team_id: 't-9', team_name: 'X' }] },
    { order: 'identifier first', records: [{ team_id: 't-9', team_name: 'X' }, { team_name: 'X' }] },
  ])('Records of one team with and without its identifier are one team, $order', async ({ records }) => {
    const { put, teams } = await world();
    for (const record of records) expect((await put('teams', record)).rejected).toEqual([]);
    expect(await teams()).toEqual({ 'X t-9': [] });
  });

  test('Squads stay below the one above them when it is renamed', async () => {
    const { context, put } = await world();
    await put('squads', { squad_name: 'Top' }, { squad_name: 'Below', parent_squad: 'top' });
    const ids = await store().read((session) =>
      session.rows<{ id: string; name: string }>('SELECT id, name FROM squads WHERE organisation_id = $1', [
        context.organisationId,
      ]),
    );
    const top = ids.find(({ name }) => name === 'Top')?.id;
    await put('squads', { squad_id: top, squad_name: 'Summit' });
    const below = await store().read((session) =>
      session.rows('SELECT parent FROM squads WHERE organisation_id = $1 AND name = $2', [
        context.organisationId,
        'Below',
      ]),
    );
    expect(below).toEqual([{ parent: 'Summit' }]);
  });

  test('A record with an identifier of its own finds the person that is known by address already', async () => {
    const { put, person } = await world();
    const before = (await person('owner@example.com')).effective;
    const record = {
      merged_user_id: '11111111-1111-4111-8111-111111111111',
      main_email: 'OWNER@example.com',
      name: 'O',
    };
    expect(await put('people', record)).toEqual({ accepted: 1, rejected: [] });
    expect((await person('owner@example.com')).effective).toMatchObject({ id: before.id, name: 'O' });
  });

  test('A value that no engine could keep is reported by its line, and the rest of the batch is kept', async () => {
    const { put } = await world();
    const squads = await put('squads', { squad_name: 'ok' }, { squad_name: 'big', squad_level: 3_000_000_000 });
    expect(squads).toMatchObject({ accepted: 1, rejected: [{ line: 2 }] });
    const long = 'x'.repeat(6_000);
    const people = await put('people', a, { main_email: `${long}@x.test` }, { ...b, teams: [long] });
    expect(people).toMatchObject({ accepted: 1, rejected: [{ line: 2 }, { line: 3 }] });
  });

  test('Sending the same list again is no change to anybody’s cache', async () => {
    const { context, put } = await world();
    await put('people', a, b);
    const identifiers = { emailAddresses: ['a@x.test', 'b@x.test'], githubUsernames: [] };
    expect((await onboard(directory(), context, identifiers)).onboardedIds).toHaveLength(1);
    const version = store().versionOf(context.organisationId);
    expect((await onboard(directory(), context, identifiers)).onboardedIds).toEqual([]);
    expect(store().versionOf(context.organisationId)).toBe(version);
  });

  test('Records that say what is known already are no change, whatever they are of', async () => {
    const { context, put } = await world();
    const again = async () => [
      await put('people', { ...a, teams: ['Payments'] }, b),
      await put('squads', { squad_name: 'Core' }),
      await put('repositories', { repository: 'acme/web', default_branch: 'main' }),
    ];
    const first = await again();
    const version = store().versionOf(context.organisationId);
    expect(await again()).toEqual(first);
    expect(store().versionOf(context.organisationId)).toBe(version);
  });
});

describe('identifiers', () => {
  test.each(['ασ@x.test', 'ǰ@x.test', 'straße', 'ﬁn', 'Ünïcode', 'İstanbul', 'ΣΊΣΥΦΟΣ', 'ǅ', 'e\u0301'])(
    '%s is matched without regard to case or encoding',
    (identifier) => {
      for (const spelled of [identifier.toUpperCase(), identifier.toLowerCase(), identifier.normalize('NFD')]) {
        expect(keyOf(` ${spelled}\t`)).toBe(keyOf(identifier));
      }
    },
  );
});
