import fc from 'fast-check';
import { expect, test } from 'vitest';
import { offboard, onboard } from '../../src/directory/onboarding.ts';
import { removePerson } from '../../src/directory/people.ts';
import { verify } from '../../src/safety/verify.ts';
import { times } from '../setup/how-long.ts';
import { accepted, organisation } from './organisation.ts';
import { describeOnOneStore, postgres, quickStore, sharedStore } from './stores.ts';

// Its statements are the ones of any change of the directory, which every store is tried with beside this.
describeOnOneStore('people who turn out to be one', postgres, (engine) => {
  const store = sharedStore(engine);

  test('A merged person has the teams, identities and onboarding of both, and can be onboarded by any of them', async () => {
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
    await offboard(org.directory, org.context, { emailAddresses: [], githubUsernames: ['AL'] });
    expect((await org.listing()).users.map(({ name }) => name)).not.toContain('Ada');
    const { onboardedIds } = await onboard(org.directory, org.context, {
      emailAddresses: ['al@y.org', 'ada@x.org'],
      githubUsernames: ['al'],
    });
    expect(onboardedIds).toEqual([id]);
    await expect(org.merge('ada@x.org', 'al')).rejects.toMatchObject({
      message: expect.stringContaining('same person already'),
    });
  });

  test('An offboarding is not undone by a merge with somebody who was onboarded automatically', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org', name: 'Ada' }]);
    await offboard(org.directory, org.context, { emailAddresses: ['ada@x.org'], githubUsernames: [] });
    await org.put('people', [{ main_email: 'ada@old.org', name: 'Ada' }]);
    await org.merge('ada@old.org', 'ada@x.org');
    expect((await org.listing()).users.map(({ name }) => name)).not.toContain('Ada');
    await org.put('people', [{ main_email: 'ada@old.org', role: 'Engineer' }]);
    expect((await org.listing()).users.map(({ name }) => name)).not.toContain('Ada');
  });

  test('An address that came with a merged person goes back with them', async () => {
    const org = await organisation(store());
    await org.put('people', [{ main_email: 'ada@x.org' }, { main_email: 'al@y.org' }]);
    await org.merge('ada@x.org', 'al@y.org');
    expect(await org.put('people', [{ main_email: 'al@y.org', emails: ['ada@x.org'] }])).toEqual(accepted(1));
    await org.unmerge('al@y.org');
    expect((await org.person('ada@x.org')).main_email).toBe('ada@x.org');
    expect((await org.person('al@y.org')).main_email).toBe('al@y.org');
    expect((await verify(store())).findings).toEqual([]);
  });

  test('People who turn out to be one merges are undone without a trace, in any order', async () => {
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
      { numRuns: times(engine === quickStore ? 4 : 1, 300) },
    );
    expect((await verify(store())).findings).toEqual([]);
  });

  test('Offboarding between a merge and its undoing was meant for both', async () => {
    const org = await organisation(store());
    await org.put('people', [
      { main_email: 'a@x.org', onboarded: true },
      { main_email: 'b@x.org', onboarded: false },
      { main_email: 'c@x.org', onboarded: true },
    ]);
    await org.merge('a@x.org', 'b@x.org');
    await offboard(org.directory, org.context, { emailAddresses: ['b@x.org'], githubUsernames: [] });
    await org.merge('a@x.org', 'c@x.org');
    const states = async () =>
      Promise.all(['a', 'b', 'c'].map(async (name) => (await org.person(`${name}@x.org`)).onboarded));
    expect(await states()).toEqual([true, true, true]);
    await org.unmerge('c@x.org');
    expect(await states()).toEqual([false, false, true]);
    await org.unmerge('b@x.org');
    expect(await states()).toEqual([false, false, true]);
  });

  test('A person who was merged is removed as one, and nothing of either is left', async () => {
    const org = await organisation(store());
    const before = await org.state();
    await org.put('people', [
      { main_email: 'a@x.org', squads: ['Red'] },
      { main_email: 'b@x.org', teams: ['Core'] },
    ]);
    await org.merge('a@x.org', 'b@x.org');
    await removePerson(org.directory, org.context, 'b@x.org');
    const after = await org.state();
    for (const table of ['people', 'identities', 'team_members', 'squad_members'])
      expect(after[table]).toEqual(before[table]);
    expect((await verify(store())).findings).toEqual([]);
  });
});
