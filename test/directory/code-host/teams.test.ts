import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOfMembership, type Membership, membershipChange } from '../../../src/directory/code-host/host-state.ts';
import { removePerson } from '../../../src/directory/people.ts';
import { verify } from '../../../src/safety/verify.ts';
import { describeOnOneStore, embedded, postgres, sharedStore } from '../../conformance/stores.ts';
import { times } from '../../setup/how-long.ts';
import { acmeOnHost, type OnHost } from './acme-on-host.ts';

describeOnOneStore('teams of a code host', postgres, (engine) => {
  const store = sharedStore(engine);

  test('Teams of a code host are found by name or made, also where nobody is in them', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('teams', [{ team_id: 't1', team_name: 'Core' }]);
    const code = await acme.source();
    const taken = await code.take({ people: ['ada'], teams: { core: ['ADA'], Docs: [] } });
    expect(taken.teamsMade).toEqual(['Docs']);
    const { teams } = await acme.listing();
    expect(teams).toMatchObject([{ team_id: 't1', team_name: 'Core' }, { team_name: 'Docs' }]);
    expect(await acme.memberships()).toEqual(['Core: ada']);
  });

  test('Teams of a code host lose who is no longer in them, and none of those who were put there by hand or import', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [{ github_username: 'ada', teams: ['Core', 'Ops'], managed_teams: ['Core'] }]);
    const code = await acme.source();
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada', 'grace'], Docs: ['ada'] } });
    expect(await acme.memberships()).toEqual(['Core: ada', 'Core: grace', 'Docs: ada', 'Ops: ada']);
    const taken = await code.take({ people: ['ada', 'grace'], teams: {} });
    expect(taken.membershipsRemoved).toEqual([
      { team: 'Core', person: 'grace' },
      { team: 'Docs', person: 'ada' },
    ]);
    expect(await acme.memberships()).toEqual(['Core: ada', 'Ops: ada']);
    expect((await acme.state()).team_managers).toHaveLength(1);
  });

  test('Teams of a code host leave alone what a record has said since, even where it said what was there', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada', 'grace'] } });
    await acme.put('people', [{ github_username: 'ada', teams: ['Core'] }]);
    expect((await acme.auditedActions()).at(-1)).toBe('person.update');
    await acme.put('people', [{ github_username: 'grace', role: 'Engineer' }]);
    await code.take({ people: ['ada', 'grace'], teams: {} });
    expect(await acme.memberships()).toEqual(['Core: ada']);
  });

  test('Teams of a code host are there for as long as one of several sources and organisations says so', async () => {
    const acme = await acmeOnHost(store());
    const [one, other] = [await acme.source(), await acme.source()];
    const inCore = { people: ['ada'], teams: { Core: ['ada'] } };
    await one.take(inCore);
    await one.take({ ...inCore, owner: 'labs' });
    await other.take(inCore);
    await one.take({ people: ['ada'] });
    await other.take({ people: ['ada'] });
    expect(await acme.memberships()).toEqual(['Core: ada']);
    await one.take({ people: ['ada'], owner: 'Labs' });
    expect(await acme.memberships()).toEqual([]);
  });

  test('Teams of a code host keep their members when their source is removed, as if put there by hand', async () => {
    const acme = await acmeOnHost(store());
    const [code, later] = [await acme.source(), await acme.source()];
    await code.take({ people: ['ada'], teams: { Core: ['ada'] } });
    await code.remove();
    // A sync that was reading them meanwhile comes too late.
    await expect(code.take({ people: ['ada', 'grace'] })).rejects.toThrow('removed while it was read');
    expect((await acme.state()).source_people).toEqual([]);
    await later.take({ people: ['ada'], teams: { Core: ['ada'] } });
    await later.take({ people: ['ada'] });
    expect(await acme.memberships()).toEqual(['Core: ada']);
  });

  test('Teams of a code host go on under another identifier, and as part of another team', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [{ github_username: 'ada', teams: ['Platform'] }]);
    await acme.put('teams', [{ team_id: 'p', team_name: 'Platform' }]);
    const code = await acme.source();
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada', 'grace'], Platform: ['grace'] } });
    // Core gets an identifier of its own; then it turns out to be the team that was called Platform.
    await acme.put('teams', [{ team_id: 'p', team_name: 'Core' }]);
    expect(await acme.memberships()).toEqual(['Core: ada', 'Core: grace']);
    expect((await verify(store())).findings).toEqual([]);
    await code.take({ people: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['Core: ada']);
    await code.take({ people: ['ada', 'grace'], teams: { Docs: ['grace'] } });
    await acme.put('teams', [{ team_id: 'd', team_name: 'Docs' }]);
    await code.take({ people: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['Core: ada']);
  });

  test('Teams of a code host and people that are removed leave nothing behind, and come back as new', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    const members = { people: ['ada', 'grace'], teams: { Core: ['ada', 'grace'], Docs: ['ada'] } };
    await code.take(members);
    await acme.put('teams', [{ team_name: 'Core', _deleted: true }]);
    await removePerson(acme.directory, acme.context, 'ada');
    expect((await acme.state()).source_memberships).toEqual([]);
    expect((await verify(store())).findings).toEqual([]);
    expect((await code.take(members)).accounts).toMatchObject([{ linkedBy: 'new' }, { linkedBy: 'earlier_sync' }]);
    expect(await acme.memberships()).toEqual(['Core: ada', 'Core: grace', 'Docs: ada']);
  });

  test('Teams of a code host place somebody who was merged into another, and unmerging gives it back', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [
      { merged_user_id: 'a', name: 'Ada' },
      { merged_user_id: 'b', name: 'Ada at work', github_username: 'ada' },
    ]);
    await acme.merge('a', 'b');
    const code = await acme.source();
    await code.take({ people: ['ada'], teams: { Core: ['ada'] } });
    expect((await acme.listing()).teams).toMatchObject([{ members: [{ name: 'Ada' }] }]);
    await acme.unmerge('b');
    expect(await acme.memberships()).toEqual(['Core: Ada at work']);
  });
});

const logins = ['ada', 'grace', 'linus'] as const;
const teams = ['Core', 'Docs', 'Ops'] as const;
const somePlaces = fc.uniqueArray(fc.tuple(fc.constantFrom(...teams), fc.constantFrom(...logins)), {
  selector: ([team, login]) => `${team}: ${login}`,
  maxLength: 6,
});
type Places = readonly (readonly [string, string])[];
const onHost = (places: Places): OnHost => ({
  people: logins,
  teams: Object.fromEntries(
    teams.map((team) => [team, places.filter(([in_]) => in_ === team).map(([, login]) => login)]),
  ),
});
const shown = (places: Places) => [...new Set(places.map(([team, login]) => `${team}: ${login}`))].sort();

describeOnOneStore('memberships from several sides', postgres, (engine) => {
  const store = sharedStore(engine);

  /** Hand and two hosts say again and again what they say: in the end everything is there that one of them says. */
  test('Memberships from several sides are what was made by hand and what the hosts say last, in whatever order they are read', async () => {
    const step = fc.record({ by: fc.constantFrom(0, 1), places: somePlaces });
    const property = fc.asyncProperty(
      somePlaces,
      fc.array(step, { maxLength: 4 }),
      fc.tuple(somePlaces, somePlaces),
      fc.boolean(),
      async (byHand, history, last, isReversed) => {
        const acme = await acmeOnHost(store());
        const sources = [await acme.source(), await acme.source()] as const;
        await acme.put(
          'people',
          logins.map((login) => ({
            github_username: login,
            teams: byHand.filter(([, who]) => who === login).map(([team]) => team),
          })),
        );
        for (const { by, places } of history) {
          await sources[by as 0 | 1].take(onHost(places));
          const there = await acme.memberships();
          expect(there).toEqual(expect.arrayContaining(shown(byHand)));
        }
        for (const by of isReversed ? ([1, 0] as const) : ([0, 1] as const)) await sources[by].take(onHost(last[by]));
        expect(await acme.memberships()).toEqual(shown([...byHand, ...last[0], ...last[1]]));
      },
    );
    await fc.assert(property, { numRuns: engine === embedded ? times(3, 200) : times(2, 50) });
  });
});

test('A source takes away only what it alone has brought', () => {
  const membership: fc.Arbitrary<Membership> = fc.record({
    teamId: fc.constantFrom('t', 'u'),
    personId: fc.constantFrom('p', 'q'),
  });
  const some = fc.uniqueArray(membership, { selector: keyOfMembership });
  fc.assert(
    fc.property(some, some, some, some, (wanted, hand, brought, others) => {
      const has = (list: readonly Membership[]) => (one: Membership) =>
        list.some((other) => keyOfMembership(other) === keyOfMembership(one));
      const there = [...hand, ...brought, ...others];
      const change = membershipChange({ wanted, isThere: has(there), brought, isBroughtByOthers: has(others) });
      for (const removed of change.removed) {
        expect(has(brought)(removed)).toBe(true);
        expect(has(others)(removed) || has(wanted)(removed)).toBe(false);
      }
      const after = [...there.filter((one) => !has(change.removed)(one)), ...change.added];
      for (const one of [...wanted, ...others]) expect(has(after)(one)).toBe(true);
    }),
  );
});
