import { expect, test } from 'vitest';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { removePerson, setPerson } from '../../src/directory/people.ts';
import { verify } from '../../src/safety/verify.ts';
import { accepted, organisation, type RecordValue, refused } from './organisation.ts';
import { describeOnOneStore, quickStore, sharedStore } from './stores.ts';

/** Rules that hardly depend on the engine: what they store is tried on every one in `directory.test.ts`. */
describeOnOneStore('rules of the directory', quickStore, (engine) => {
  const store = sharedStore(engine);

  test('The same organisation and identity give the same identifier, whatever came before', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org' }]);
    const { id } = await org.person('ada@x.org');
    await org.put('people', [{ main_email: 'ada@x.org', _deleted: true }]);
    await org.put('people', [{ main_email: 'bob@x.org' }, { main_email: 'Ada@X.org' }]);
    expect((await org.person('ada@x.org')).id).toBe(id);
  });

  test('An address given up by one person after another makes a further person each time', async () => {
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

  const wrong: [DirectoryTable, RecordValue, RegExp][] = [
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
  ];

  test('A record that is wrong is refused in words, and changes nothing', async () => {
    const org = await organisation(store());
    const before = await org.state();
    for (const [table, record, detail] of wrong) {
      expect(await org.put(table, [record]), JSON.stringify(record)).toEqual(refused(detail));
    }
    expect(await org.state()).toEqual(before);
  });

  test('Squads cannot be put above themselves, however the loop is closed', async () => {
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

  test('Two people may name each other as manager: both are kept', async () => {
    const org = await organisation(store());
    const outcome = await org.put('people', [
      { main_email: 'a@x.org', manager_email: 'b@x.org' },
      { main_email: 'b@x.org', manager_email: 'a@x.org' },
    ]);
    expect(outcome).toEqual(accepted(2));
  });

  test('The last Owner stays Owner, whichever way someone tries', async () => {
    const org = await organisation(store());
    const owner = 'owner@example.com';
    await org.put('people', [{ main_email: 'ada@x.org' }]);
    expect(await org.put('people', [{ main_email: owner, access_role: 'Manager' }])).toEqual(refused(/only Owner/));
    expect(await org.put('people', [{ main_email: owner, access_role: null }])).toEqual(refused(/only Owner/));
    expect(await org.put('people', [{ main_email: owner, _deleted: true }])).toEqual(refused(/only Owner/));
    await expect(removePerson(org.directory, org.context, owner)).rejects.toMatchObject({ reason: 'conflict' });
    await expect(setPerson(org.directory, org.context, owner, { access_role: 'Engineer' })).rejects.toMatchObject({
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
});
