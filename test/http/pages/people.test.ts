import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertRows } from '../../../src/store/put-rows.ts';
import { openidSubjects } from '../../../src/store/source-tables.ts';
import { type SignedIn, signIn } from '../../setup/signed-in.ts';
import { submit } from '../sign-in/sign-in-form.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
  await pages.service.put([
    { main_email: 'grace@example.com', managed_teams: ['Platform'] },
    { main_email: 'barbara@example.com', manager_email: 'lovelace@example.org', role: 'Professor', salary: 99_000 },
    { main_email: 'donald@example.com', squads: ['Blue'] },
    { main_email: 'build@example.com', name: 'Builder', is_bot: true },
  ]);
  const { owner } = pages;
  await owner.request('POST', '/app/groups', {
    kind: 'squad',
    name: 'Red',
    lead: await pages.service.idOf('asa@example.com'),
  });
  const { squads } = (await owner.request('GET', '/app/groups')).json as { squads: { id: string; name: string }[] };
  const [blue, red] = ['Blue', 'Red'].map((name) => squads.find((one) => one.name === name)?.id);
  expect((await owner.request('PATCH', `/app/groups/${blue}`, { parent: red })).status).toBe(200);
});
afterAll(() => pages.close());

interface Person {
  readonly id: string;
  readonly name: string;
  readonly email?: string;
}
interface Listed {
  readonly total: number;
  readonly people: readonly Person[];
}
const list = async (who: SignedIn, query = '') => (await who.request('GET', `/app/people${query}`)).json as Listed;
const names = ({ people }: Listed) => people.map(({ name }) => name);

test('An Owner sees everyone, with what a roster shows', async () => {
  const { total, people } = await list(pages.owner);
  expect(total).toBe(7);
  expect(people.map(({ name }) => name)).toEqual([
    'Ada Lovelace',
    'Barbara Liskov',
    'Builder',
    'Donald Knuth',
    'Edsger Dijkstra',
    'Grace Hopper',
    'Åsa Öberg',
  ]);
  expect(people[1]).toEqual({
    id: await pages.service.idOf('barbara@example.com'),
    name: 'Barbara Liskov',
    teams: [{ id: expect.any(String), name: 'Platform' }],
    onboarded: false,
    is_bot: false,
    email: 'barbara@example.com',
    logins: [
      { source: 'github', login: 'barbara' },
      { source: 'gitlab', login: 'liskov' },
    ],
    squads: [],
    manager: { id: await pages.service.idOf('ada@example.com'), name: 'Ada Lovelace' },
    access_role: 'Engineer',
    job_title: 'Professor',
  });
});

test('Searches by name, team, address and login; by state; in pages', async () => {
  const { owner } = pages;
  expect(names(await list(owner, '?search=LISK'))).toEqual(['Barbara Liskov']);
  expect(names(await list(owner, '?search=platform'))).toEqual(['Barbara Liskov', 'Edsger Dijkstra']);
  expect(names(await list(owner, '?search=lovelace%40example.org'))).toEqual(['Ada Lovelace']);
  expect(names(await list(owner, '?search=tex'))).toEqual(['Donald Knuth']);
  expect(names(await list(owner, '?search=oberg'))).toEqual([]);
  expect(names(await list(owner, `?search=${'x'.repeat(200)}`))).toEqual([]);
  expect(await owner.request('GET', `/app/people?search=${'x'.repeat(201)}`)).toMatchObject({
    status: 400,
    json: { detail: expect.stringContaining('search') },
  });
  expect(names(await list(owner, '?state=bots'))).toEqual(['Builder']);
  expect(names(await list(owner, '?state=not-onboarded'))).toEqual(['Barbara Liskov', 'Donald Knuth', 'Åsa Öberg']);
  const page = await list(owner, '?state=onboarded&limit=1&offset=1');
  expect([page.total, names(page)]).toEqual([3, ['Edsger Dijkstra']]);
});

test.each([
  ['?limit=0', 'limit must be a whole number from 1 to 500'],
  ['?limit=1e3', 'limit must be a whole number from 1 to 500'],
  ['?offset=-1', 'offset must be a whole number'],
  ['?state=happy', 'state must be one of onboarded, not-onboarded, bots'],
  ['?order=salary', "'order' is not a query parameter."],
])('Refuses %s', async (query, says) => {
  const { status, json } = await pages.owner.request('GET', `/app/people${query}`);
  expect([status, json]).toEqual([400, { detail: expect.stringContaining(says) }]);
});

describe('row security', () => {
  const withDetails = async (who: SignedIn) =>
    (await list(who)).people.flatMap((person) => ('email' in person ? [person.name] : []));

  test('Engineers see names and teams, and more of themselves alone', async () => {
    expect(await withDetails(pages.engineer)).toEqual(['Edsger Dijkstra']);
    const barbara = await pages.service.idOf('barbara@example.com');
    const { json } = await pages.engineer.request('GET', `/app/people/${barbara}`);
    expect(Object.keys(json as object)).toEqual(['id', 'name', 'teams', 'onboarded', 'is_bot']);
  });

  test('Row security and find nobody by what they may not see', async () => {
    expect(names(await list(pages.engineer, '?search=barbara%40example.com'))).toEqual([]);
    expect(names(await list(pages.engineer, '?search=tex'))).toEqual([]);
    expect(names(await list(pages.engineer, '?search=blue'))).toEqual([]);
    expect(names(await list(pages.engineer, '?search=knuth'))).toEqual(['Donald Knuth']);
    expect(names(await list(pages.engineer, '?search=edsger%40example.com'))).toEqual(['Edsger Dijkstra']);
  });

  test('Row security who leads squads sees those in them and below, and themselves', async () => {
    expect(await withDetails(pages.squadLead)).toEqual(['Donald Knuth', 'Åsa Öberg']);
  });

  test('Managers see everyone, unless they are restricted to their teams and reports', async () => {
    expect(await withDetails(pages.manager)).toHaveLength(7);
    await pages.owner.request('PATCH', '/app/organisation', { team_restrictions: true });
    expect(await withDetails(pages.manager)).toEqual(['Barbara Liskov', 'Edsger Dijkstra', 'Grace Hopper']);
    await pages.service.put([{ main_email: 'donald@example.com', manager_email: 'grace@example.com' }]);
    expect(await withDetails(pages.manager)).toContain('Donald Knuth');
    await pages.service.put([{ main_email: 'donald@example.com', manager_email: null }]);
    await pages.owner.request('PATCH', '/app/organisation', { team_restrictions: false });
  });

  test('No roster tells a salary', async () => {
    const barbara = await pages.service.idOf('barbara@example.com');
    for (const path of ['/app/people', `/app/people/${barbara}`]) {
      expect((await pages.owner.request('GET', path)).text).not.toMatch(/salary|99000/);
    }
  });

  test('Somebody of another organisation is not there', async () => {
    expect((await pages.owner.request('GET', `/app/people/${pages.other.personId}`)).status).toBe(404);
  });
});

test('A person is changed as `plumb person set` would', async () => {
  const { owner, service } = pages;
  const id = await service.idOf('edsger@example.com');
  const { status, json } = await owner.request('PATCH', `/app/people/${id}`, {
    access_role: 'manager',
    job_title: 'Dean',
    teams: ['Platform', 'Research'],
    permissions: ['can-view-salaries'],
    manager_email: 'ada@example.com',
    logins: { github: 'ewd' },
  });
  expect(status).toBe(200);
  expect(json).toMatchObject({
    access_role: 'Manager',
    job_title: 'Dean',
    teams: [{ name: 'Platform' }, { name: 'Research' }],
    permissions: ['can-view-salaries'],
    manager: { name: 'Ada Lovelace' },
    logins: [{ source: 'github', login: 'ewd' }],
  });
  // With the very next request they may do what the role may.
  expect((await pages.engineer.request('GET', '/app/session')).json).toMatchObject({ role: 'Manager' });
  await owner.request('PATCH', `/app/people/${id}`, { access_role: 'Engineer', teams: ['Platform'], logins: null });
});

test.each([
  [{ access_role: 'King' }, /access_role/],
  [{ favourite: 'tea' }, /favourite/],
  [{ merged_user_id: 'x' }, /merged_user_id cannot be set here/],
  [{ _deleted: true }, /_deleted cannot be set here/],
  [{ main_email: 'grace@example.com' }, /belongs to another person, Grace Hopper/],
  [[], /The body must be a JSON object/],
])('Refuses %j', async (body, says) => {
  const id = await pages.service.idOf('edsger@example.com');
  const before = await pages.version();
  const { status, json } = await pages.owner.request('PATCH', `/app/people/${id}`, body);
  expect([status, json]).toEqual([400, { detail: expect.stringMatching(says) }]);
  expect(await pages.version()).toBe(before);
});

test('The only Owner cannot be demoted or removed', async () => {
  const id = await pages.service.idOf('ada@example.com');
  const demoted = await pages.owner.request('PATCH', `/app/people/${id}`, { access_role: 'Manager' });
  expect([demoted.status, demoted.json]).toEqual([400, { detail: expect.stringContaining('only Owner') }]);
  expect((await pages.owner.request('DELETE', `/app/people/${id}`)).status).toBe(409);
});

test('A new person is made once', async () => {
  const body = { main_email: 'mary@example.com', name: 'Mary Somerville', teams: ['Payments'] };
  const { status, json } = await pages.owner.request('POST', '/app/people', body);
  expect([status, json]).toEqual([
    201,
    expect.objectContaining({ name: 'Mary Somerville', email: 'mary@example.com' }),
  ]);
  const again = await pages.owner.request('POST', '/app/people', { main_email: 'MARY@example.com' });
  expect([again.status, again.json]).toEqual([409, { detail: expect.stringContaining('belongs to Mary Somerville') }]);
  expect((await pages.owner.request('POST', '/app/people', { name: 'Nobody' })).status).toBe(400);
});

test('A preview says how each identifier would match', async () => {
  await pages.service.put([
    { main_email: 'grace2@example.com', name: 'Grace Two', logins: { gitlab: 'grace' }, onboarded: false },
  ]);
  const identifiers = ['EDSGER@example.com', 'barbara', 'grace', 'nobody', 'nobody@example.com', 'theirs', 'jira-only'];
  const { json } = await pages.owner.request('POST', '/app/people/preview', { identifiers });
  const states = (json as { identifiers: { identifier: string; state: string; list: string }[] }).identifiers;
  expect(states.map(({ identifier, state, list: place }) => [identifier, state, place])).toEqual([
    ['EDSGER@example.com', 'already', 'email_addresses'],
    ['barbara', 'matched', 'github_usernames'],
    ['grace', 'ambiguous', 'github_usernames'],
    ['nobody', 'unknown', 'github_usernames'],
    ['nobody@example.com', 'unknown', 'email_addresses'],
    ['theirs', 'unknown', 'github_usernames'],
    ['jira-only', 'unknown', 'github_usernames'],
  ]);
  const off = await pages.owner.request('POST', '/app/people/preview', {
    identifiers: ['barbara', 'ada'],
    step: 'offboard',
  });
  expect(off.json).toMatchObject({
    identifiers: [
      { identifier: 'barbara', state: 'already' },
      { identifier: 'ada', state: 'matched', people: [{ name: 'Ada Lovelace', onboarded: true }] },
    ],
  });
});

describe('sign-in links', () => {
  const password = 'correct horse battery';
  const linkOf = async (id: string) => {
    const { status, json } = await pages.owner.request('POST', `/app/people/${id}/sign-in-link`, {});
    return { status, ...(json as { sign_in_url?: string; detail?: string }) };
  };
  const found = async (main_email: string, access_role: string): Promise<string> => {
    await pages.service.put([{ main_email, access_role }]);
    return pages.service.idOf(main_email);
  };

  test('Another Owner gets one until they can sign in; then only the operator makes one', async () => {
    const { service } = pages;
    const id = await found('emmy@example.com', 'Owner');
    const first = await linkOf(id);
    expect(first.status).toBe(201);
    const { pathname } = new URL(first.sign_in_url ?? '');
    expect((await submit(service, pathname, { password })).status).toBe(303);

    expect(await linkOf(id)).toEqual({ status: 403, detail: expect.stringContaining('plumb person sign-in') });
    expect((await pages.audited(1))[0]?.action).not.toBe('sign-in.create');
    expect((await submit(service, await service.signInLink('emmy@example.com'), { password })).status).toBe(303);
  });

  test('An Owner whom an OpenID provider knows gets none', async () => {
    const { service } = pages;
    const id = await found('sofya@example.com', 'Owner');
    await service.app.store.change(service.organisationId, (session) =>
      insertRows(session, openidSubjects, [
        {
          organisation_id: service.organisationId,
          issuer: 'https://login.example',
          subject: 'sofya',
          person_id: id,
          bound_at: new Date(),
        },
      ]),
    );
    expect((await linkOf(id)).status).toBe(403);
  });

  test('One that was made for somebody who was merged into an Owner since lets nobody in', async () => {
    const { service, owner } = pages;
    const into = await found('mileva@example.com', 'Owner');
    const from = await found('mileva@example.org', 'Engineer');
    const { sign_in_url = '' } = await linkOf(from);
    expect((await owner.request('POST', '/app/people/merge', { into, from })).status).toBe(200);
    expect((await submit(service, new URL(sign_in_url).pathname, { password })).status).toBe(404);
  });
});

test('Namesakes are suggested, merged, and given back', async () => {
  const { owner, service } = pages;
  await service.put([{ main_email: 'knuth@example.org', name: 'Donald Knuth', teams: ['Payments'] }]);
  const [into, from] = [await service.idOf('donald@example.com'), await service.idOf('knuth@example.org')];
  const { suggestions } = (await owner.request('GET', '/app/people/suggestions')).json as { suggestions: object[] };
  expect(suggestions).toEqual([expect.objectContaining({ why: 'same full name', name: 'Donald Knuth' })]);

  const merged = await owner.request('POST', '/app/people/merge', { into, from });
  expect(merged.json).toEqual({
    survivor: { id: into, name: 'Donald Knuth' },
    absorbed: { id: from, name: 'Donald Knuth' },
  });
  expect((await owner.request('GET', `/app/people/${into}`)).json).toMatchObject({
    teams: [{ name: 'Payments' }, { name: 'Research' }],
    merged_from: [{ id: from, email: 'knuth@example.org' }],
  });
  expect((await owner.request('GET', `/app/people/${from}`)).status).toBe(404);
  expect((await owner.request('POST', '/app/people/merge', { into, from })).status).toBe(400);

  expect((await owner.request('POST', '/app/people/unmerge', { person: from })).status).toBe(200);
  expect((await owner.request('GET', `/app/people/${from}`)).json).toMatchObject({ teams: [{ name: 'Payments' }] });
});

test('Looking for namesakes is no new data for pages, also after a sign-in', async () => {
  const { service, owner } = pages;
  const look = () => owner.request('GET', '/app/people/suggestions');
  const versionOfData = () => service.app.warehouse.versionOf(service.organisationId);
  await look();
  const [data, directory] = [versionOfData(), await pages.version()];
  await signIn(service, 'grace@example.com');
  expect(await pages.version()).toBeGreaterThan(directory);
  expect((await look()).status).toBe(200);
  expect(versionOfData()).toBe(data);
});
