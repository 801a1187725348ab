import { expect, test } from 'vitest';
import { SourceProblem } from '../../../src/sources/source.ts';
import { describeOnOneStore, noon, postgres, sharedStore } from '../../conformance/stores.ts';
import { acmeOnHost } from './acme-on-host.ts';

describeOnOneStore('somebody who leaves a code host', postgres, (engine) => {
  const store = sharedStore(engine);

  test('Somebody who leaves a code host keeps who they are, loses what the source brought, and is listed', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada'] } });
    const before = await acme.person('ada');
    const taken = await code.take({ people: ['grace'], teams: { Core: ['ada'] } });
    expect(taken).toMatchObject({ left: [{ login: 'ada', name: 'ada' }], offboarded: [] });
    expect(await acme.person('ada')).toEqual(before);
    expect(await acme.memberships()).toEqual([]);
    expect(await acme.accounts()).toMatchObject([
      { login: 'ada', left_at: noon, person_id: before.id },
      { login: 'grace', left_at: null },
    ]);
    const version = await acme.version();
    expect((await code.take({ people: ['grace'] })).left).toEqual([]);
    expect(await acme.version()).toBe(version);
  });

  test('Somebody who leaves a code host is offboarded where the source is set to, and not onboarded again by coming back', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source({ offboardLeavers: true });
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada'] } });
    const taken = await code.take({ people: ['grace'] });
    expect(taken.offboarded).toMatchObject([{ name: 'ada' }]);
    expect(await acme.person('ada')).toMatchObject({ onboarded: false });
    expect((await acme.auditedActions()).slice(-2)).toEqual(['person.offboard', 'source.people']);
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada'] } });
    expect(await acme.person('ada')).toMatchObject({ onboarded: false });
    expect(await acme.memberships()).toEqual(['Core: ada']);
    expect((await acme.accounts()).map(({ left_at }) => left_at)).toEqual([null, null]);
  });

  test('Somebody who leaves a code host is not offboarded again by a later sync', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source({ offboardLeavers: true });
    await code.take({ people: ['ada', 'grace'] });
    await code.take({ people: ['grace'] });
    await acme.put('people', [{ github_username: 'ada', onboarded: true }]);
    await code.take({ people: ['grace'] });
    expect(await acme.person('ada')).toMatchObject({ onboarded: true });
  });

  test('Somebody who leaves a code host is not offboarded while another source, organisation or login still lists them', async () => {
    const acme = await acmeOnHost(store());
    const [code, other] = [await acme.source({ offboardLeavers: true }), await acme.source({ host: 'gitlab' })];
    const renamed = { login: 'linus-t', verifiedEmail: 'linus@acme.example' };
    await acme.put('people', [{ logins: { github: 'ada', gitlab: 'ada.l' } }]);
    await code.take({ people: ['ada', 'grace', { ...renamed, login: 'linus' }] });
    await code.take({ owner: 'labs', people: ['grace'] });
    await other.take({ people: ['ada.l'] });
    const taken = await code.take({ people: [renamed] });
    expect(taken.left.map(({ login }) => login)).toEqual(['ada', 'grace', 'linus']);
    expect(taken.offboarded).toEqual([]);
    expect((await code.take({ owner: 'labs', people: ['linus-t'] })).offboarded).toMatchObject([{ name: 'grace' }]);
  });

  test('Somebody who leaves a code host is not offboarded as the last Owner who is onboarded', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [
      { main_email: 'owner@example.com', github_username: 'owner' },
      { github_username: 'second', access_role: 'Owner' },
    ]);
    const code = await acme.source({ offboardLeavers: true });
    await code.take({ people: ['owner', 'second', 'ada'] });
    expect((await code.take({ people: ['ada'] })).offboarded).toHaveLength(1);
    const owners = [await acme.person('owner'), await acme.person('second')];
    expect(owners.map(({ onboarded, access_role }) => [onboarded, access_role])).toEqual(
      expect.arrayContaining([
        [true, 'Owner'],
        [false, 'Owner'],
      ]),
    );
  });

  test('Somebody who leaves a code host is not believed to have left when the host lists nobody at all', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source({ offboardLeavers: true });
    await code.take({ people: ['ada'], teams: { Core: ['ada'] } });
    await expect(code.take({ people: [] })).rejects.toThrow(SourceProblem);
    expect(await acme.memberships()).toEqual(['Core: ada']);
    expect(await acme.accounts()).toMatchObject([{ left_at: null }]);
  });

  test('Somebody who leaves a code host is forgotten once nobody has their login', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await code.take({ people: ['ada', 'grace'] });
    await code.take({ people: ['grace'] });
    await acme.put('people', [{ github_username: 'ada', _deleted: true }]);
    await code.take({ people: ['grace'] });
    expect(await acme.accounts()).toMatchObject([{ login: 'grace' }]);
  });
});
