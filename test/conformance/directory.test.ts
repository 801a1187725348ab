import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { removePerson } from '../../src/directory/people.ts';
import { verify } from '../../src/safety/verify.ts';
import { times } from '../setup/how-long.ts';
import { accepted, organisation, type RecordValue, refused } from './organisation.ts';
import { describeOnEveryStore, quickStore, sharedStore } from './stores.ts';

describeOnEveryStore('the directory', (engine) => {
  const store = sharedStore(engine);

  test('A field left out keeps its value, an explicit null clears it', async () => {
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

  test('Teams, squads and repositories keep and clear fields in the same way', async () => {
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

  test('A record of any table is removed once and for all, and removing it again is no mistake', async () => {
    const org = await organisation(store());
    const before = await org.state();
    const removed: [DirectoryTable, RecordValue, RecordValue][] = [
      ['people', { main_email: 'ada@x.org', teams: ['Web'] }, { main_email: 'Ada@x.org', _deleted: true }],
      ['teams', { team_id: 't', team_name: 'Core' }, { team_id: 't', _deleted: true }],
      ['squads', { squad_id: 's', squad_name: 'Red' }, { squad_name: 'RED', _deleted: true }],
      ['repositories', { repository: 'a/b' }, { repository: 'A/B', _deleted: true }],
    ];
    for (const [table, record, removal] of removed) {
      expect(await org.put(table, [record]), table).toEqual(accepted(1));
      for (let i = 0; i < 2; i += 1) expect(await org.put(table, [removal]), table).toEqual(accepted(1));
    }
    // The team that the person named stays.
    expect(await org.state()).toEqual({ ...before, teams: [expect.objectContaining({ name: 'Web' })] });
    expect((await org.auditedActions()).filter((action) => action.endsWith('.remove')).toSorted()).toEqual([
      'person.remove',
      'repository.remove',
      'squad.remove',
      'team.remove',
    ]);
    expect((await verify(store())).findings).toEqual([]);
  });

  test('A team removed with its members comes back empty, even in the same batch', async () => {
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

  test('A team that a person named takes the identifier of its own record, and its members along', async () => {
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

  test('A team renumbered and removed in one batch is gone with its members', async () => {
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

  test('The directory in whatever order and batches records arrive, the directory is the same', async () => {
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
      { numRuns: times(engine === quickStore ? 3 : 1, 300) },
    );
    expect((await verify(store())).findings).toEqual([]);
  });

  test('What belongs to another person is refused with their name, and the rest is kept', async () => {
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

  test('A strict import with one bad record keeps none, and tells all the bad ones', async () => {
    const org = await organisation(store());
    const before = await org.state();
    const outcome = await org.put(
      'people',
      [{ main_email: 'a@x.org' }, { main_email: '?' }, { main_email: 'b@x.org' }, {}],
      { strict: true },
    );
    expect(outcome).toMatchObject({ accepted: 0, rejected: [{ line: 2 }, { line: 4 }] });
    expect(await org.state()).toEqual(before);
    expect(await org.auditedActions()).toEqual([]);
  });

  test('Importing the same again changes nothing and leaves no entry in the audit log', async () => {
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
    const [state, auditedActions] = [await org.state(), await org.auditedActions()];
    await all();
    expect(await org.state()).toEqual(state);
    expect(await org.auditedActions()).toEqual(auditedActions);
    expect((await org.person('renovate[bot]')).is_bot).toBe(true);
  });

  test('A person moves between teams, and their old team stays without them', async () => {
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

  test('Two Owners removed at the same moment leave one', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org', access_role: 'Owner' }]);
    const outcomes = await Promise.allSettled(
      ['owner@example.com', 'ada@x.org'].map((who) => removePerson(org.directory, org.context, who)),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});
