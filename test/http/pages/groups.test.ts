import { afterAll, beforeAll, expect, test } from 'vitest';
import { putRecords } from '../../../src/directory/put-records.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
beforeAll(async () => {
  pages = await startPages();
});
afterAll(() => pages.close());

interface Group {
  readonly id: string;
  readonly name: string;
  readonly members: readonly { readonly name: string }[];
}
type Groups = Readonly<Record<'teams' | 'squads', readonly Group[]>>;
const groups = async (who = pages.owner) => (await who.request('GET', '/app/groups')).json as Groups;
const made = async (body: object) => (await pages.owner.request('POST', '/app/groups', body)).json as Group;
const membersOf = (group: Group | undefined) => group?.members.map(({ name }) => name);

test('Teams have everyone in them, onboarded or not', async () => {
  expect(await groups()).toEqual({
    teams: [
      {
        id: expect.any(String),
        name: 'Payments',
        department: 'Product',
        members: [
          { id: expect.any(String), name: 'Ada Lovelace' },
          { id: expect.any(String), name: 'Grace Hopper' },
        ],
      },
      { id: expect.any(String), name: 'Platform', department: null, members: [expect.anything(), expect.anything()] },
      {
        id: expect.any(String),
        name: 'Research',
        department: null,
        members: [{ id: expect.any(String), name: 'Donald Knuth' }],
      },
    ],
    squads: [],
  });
});

test('A team is made, renamed, filled and emptied, and removed', async () => {
  const { owner, service } = pages;
  const [donald, asa] = [await service.idOf('donald@example.com'), await service.idOf('asa@example.com')];
  const team = await made({ kind: 'team', name: 'Typography', add: [donald, asa, donald] });
  expect(team).toMatchObject({ kind: 'team', name: 'Typography', department: null });
  expect(membersOf(team)).toEqual(['Donald Knuth', 'Åsa Öberg']);
  const path = `/app/groups/${team.id}`;
  const renamed = await owner.request('PATCH', path, { name: 'Type', department: 'Arts', remove: [asa] });
  expect(renamed.json).toMatchObject({
    id: team.id,
    name: 'Type',
    department: 'Arts',
    members: [{ name: 'Donald Knuth' }],
  });
  // What else they are in stays.
  expect((await owner.request('GET', `/app/people/${donald}`)).json).toMatchObject({
    teams: [{ name: 'Research' }, { name: 'Type' }],
  });
  expect((await owner.request('DELETE', path)).status).toBe(204);
  expect((await owner.request('DELETE', path)).status).toBe(404);
  expect((await groups()).teams.map(({ name }) => name)).not.toContain('Type');
});

test('Who was merged leaves a team with everyone they are', async () => {
  const { owner, service } = pages;
  await service.put([{ main_email: 'liskov@example.org', name: 'B. Liskov', teams: ['Research'] }]);
  const [barbara, second] = [await service.idOf('barbara@example.com'), await service.idOf('liskov@example.org')];
  await owner.request('POST', '/app/people/merge', { into: barbara, from: second });
  const research = (await groups()).teams.find(({ name }) => name === 'Research');
  expect(membersOf(research)).toEqual(['Barbara Liskov', 'Donald Knuth']);
  const left = await owner.request('PATCH', `/app/groups/${research?.id}`, { remove: [barbara] });
  expect(membersOf(left.json as Group)).toEqual(['Donald Knuth']);
});

test('Squads are a tree, with a lead each', async () => {
  const { owner, service, squadLead, engineer } = pages;
  const asa = await service.idOf('asa@example.com');
  const edsger = await service.idOf('edsger@example.com');
  const top = await made({ kind: 'squad', name: 'Top', level: 1, lead: asa });
  const below = await made({ kind: 'squad', name: 'Below', level: 2, parent: top.id, add: [edsger] });
  expect(below).toMatchObject({ parent: { id: top.id, name: 'Top' }, lead: null, level: 2 });
  const loop = await owner.request('PATCH', `/app/groups/${top.id}`, { parent: below.id });
  expect([loop.status, loop.json]).toEqual([400, { detail: expect.stringContaining('below itself') }]);
  const [shown] = (await groups(squadLead)).squads.filter(({ id }) => id === below.id);
  expect(membersOf(shown)).toEqual(['Edsger Dijkstra']);
  // An engineer sees the tree, the teams, and of squads only themselves.
  const seen = await groups(engineer);
  expect(seen.teams.flatMap(({ members }) => members).length).toBeGreaterThan(4);
  expect(
    seen.squads.map(({ name, lead, members }: Group & { lead?: unknown }) => [name, lead, members.length]),
  ).toEqual([
    ['Below', null, 1],
    ['Top', null, 0],
  ]);
  const freed = await owner.request('PATCH', `/app/groups/${below.id}`, { parent: null, lead: edsger });
  expect(freed.json).toMatchObject({ parent: null, lead: { name: 'Edsger Dijkstra' } });
});

test('A name is free or refused', async () => {
  const { status, json } = await pages.owner.request('POST', '/app/groups', { kind: 'team', name: ' PAYMENTS ' });
  expect([status, json]).toEqual([409, { detail: "There is a team called 'Payments' already." }]);
  const platform = (await groups()).teams.find(({ name }) => name === 'Platform');
  const taken = await pages.owner.request('PATCH', `/app/groups/${platform?.id}`, { name: 'payments' });
  expect([taken.status, taken.json]).toEqual([400, { detail: expect.stringContaining('belongs to another team') }]);
});

test('A team and a squad of one identifier are told apart', async () => {
  const { app, organisationId } = pages.service;
  const context = { organisationId, actor: { via: 'demo' } } as const;
  await putRecords(app.directory, context, 'teams', [{ line: 1, value: { team_id: 'x', team_name: 'Team X' } }]);
  await putRecords(app.directory, context, 'squads', [{ line: 1, value: { squad_id: 'x', squad_name: 'Squad X' } }]);
  expect((await pages.owner.request('DELETE', '/app/groups/x')).status).toBe(409);
  expect((await pages.owner.request('DELETE', '/app/groups/x?kind=squad')).status).toBe(204);
  expect((await groups()).teams.map(({ id }) => id)).toContain('x');
});

test.each([
  [{ kind: 'guild', name: 'x' }, 400, /kind/],
  [{ kind: 'team', name: ' ' }, 400, /name must not be blank/],
  [{ kind: 'team', name: 'x', level: 2 }, 400, /A team has no level/],
  [{ kind: 'squad', name: 'x', department: 'y' }, 400, /A squad has no department/],
  [{ kind: 'squad', name: 'x', parent: 'nothing' }, 404, /no squad with the identifier 'nothing'/],
  [{ kind: 'team', name: 'x', add: ['nobody'] }, 404, /no person with the identifier 'nobody'/],
])('Refuses %j', async (body, status, says) => {
  const before = await pages.version();
  const answer = await pages.owner.request('POST', '/app/groups', body);
  expect([answer.status, answer.json]).toEqual([status, { detail: expect.stringMatching(says) }]);
  expect(await pages.version()).toBe(before);
});
