import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { Listings } from '../../src/directory/listings.ts';
import { mergePeople, unmergePerson } from '../../src/directory/merging.ts';
import { offboard, onboard } from '../../src/directory/onboarding.ts';
import { findPerson, removePerson, setPerson } from '../../src/directory/people.ts';
import { type Outcome, putRecords, type RecordOptions } from '../../src/directory/records.ts';
import { verify } from '../../src/safety/verify.ts';
import type { Store } from '../../src/store/store.ts';
import { storeTables } from '../../src/store/tables.ts';
import { timeoutMs, times } from '../setup/how-long.ts';
import { describeOnEveryStore, directoryOf, sharedStore, someOrganisation } from './stores.ts';

const actor = { via: 'demo' } as const;
type RecordValue = Readonly<Record<string, unknown>>;

/** One organisation of its own, and short words for what the tests do to it. */
async function organisation(store: Store) {
  const { id, ownerId } = await someOrganisation(store);
  const directory = directoryOf(store);
  const errand = { organisationId: id, actor };
  return {
    id,
    ownerId,
    directory,
    errand,
    put: (table: DirectoryTable, values: readonly RecordValue[], options?: RecordOptions): Promise<Outcome> =>
      putRecords(
        directory,
        errand,
        table,
        values.map((value, i) => ({ line: i + 1, value })),
        options,
      ),
    person: (who: string) => store.read(async (session) => (await findPerson(session, id, who)).effective),
    merge: (keep: string, absorb: string) => mergePeople(directory, errand, keep, absorb),
    unmerge: (who: string) => unmergePerson(directory, errand, who),
    listing: async () => {
      const listings = new Listings(store);
      return { teams: await listings.teams(id), users: await listings.onboardedUsers(id) };
    },
    /** Everything about the organisation but its audit log and version. */
    state: () =>
      store.read(async (session) => {
        const tables: Record<string, unknown[]> = {};
        for (const { name, key } of storeTables) {
          if (['organisations', 'audit_log', 'merges'].includes(name)) continue;
          tables[name] = await session.rows(
            `SELECT * FROM ${name} WHERE organisation_id = $1 ORDER BY ${key.join(', ')}`,
            [id],
          );
        }
        return tables;
      }),
    deeds: () =>
      store.read(async (session) => {
        const rows = await session.rows<{ action: string }>(
          'SELECT action FROM audit_log WHERE organisation_id = $1 ORDER BY version, entry',
          [id],
        );
        return rows.map(({ action }) => action).slice(2);
      }),
  };
}

const accepted = (count: number) => ({ accepted: count, rejected: [] });
const refused = (detail: string | RegExp, line = 1) => ({
  accepted: 0,
  rejected: [{ line, detail: expect.stringMatching(detail) }],
});

describeOnEveryStore('the directory', (engine) => {
  const store = sharedStore(engine);

  test('a field left out keeps its value, an explicit null clears it', async () => {
    const org = await organisation(store());
    await org.put('people', [
      {
        main_email: 'ada@x.org',
        name: 'Ada',
        role: 'Engineer',
        level: 'L4',
        salary: 1.5,
        teams: ['Core'],
        github_username: 'ada',
      },
    ]);
    await org.put('people', [{ main_email: 'ADA@x.org ', level: null, location: 'Wien' }]);
    expect(await org.person('ada')).toMatchObject({
      name: 'Ada',
      role: 'Engineer',
      level: null,
      location: 'Wien',
      salary: 1.5,
    });
    expect((await org.state()).team_members).toHaveLength(1);
    await org.put('people', [{ main_email: 'ada@x.org', teams: null, salary: null, github_username: null }]);
    expect((await org.state()).team_members).toEqual([]);
    expect((await org.state()).identities).toHaveLength(2);
    expect((await org.person('ada@x.org')).salary).toBeNull();
  });

  test('teams, squads and repositories keep and clear fields in the same way', async () => {
    const org = await organisation(store());
    await org.put('teams', [{ team_id: 't', team_name: 'Core', department: 'R&D' }]);
    await org.put('squads', [
      { squad_id: 's', squad_name: 'Red', squad_level: 2, lead_email: 'a@x.org', parent_squad: 'Top' },
    ]);
    await org.put('repositories', [
      { repository: 'Acme/Web', default_branch: 'main', deploy_workflows: ['a'], is_active: false },
    ]);
    await org.put('teams', [{ team_id: 't', team_name: 'Kernel' }]);
    await org.put('squads', [{ squad_name: 'red', squad_level: null }]);
    await org.put('repositories', [{ repository: 'acme/web', default_branch: null }]);
    const { teams, squads, repositories } = await org.state();
    expect(teams).toMatchObject([{ id: 't', name: 'Kernel', name_key: 'kernel', department: 'R&D' }]);
    expect(squads).toMatchObject([{ id: 's', name: 'red', level: null, lead_email: 'a@x.org', parent: 'Top' }]);
    expect(repositories).toMatchObject([
      { key: 'acme/web', default_branch: null, deploy_workflows: '["a"]', is_active: false },
    ]);
  });

  test.each<[DirectoryTable, RecordValue, RecordValue]>([
    ['people', { main_email: 'ada@x.org', teams: ['Core'] }, { main_email: 'Ada@x.org', _deleted: true }],
    ['teams', { team_id: 't', team_name: 'Core' }, { team_id: 't', _deleted: true }],
    ['squads', { squad_id: 's', squad_name: 'Red' }, { squad_name: 'RED', _deleted: true }],
    ['repositories', { repository: 'a/b' }, { repository: 'A/B', _deleted: true }],
  ])(
    'a record of %s is removed once and for all, and removing it again is no mistake',
    async (table, record, removal) => {
      const org = await organisation(store());
      const before = (await org.state())[table];
      expect(await org.put(table, [record])).toEqual(accepted(1));
      for (let i = 0; i < 2; i += 1) expect(await org.put(table, [removal])).toEqual(accepted(1));
      expect((await org.state())[table]).toEqual(before);
      expect((await org.deeds()).filter((deed) => deed.endsWith('.remove'))).toHaveLength(1);
      expect((await verify(store())).findings).toEqual([]);
    },
  );

  test('a team removed with its members comes back empty, even in the same batch', async () => {
    const org = await organisation(store());
    await org.put('teams', [{ team_id: 't', team_name: 'Core' }]);
    await org.put('people', [{ main_email: 'ada@x.org', teams: ['Core'] }]);
    await org.put('teams', [
      { team_id: 't', _deleted: true },
      { team_id: 't', team_name: 'Core' },
    ]);
    const { teams, team_members } = await org.state();
    expect(teams).toMatchObject([{ id: 't', is_implied: false }]);
    expect(team_members).toEqual([]);
  });

  test('a team that a person named takes the identifier of its own record, and its members along', async () => {
    const org = await organisation(store());
    await org.put('people', [
      { main_email: 'ada@x.org', teams: ['core '], managed_teams: ['Core'], squads: ['Red'], onboarded: true },
    ]);
    await org.put('teams', [{ team_id: 'T1', team_name: 'Core', department: 'R&D' }]);
    await org.put('squads', [{ squad_id: 'S1', squad_name: 'red' }]);
    const { teams, squads, team_members, team_managers, squad_members } = await org.state();
    expect(teams).toMatchObject([{ id: 'T1', name: 'Core', department: 'R&D', is_implied: false }]);
    expect(squads).toMatchObject([{ id: 'S1', name: 'red', is_implied: false }]);
    expect([team_members, team_managers, squad_members]).toMatchObject([
      [{ team_id: 'T1' }],
      [{ team_id: 'T1' }],
      [{ squad_id: 'S1' }],
    ]);
    expect(await org.put('teams', [{ team_id: 'T2', team_name: 'CORE' }])).toEqual(refused(/belongs to another team/));
  });

  test('a team renumbered and removed in one batch is gone with its members', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org', teams: ['Core'] }]);
    await org.put('teams', [
      { team_id: 'T1', team_name: 'Core' },
      { team_id: 'T1', _deleted: true },
    ]);
    const { teams, team_members } = await org.state();
    expect([teams, team_members]).toEqual([[], []]);
  });

  const letters = ['a', 'b', 'c', 'd'];
  const someOf = (values: readonly string[]) => fc.subarray([...values]);
  const anyRecords = fc.record({
    people: fc.subarray(letters).chain((names) =>
      fc.tuple(
        ...names.map((name) =>
          fc.record({
            main_email: fc.constant(`${name}@x.org`),
            name: fc.constantFrom('Zoe', 'zoe', 'Ångström', name),
            github_username: fc.constantFrom(null, `gh-${name}`),
            onboarded: fc.boolean(),
            manager_email: fc.constantFrom(...letters.map((one) => `${one}@x.org`)),
            teams: someOf(['Core', 'core', 'Web', 'Data']),
            squads: someOf(['Red', 'RED', 'Blue']),
            managed_teams: someOf(['Ops', 'Core']),
          }),
        ),
      ),
    ),
    teams: fc.subarray([
      { team_id: 'T1', team_name: 'CORE', department: 'R&D' },
      { team_name: 'Web', department: 'Shop' },
      { team_id: 'T9', team_name: 'Empty' },
    ]),
    squads: fc.subarray([
      { squad_id: 'S1', squad_name: 'red', squad_level: 1 },
      { squad_name: 'Blue', parent_squad: 'Red', squad_level: 2 },
    ]),
    repositories: fc.subarray([
      { repository: 'a/b', is_active: true },
      { repository: 'A/c', default_branch: 'main' },
    ]),
  });

  test(
    'in whatever order and batches records arrive, the directory is the same',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          anyRecords,
          fc.infiniteStream(fc.nat()),
          fc.infiniteStream(fc.nat(3)),
          async (records, order, cuts) => {
            const all = Object.entries(records).flatMap(([table, values]) =>
              (values as readonly RecordValue[]).map((value) => ({ table: table as DirectoryTable, value })),
            );
            const shuffled = all
              .map((record) => ({ record, place: order.next().value ?? 0 }))
              .sort((a, b) => a.place - b.place);
            const [straight, mixed] = [await organisation(store()), await organisation(store())];
            for (const [table, values] of Object.entries(records))
              await straight.put(table as DirectoryTable, values as readonly RecordValue[]);
            let batch: { table: DirectoryTable; value: RecordValue }[] = [];
            const flush = async () => {
              const [first] = batch;
              if (first)
                expect(
                  (
                    await mixed.put(
                      first.table,
                      batch.map(({ value }) => value),
                    )
                  ).rejected,
                ).toEqual([]);
              batch = [];
            };
            for (const { record } of shuffled) {
              if (batch[0]?.table !== record.table || cuts.next().value === 0) await flush();
              batch.push(record);
            }
            await flush();
            // Identifiers follow from the organisation, so only what does not hold one can be compared across two of them.
            const described = async (org: typeof straight) => {
              const { teams, users } = await org.listing();
              const { teams: rows, squads, repositories } = await org.state();
              const plain = (list: unknown[] | undefined) =>
                (list as Record<string, unknown>[]).map(({ organisation_id: _, id, ...rest }) => ({
                  ...rest,
                  id: String(id).length === 2 ? id : 'made',
                }));
              const byName = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
              return {
                teams: teams.map(({ team_id, members, ...team }) => ({
                  ...team,
                  id: team_id.length === 2 ? team_id : 'made',
                  members: members?.map(({ name }) => name),
                })),
                users: users.map(({ merged_user_id: _, ...user }) => user).sort(byName),
                rows: plain(rows).sort(byName),
                squads: plain(squads).sort(byName),
                repositories: plain(repositories),
              };
            };
            expect(await described(mixed)).toEqual(await described(straight));
          },
        ),
        { numRuns: times(15) },
      );
      expect((await verify(store())).findings).toEqual([]);
    },
    timeoutMs(60_000),
  );

  test('the same organisation and identity give the same identifier, whatever came before', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org' }]);
    const { id } = await org.person('ada@x.org');
    await org.put('people', [{ main_email: 'ada@x.org', _deleted: true }]);
    await org.put('people', [{ main_email: 'bob@x.org' }, { main_email: 'Ada@X.org' }]);
    expect((await org.person('ada@x.org')).id).toBe(id);
  });

  test('an address given up by one person after another makes a further person each time', async () => {
    const org = await organisation(store());
    const ids: string[] = [];
    for (const next of ['one', 'two', 'three']) {
      await org.put('people', [{ main_email: 'shared@x.org', name: next }]);
      const { id } = await org.person('shared@x.org');
      ids.push(id);
      await org.put('people', [{ merged_user_id: id, main_email: `${next}@x.org`, emails: [] }]);
    }
    expect(new Set(ids).size).toBe(3);
    for (const [i, name] of ['one', 'two', 'three'].entries()) {
      expect(await org.person(`${name}@x.org`)).toMatchObject({ id: ids[i], name });
    }
  });

  test('what belongs to another person is refused with their name, and the rest is kept', async () => {
    const org = await organisation(store());
    await org.put('people', [
      { main_email: 'ada@x.org', name: 'Ada', logins: { github: 'ada', jira: ['ada.l', 'ada2'] } },
      { main_email: 'bob@x.org', name: 'Bob' },
    ]);
    const outcome = await org.put('people', [
      { main_email: 'bob@x.org', emails: ['ADA@x.org'] },
      { main_email: 'bob@x.org', github_username: 'Ada' },
      { main_email: 'bob@x.org', logins: { jira: 'ADA2' } },
      { main_email: 'bob@x.org', logins: { gitlab: 'ada' }, role: 'kept' },
    ]);
    expect(outcome.accepted).toBe(1);
    expect(outcome.rejected.map(({ line }) => line)).toEqual([1, 2, 3]);
    for (const { detail } of outcome.rejected)
      expect(detail).toMatch(/belongs to another person, Ada \(.+\)\. Merge the two/);
    expect(await org.person('bob@x.org')).toMatchObject({ role: 'kept', main_email: 'bob@x.org' });
  });

  test.each<[DirectoryTable, RecordValue, RegExp]>([
    ['people', { name: 'Nobody' }, /needs merged_user_id, an email address or a login/],
    ['people', { merged_user_id: ' ', name: 'Nobody' }, /needs merged_user_id/],
    ['people', { main_email: 'not an address' }, /is not an email address/],
    ['people', { main_email: 'a@x.org', teams: [' '] }, /teams must not hold a blank name/],
    ['people', { main_email: 'a@x.org', logins: { github: 7 } }, /logins\.github must be a login/],
    ['people', { main_email: 'a@x.org', name: 'a\0b' }, /name must not contain the NUL character/],
    ['people', { main_email: 'a@x.org', logins: { github: 'a\ud800' } }, /logins must not contain/],
    ['people', { main_email: 'a@x.org', access_role: 'King' }, /access_role must be one of Owner, Manager/],
    ['people', { main_email: 'a@x.org', salery: 1 }, /'salery' is not a field of people\. Did you mean 'salary'/],
    ['people', { main_email: 'a@x.org', created_date: '2024-02-30' }, /created_date must be a date/],
    ['teams', { department: 'R&D' }, /needs team_name/],
    ['teams', { team_id: 'unknown' }, /needs team_name: no team has the identifier 'unknown'/],
    ['squads', { squad_name: 'S', squad_level: 0 }, /squad_level must be 1 or more/],
    ['repositories', { repository: 'no-owner' }, /needs repository, as 'owner\/name'/],
  ])('a record of %s that is wrong is refused in words: %j', async (table, record, detail) => {
    const org = await organisation(store());
    const before = await org.state();
    expect(await org.put(table, [record])).toEqual(refused(detail));
    expect(await org.state()).toEqual(before);
  });

  test('a strict import with one bad record keeps none, and tells all the bad ones', async () => {
    const org = await organisation(store());
    const before = await org.state();
    const outcome = await org.put(
      'people',
      [{ main_email: 'a@x.org' }, { main_email: '?' }, { main_email: 'b@x.org' }, {}],
      { strict: true },
    );
    expect(outcome).toMatchObject({ accepted: 0, rejected: [{ line: 2 }, { line: 4 }] });
    expect(await org.state()).toEqual(before);
    expect(await org.deeds()).toEqual([]);
  });

  test('importing the same again changes nothing and leaves no entry in the audit log', async () => {
    const org = await organisation(store());
    const people = [
      {
        main_email: 'ada@x.org',
        name: ' Ada ',
        emails: ['ada@y.org', 'ada@x.org'],
        logins: { github: 'Ada' },
        teams: ['Web', 'Core'],
        squads: ['Red'],
        permissions: ['can-view-salaries'],
      },
      { logins: { github: 'renovate[bot]' }, onboarded: false },
    ];
    const teams = [{ team_name: 'Core', department: ' R&D ' }];
    const squads = [{ squad_name: 'Red', parent_squad: 'Top' }];
    const repositories = [{ repository: 'a/b', deploy_workflows: ['x'] }];
    const all = async () => {
      for (const [table, values] of Object.entries({ people, teams, squads, repositories })) {
        expect((await org.put(table as DirectoryTable, values)).rejected).toEqual([]);
      }
    };
    await all();
    const [state, deeds] = [await org.state(), await org.deeds()];
    await all();
    expect(await org.state()).toEqual(state);
    expect(await org.deeds()).toEqual(deeds);
    expect((await org.person('renovate[bot]')).is_bot).toBe(true);
  });

  test('a person moves between teams, and their old team stays without them', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org', name: 'Ada', teams: ['Core', 'Web'], onboarded: true }]);
    await org.put('people', [{ main_email: 'ada@x.org', teams: ['web', 'Data'] }]);
    const { teams } = await org.listing();
    expect(teams.map(({ team_name, members }) => [team_name, members?.map(({ name }) => name) ?? null])).toEqual([
      ['Core', null],
      ['Data', ['Ada']],
      ['Web', ['Ada']],
    ]);
  });

  test('squads cannot be put above themselves, however the loop is closed', async () => {
    const org = await organisation(store());
    expect(await org.put('squads', [{ squad_name: 'A', parent_squad: 'a' }])).toEqual(refused(/below itself: A → a/));
    await org.put('squads', [{ squad_name: 'A', parent_squad: 'B' }]);
    expect(await org.put('squads', [{ squad_name: 'b', parent_squad: 'A' }])).toEqual(refused(/below itself/));
    expect(await org.put('squads', [{ squad_id: 'x', squad_name: 'B', parent_squad: 'A' }])).toEqual(
      refused(/below itself/),
    );
    await org.put('squads', [{ squad_id: 'c', squad_name: 'C', parent_squad: 'A' }]);
    expect(await org.put('squads', [{ squad_id: 'c', squad_name: 'B' }])).toEqual(refused(/below itself/));
    await org.put('squads', [{ squad_name: 'B', parent_squad: 'Top' }]);
    expect((await verify(store())).findings).toEqual([]);
  });

  test('two people may name each other as manager: both are kept', async () => {
    const org = await organisation(store());
    const outcome = await org.put('people', [
      { main_email: 'a@x.org', manager_email: 'b@x.org' },
      { main_email: 'b@x.org', manager_email: 'a@x.org' },
    ]);
    expect(outcome).toEqual(accepted(2));
  });

  test('the last Owner stays Owner, whichever way someone tries', async () => {
    const org = await organisation(store());
    const owner = 'owner@example.com';
    await org.put('people', [{ main_email: 'ada@x.org' }]);
    expect(await org.put('people', [{ main_email: owner, access_role: 'Manager' }])).toEqual(refused(/only Owner/));
    expect(await org.put('people', [{ main_email: owner, access_role: null }])).toEqual(refused(/only Owner/));
    expect(await org.put('people', [{ main_email: owner, _deleted: true }])).toEqual(refused(/only Owner/));
    await expect(removePerson(org.directory, org.errand, owner)).rejects.toMatchObject({ reason: 'conflict' });
    await expect(setPerson(org.directory, org.errand, owner, { access_role: 'Engineer' })).rejects.toMatchObject({
      reason: 'bad-input',
    });
    await expect(org.merge('ada@x.org', owner)).rejects.toMatchObject({ reason: 'conflict' });
    // Both at once would leave none; the second is refused.
    await org.put('people', [{ main_email: 'ada@x.org', access_role: 'owner' }]);
    expect(
      await org.put('people', [
        { main_email: owner, access_role: 'Engineer' },
        { main_email: 'ada@x.org', access_role: 'Engineer' },
      ]),
    ).toMatchObject({
      accepted: 1,
      rejected: [{ line: 2 }],
    });
    expect((await org.person('ada@x.org')).access_role).toBe('Owner');
  });

  test('two Owners removed at the same moment leave one', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org', access_role: 'Owner' }]);
    const outcomes = await Promise.allSettled(
      ['owner@example.com', 'ada@x.org'].map((who) => removePerson(org.directory, org.errand, who)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a merged person has the teams, identities and onboarding of both, and can be onboarded by any of them', async () => {
    const org = await organisation(store());
    await org.put('people', [
      { main_email: 'ada@x.org', name: 'Ada', teams: ['Core'], onboarded: true },
      { main_email: 'al@y.org', name: 'A. L.', teams: ['Web'], github_username: 'al' },
    ]);
    const { id } = await org.person('ada@x.org');
    await org.merge('ada@x.org', 'al');
    expect((await org.person('al@y.org')).id).toBe(id);
    const { teams, users } = await org.listing();
    expect(teams.map(({ team_name, members }) => [team_name, members?.map(({ name }) => name)])).toEqual([
      ['Core', ['Ada']],
      ['Web', ['Ada']],
    ]);
    expect(users.find(({ merged_user_id }) => merged_user_id === id)).toMatchObject({
      email: 'ada@x.org',
      github_username: 'al',
    });
    await offboard(org.directory, org.errand, { emailAddresses: [], githubUsernames: ['AL'] });
    expect((await org.listing()).users.map(({ name }) => name)).not.toContain('Ada');
    const { onboardedIds } = await onboard(org.directory, org.errand, {
      emailAddresses: ['al@y.org', 'ada@x.org'],
      githubUsernames: ['al'],
    });
    expect(onboardedIds).toEqual([id]);
    await expect(org.merge('ada@x.org', 'al')).rejects.toMatchObject({
      message: expect.stringContaining('same person already'),
    });
  });

  test('an address that came with a merged person goes back with them', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org' }, { main_email: 'al@y.org' }]);
    await org.merge('ada@x.org', 'al@y.org');
    expect(await org.put('people', [{ main_email: 'al@y.org', emails: ['ada@x.org'] }])).toEqual(accepted(1));
    await org.unmerge('al@y.org');
    expect((await org.person('ada@x.org')).main_email).toBe('ada@x.org');
    expect((await org.person('al@y.org')).main_email).toBe('al@y.org');
    expect((await verify(store())).findings).toEqual([]);
  });

  test(
    'merges are undone without a trace, in any order',
    async () => {
      const people = ['a', 'b', 'c', 'd', 'e'];
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
          fc.array(fc.tuple(fc.constantFrom(...people), fc.constantFrom(...people)), { minLength: 1, maxLength: 6 }),
          fc.infiniteStream(fc.nat(100)),
          async (onboarded, pairs, choices) => {
            const org = await organisation(store());
            await org.put(
              'people',
              people.map((name, i) => ({
                main_email: `${name}@x.org`,
                github_username: `gh-${name}`,
                onboarded: onboarded[i],
                teams: [`T${i % 2}`],
              })),
            );
            const before = await org.state();
            let merged: string[] = [];
            for (const [keep, absorb] of pairs) {
              try {
                const { absorbed } = await org.merge(`${keep}@x.org`, `${absorb}@x.org`);
                merged.push(absorbed.id);
              } catch (error) {
                expect(String(error)).toMatch(/same person already/);
              }
            }
            while (merged.length > 0) {
              const who = merged[(choices.next().value ?? 0) % merged.length] ?? '';
              await org.unmerge(who);
              merged = merged.filter((id) => id !== who);
            }
            expect(await org.state()).toEqual(before);
          },
        ),
        { numRuns: times(15) },
      );
      expect((await verify(store())).findings).toEqual([]);
    },
    timeoutMs(60_000),
  );

  test('offboarding between a merge and its undoing was meant for both', async () => {
    const org = await organisation(store());
    await org.put('people', [
      { main_email: 'a@x.org', onboarded: true },
      { main_email: 'b@x.org', onboarded: false },
      { main_email: 'c@x.org', onboarded: true },
    ]);
    await org.merge('a@x.org', 'b@x.org');
    await offboard(org.directory, org.errand, { emailAddresses: ['b@x.org'], githubUsernames: [] });
    await org.merge('a@x.org', 'c@x.org');
    const states = async () =>
      Promise.all(['a', 'b', 'c'].map(async (name) => (await org.person(`${name}@x.org`)).onboarded));
    expect(await states()).toEqual([true, true, true]);
    await org.unmerge('c@x.org');
    expect(await states()).toEqual([false, false, true]);
    await org.unmerge('b@x.org');
    expect(await states()).toEqual([false, false, true]);
  });

  test('a person who was merged is removed as one, and nothing of either is left', async () => {
    const org = await organisation(store());
    const before = await org.state();
    await org.put('people', [
      { main_email: 'a@x.org', squads: ['Red'] },
      { main_email: 'b@x.org', teams: ['Core'] },
    ]);
    await org.merge('a@x.org', 'b@x.org');
    await removePerson(org.directory, org.errand, 'b@x.org');
    const after = await org.state();
    for (const table of ['people', 'identities', 'team_members', 'squad_members'])
      expect(after[table]).toEqual(before[table]);
    expect((await verify(store())).findings).toEqual([]);
  });
});
