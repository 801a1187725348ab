import { expect, test } from 'vitest';
import { verify } from '../../../src/safety/verify.ts';
import { describeOnOneStore, postgres, sharedStore } from '../../conformance/stores.ts';
import { acmeOnHost } from './acme-on-host.ts';

describeOnOneStore('a report of teams', postgres, (engine) => {
  const store = sharedStore(engine);

  async function acmeWithPeople(...logins: readonly string[]) {
    const acme = await acmeOnHost(store());
    await acme.put(
      'people',
      logins.map((login) => ({ github_username: login })),
    );
    return { ...acme, copilot: await acme.source() };
  }

  test('A report of teams places people whom the directory knows, and makes and offboards nobody', async () => {
    const acme = await acmeWithPeople('ada', 'grace');
    const before = (await acme.state()).people;
    const taken = await acme.copilot.report({ core: ['ADA', 'stranger'], strangers: ['stranger'] });
    expect(taken).toMatchObject({ teamsMade: ['core'], membershipsAdded: [{ team: 'core', person: 'ada' }] });
    expect(await acme.memberships()).toEqual(['core: ada']);
    expect((await acme.state()).people).toEqual(before);
    expect((await acme.state()).source_people).toEqual([]);
    expect((await verify(store())).findings).toEqual([]);
  });

  test('A report of teams finds a team by its name, else by the address that GitHub makes of a name', async () => {
    const acme = await acmeWithPeople('ada');
    const names = ['Data & Search', 'Crème Brûlée', 'API', 'Web', 'Two Words', 'two-words'];
    await acme.put(
      'teams',
      names.map((team_name) => ({ team_name })),
    );
    const slugs = ['data-search', 'creme-brulee', 'api', 'front', 'two-words'];
    const { teamsMade } = await acme.copilot.report(Object.fromEntries(slugs.map((slug) => [slug, ['ada']])), {
      front: 'web',
    });
    expect(teamsMade).toEqual([]);
    const expected = ['API: ada', 'Crème Brûlée: ada', 'Data & Search: ada', 'Web: ada', 'two-words: ada'];
    expect(await acme.memberships()).toEqual(expected);
  });

  test('A report of teams takes a membership away only where it names both, and not together', async () => {
    const acme = await acmeWithPeople('ada', 'grace', 'linus');
    await acme.copilot.report({ core: ['ada', 'grace', 'linus'], docs: ['ada', 'grace'] });
    // Linus may have lost his seat, and Docs may have become too small to be reported.
    await acme.copilot.report({ core: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['core: ada', 'core: grace', 'core: linus', 'docs: ada', 'docs: grace']);
    const { membershipsRemoved } = await acme.copilot.report({ core: ['ada'], docs: ['grace'] });
    expect(membershipsRemoved).toEqual([
      { team: 'core', person: 'grace' },
      { team: 'docs', person: 'ada' },
    ]);
    expect(await acme.memberships()).toEqual(['core: ada', 'core: linus', 'docs: grace']);
    // An empty report is not believed.
    await acme.copilot.report({});
    expect(await acme.memberships()).toHaveLength(3);
  });

  test('A report of teams takes people out of a team that it called by its address, once it knows the name', async () => {
    const acme = await acmeWithPeople('ada', 'grace', 'linus');
    await acme.copilot.report({ 'core-team': ['ada', 'grace'], docs: ['linus'] });
    expect(await acme.memberships()).toEqual(['core-team: ada', 'core-team: grace', 'docs: linus']);
    // The right to read names was given, and Linus is in no report of that day.
    await acme.copilot.report({ 'core-team': ['ada', 'grace'] }, { 'core-team': 'Core Team' });
    expect(await acme.memberships()).toEqual(['Core Team: ada', 'Core Team: grace', 'docs: linus']);
    await acme.copilot.report({ 'core-team': ['ada'] }, { 'core-team': 'Core Team' });
    expect(await acme.memberships()).toEqual(['Core Team: ada', 'Core Team: grace', 'docs: linus']);
  });

  test('A report of teams leaves alone what others have said, and says nothing twice', async () => {
    const acme = await acmeWithPeople('ada', 'grace');
    await acme.put('people', [{ github_username: 'ada', teams: ['core', 'docs'] }]);
    await acme.copilot.report({ core: ['ada', 'grace'], docs: ['grace'] });
    const version = await acme.version();
    await acme.copilot.report({ core: ['ada', 'grace'], docs: ['grace'] });
    expect(await acme.version()).toBe(version);
    await acme.copilot.report({ core: ['grace'], docs: ['grace', 'ada'] });
    expect(await acme.memberships()).toEqual(['core: ada', 'core: grace', 'docs: ada', 'docs: grace']);
  });

  test('A report of teams gives way to a source that lists the members, and comes back when they are listed no more', async () => {
    const acme = await acmeWithPeople('ada', 'grace');
    await acme.copilot.report({ core: ['ada', 'grace'] });
    const elsewhere = await acme.source({ host: 'gitlab' });
    await elsewhere.take({ people: ['ada'], teams: {} });
    await acme.copilot.report({ core: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['core: ada', 'core: grace']);
    const code = await acme.source();
    await code.take({ owner: 'Acme', people: ['ada', 'grace'], teams: { Core: ['ada'] } });
    await acme.copilot.report({ core: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['Core: ada']);
    await code.remove();
    await acme.copilot.report({ core: ['ada', 'grace'] });
    expect(await acme.memberships()).toEqual(['Core: ada', 'Core: grace']);
  });

  test('A report of teams that comes after its source was removed is not taken', async () => {
    const acme = await acmeWithPeople('ada');
    await acme.copilot.remove();
    await expect(acme.copilot.report({ core: ['ada'] })).rejects.toThrow('removed while it was read');
    expect(await acme.memberships()).toEqual([]);
  });
});
