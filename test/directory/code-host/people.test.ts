import { expect, test } from 'vitest';
import { auditEntries } from '../../../src/store/audit.ts';
import { describeOnOneStore, postgres, sharedStore } from '../../conformance/stores.ts';
import { acmeOnHost } from './acme-on-host.ts';

describeOnOneStore('members of a code host', postgres, (engine) => {
  const store = sharedStore(engine);

  test('Members of a code host become people, onboarded, with their verified address; bots are not onboarded', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    const taken = await code.take({
      people: [
        { login: 'Ada', name: 'Ada Lovelace', verifiedEmail: 'ada@acme.example' },
        'grace',
        'renovate[bot]',
        { login: 'ci-runner', isBot: true },
      ],
    });
    expect(taken.accounts.map(({ login, linkedBy }) => [login, linkedBy])).toEqual([
      ['Ada', 'new'],
      ['ci-runner', 'new'],
      ['grace', 'new'],
      ['renovate[bot]', 'new'],
    ]);
    expect(await acme.person('ada@acme.example')).toMatchObject({
      name: 'Ada Lovelace',
      main_email: 'ada@acme.example',
      access_role: 'Engineer',
      permissions: '[]',
      salary: null,
      onboarded: true,
    });
    expect(await acme.person('grace')).toMatchObject({ name: 'grace', main_email: null, onboarded: true });
    expect(await acme.person('renovate[bot]')).toMatchObject({ is_bot: true, onboarded: false });
    expect(await acme.person('ci-runner')).toMatchObject({ is_bot: true, onboarded: false });
  });

  test('Members of a code host are counted with their teams by what is new and what has changed, each once', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source({ offboardLeavers: true });
    const both = { people: ['ada', 'grace'], teams: { Core: ['ada'] } };
    expect((await code.take(both)).rows).toEqual({
      people: { added: 2, changed: 0 },
      teams: { added: 1, changed: 0 },
    });
    expect((await code.take(both)).rows).toEqual({});
    // Ada leaves her team, and loses her onboarding with her account.
    expect((await code.take({ people: ['grace', 'mary'] })).rows).toEqual({ people: { added: 1, changed: 1 } });
  });

  test('Members of a code host are one with an import of the same address, whichever came first', async () => {
    const [imported, read] = [await acmeOnHost(store()), await acmeOnHost(store())];
    await imported.put('people', [{ main_email: 'ada@acme.example' }]);
    await (await imported.source()).take({ people: [{ login: 'ada', verifiedEmail: 'ADA@acme.example' }] });
    await (await read.source()).take({ people: [{ login: 'ada', verifiedEmail: 'ada@acme.example' }] });
    await read.put('people', [{ main_email: 'ada@acme.example' }]);
    for (const acme of [imported, read]) {
      expect((await acme.person('ada')).id).toBe((await acme.person('ada@acme.example')).id);
    }
  });

  test('Members of a code host stay out where nobody is onboarded automatically, until that is so again', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    const automatically = (value: boolean) =>
      store().change(acme.id, (session) =>
        session.run('UPDATE organisations SET onboard_automatically = $2 WHERE id = $1', [acme.id, value]),
      );
    await automatically(false);
    await code.take({ people: ['ada'] });
    expect(await acme.person('ada')).toMatchObject({ onboarded: false });
    await automatically(true);
    await code.take({ people: ['ada'] });
    expect(await acme.person('ada')).toMatchObject({ onboarded: true });
  });

  test('Members of a code host are linked to whoever has the login, else the verified address, and to nobody by name', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [
      { merged_user_id: 'a', main_email: 'ada@acme.example', name: 'Ada', github_username: 'ada', salary: 5 },
      { merged_user_id: 'g', main_email: 'grace@acme.example', name: 'Grace', access_role: 'Manager', teams: ['Core'] },
      { merged_user_id: 'n', name: 'Ada Lovelace', logins: { gitlab: 'lovelace' }, onboarded: false },
    ]);
    const code = await acme.source();
    const taken = await code.take({
      people: [
        { login: 'ADA', name: 'Other name', verifiedEmail: 'new@acme.example' },
        { login: 'hopper', name: 'Other name', verifiedEmail: 'grace@acme.example', isBot: true },
        { login: 'lovelace', name: 'Ada Lovelace' },
      ],
    });
    expect(taken.accounts.map(({ login, linkedBy, personId }) => [login, linkedBy, personId])).toEqual([
      ['ADA', 'login', 'a'],
      ['hopper', 'verified_email', 'g'],
      ['lovelace', 'new', expect.not.stringMatching(/^[agn]$/)],
    ]);
    expect(await acme.person('ada@acme.example')).toMatchObject({ id: 'a', name: 'Ada', salary: 5 });
    await expect(acme.person('new@acme.example')).rejects.toThrow('No one is known');
    expect(await acme.person('hopper')).toMatchObject({
      id: 'g',
      name: 'Grace',
      access_role: 'Manager',
      is_bot: false,
      main_email: 'grace@acme.example',
    });
    expect(await acme.memberships()).toEqual(['Core: Grace']);
    expect(await acme.person('n')).toMatchObject({ onboarded: false });
  });

  test('Members of a code host whose login and address are two people’s are linked by login, and listed until they are merged', async () => {
    const acme = await acmeOnHost(store());
    await acme.put('people', [
      { merged_user_id: 'a', name: 'Ada', github_username: 'ada' },
      { merged_user_id: 'b', name: 'Ada L.', main_email: 'ada@acme.example' },
    ]);
    const code = await acme.source();
    const members = { people: [{ login: 'ada', verifiedEmail: 'ada@acme.example' }] };
    const taken = await code.take(members);
    expect(taken.accounts).toMatchObject([{ personId: 'a', emailOwner: { id: 'b', name: 'Ada L.' } }]);
    expect(await acme.accounts()).toMatchObject([{ person_id: 'a', email_person_name: 'Ada L.' }]);
    await acme.merge('a', 'b');
    expect(await acme.accounts()).toMatchObject([{ person_id: 'a', email_person_name: null }]);
    expect((await code.take(members)).accounts[0]).not.toHaveProperty('emailOwner');
  });

  test('Members of a code host change nothing when they are read again', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    const members = { people: ['ada', { login: 'grace', verifiedEmail: 'g@acme.example' }], teams: { Core: ['ada'] } };
    await code.take(members);
    const [version, state] = [await acme.version(), await acme.state()];
    const taken = await code.take(members);
    expect(taken.accounts.map(({ linkedBy }) => linkedBy)).toEqual(['earlier_sync', 'earlier_sync']);
    expect(await acme.version()).toBe(version);
    expect(await acme.state()).toEqual(state);
  });

  test('Members of a code host are in the audit log under the source that brought them', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    await code.take({ people: ['ada'], teams: { Core: ['ada'] } });
    const entries = await store().read((session) => auditEntries(session, acme.id, 3));
    expect(entries.map(({ action, via, actor }) => [action, via, actor])).toEqual([
      ['source.people', 'source', code.id],
      ['person.create', 'source', code.id],
      ['team.create', 'source', code.id],
    ]);
  });

  test('Members of a code host are previewed as they would be taken, and nothing changes', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source({ offboardLeavers: true });
    await code.take({ people: ['ada', 'grace'], teams: { Core: ['ada'] } });
    const [version, state] = [await acme.version(), await acme.state()];
    const next = { people: ['grace', 'linus'], teams: { Core: ['linus'] } };
    const previewed = await code.preview(next, { owner: 'labs', people: ['linus'] });
    expect(await acme.version()).toBe(version);
    expect(await acme.state()).toEqual(state);
    const taken = await code.take(next);
    expect(previewed).toEqual([taken, expect.objectContaining({ owner: 'labs' })]);
    expect(taken).toMatchObject({
      membershipsAdded: [{ team: 'Core', person: 'linus' }],
      membershipsRemoved: [{ team: 'Core', person: 'ada' }],
      left: [{ login: 'ada', name: 'ada' }],
      offboarded: [{ name: 'ada' }],
    });
    expect(previewed[1]?.accounts).toMatchObject([{ login: 'linus', linkedBy: 'login' }]);
  });

  test('Members of a code host with a login or in a team that cannot be kept are told, and the others are taken', async () => {
    const acme = await acmeOnHost(store());
    const code = await acme.source();
    const taken = await code.take({
      people: [' ', 'x'.repeat(501), { login: 'ada', verifiedEmail: 'no address' }],
      teams: { ' ': ['ada'], ['t'.repeat(501)]: ['ada'], Core: ['ada', 'stranger'] },
    });
    expect(taken.problems).toHaveLength(4);
    expect(await acme.memberships()).toEqual(['Core: ada']);
    expect(await acme.person('ada')).toMatchObject({ main_email: null });
  });
});

describeOnOneStore('the link of an account', postgres, (engine) => {
  const store = sharedStore(engine);

  async function linkedByAddress() {
    const acme = await acmeOnHost(store());
    await acme.put('people', [
      { merged_user_id: 'g', main_email: 'grace@acme.example', name: 'Grace', logins: { github: ['g1'] } },
    ]);
    const [code, other] = [await acme.source(), await acme.source()];
    const members = { people: [{ login: 'Hopper', verifiedEmail: 'grace@acme.example' }], teams: { Core: ['hopper'] } };
    await code.take(members);
    return { acme, code, other, members };
  }

  test('The link of an account can be undone, and no source makes it again from the address', async () => {
    const { acme, code, other, members } = await linkedByAddress();
    expect(await acme.memberships()).toEqual(['Core: Grace']);
    expect(await code.unlink('HOPPER')).toMatchObject({ personId: 'g', name: 'Grace' });
    await expect(acme.person('hopper')).rejects.toThrow('No one is known');
    expect((await acme.person('g1')).id).toBe('g');
    const taken = await other.take(members);
    await code.take(members);
    expect(taken.accounts).toMatchObject([{ login: 'Hopper', linkedBy: 'new', name: 'Hopper' }]);
    expect((await acme.person('hopper')).id).not.toBe('g');
    expect(await acme.memberships()).toEqual(['Core: Hopper']);
    expect(await acme.accounts()).toMatchObject([
      { is_unlinked: true, email_person_name: null },
      { is_unlinked: true, email_person_name: null },
    ]);
  });

  test('The link of an account that was undone stays so for another source that has listed the account', async () => {
    const { acme, code, other, members } = await linkedByAddress();
    await other.take(members);
    await code.unlink('hopper');
    await code.remove();
    expect((await other.take(members)).accounts).toMatchObject([{ linkedBy: 'new' }]);
    expect((await acme.person('hopper')).id).not.toBe('g');
  });

  test('The link of an account that was undone can be made by hand', async () => {
    const { acme, code, members } = await linkedByAddress();
    await code.unlink('hopper');
    await acme.put('people', [{ merged_user_id: 'g', logins: { github: ['g1', 'hopper'] } }]);
    expect((await code.take(members)).accounts).toMatchObject([{ linkedBy: 'earlier_sync', personId: 'g' }]);
  });

  test('The link of an account is undone only where there is one, and where somebody is left', async () => {
    const { code, members } = await linkedByAddress();
    await code.take({ ...members, people: [...members.people, 'linus'] });
    await expect(code.unlink('hoper')).rejects.toThrow("no account 'hoper'. Did you mean 'Hopper'");
    await expect(code.unlink('linus')).rejects.toThrow("'linus' is all that linus is known by");
    await code.unlink('hopper');
    await expect(code.unlink('hopper')).rejects.toThrow('is linked to no one');
  });
});
