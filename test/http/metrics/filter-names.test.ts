import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HttpAnswer, Service } from '../../setup/running-app.ts';
import { manyAt, manyPullRequests, unchangedMany } from './many-pull-requests.ts';
import { asking, change, march, pullRequestsCount, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ isQuick: true });
  await service.put([
    { main_email: 'edsger@example.com', manager_email: 'grace@example.com', location: 'Austin' },
    { main_email: 'grace@example.com', emails: ['grace@example.com', 'Hopper@navy.example'] },
    { main_email: 'ada@example.com', location: 'London' },
  ]);
});
afterAll(() => service.close());
const ask = asking(() => service);
const askMany = asking(unchangedMany());
const third = pullRequestsCount / 3;

const counted = async (filters: object): Promise<number> => {
  const answer = await ask('pull-requests-count', { filters: { ...march, ...filters } });
  return (answer.json as { pr_count: number }[])[0]?.pr_count ?? Number.NaN;
};
const unmatched = ({ headers }: HttpAnswer): unknown => {
  const header = headers['x-unmatched-filters'];
  return header === undefined ? undefined : JSON.parse(decodeURIComponent(String(header)));
};

describe('people, teams and squads', () => {
  test.each([
    ['a name in any case', { member: ['ada LOVELACE'] }, third],
    ['a primary address', { member: ['ADA@example.com'] }, third],
    ['an address with space around it', { member: [' ada@example.com'] }, third],
    ['a manager by an address with space around it', { manager_email: ['grace@example.com '] }, third],
    ['any other address', { member: ['Lovelace@Example.org'] }, third],
    ['names and addresses, value by value', { member: ['Ada Lovelace', 'grace@example.com'] }, 2 * third],
    ['a part of a name', { member: ['Ada'] }, 0],
    ['a team by name', { team: ['payments'] }, 2 * third],
    ['a team by its other filter', { team_ids: 'PLATFORM' }, third],
    ['a manager by name', { manager_ids: ['grace hopper'] }, third],
    ['a manager by address', { manager_ids: ['grace@EXAMPLE.com'] }, third],
    ['a manager by any address', { manager_email: 'hopper@NAVY.example' }, third],
    ['one membership of team and department', { team: ['Payments', 'Platform'], departments: ['Product'] }, 2 * third],
  ])('People, teams and squads are found by %s', async (_, filters, expected) => {
    expect(await counted(filters)).toBe(expected);
  });

  test('People, teams and squads are found by a name as the directory matches it', async () => {
    const named = (ada: string, grace: string, edsger: string) =>
      service.put([
        { main_email: 'ada@example.com', name: ada },
        { main_email: 'grace@example.com', name: grace },
        { main_email: 'edsger@example.com', name: edsger },
      ]);
    await named('Νικος', 'Zoe\u0308', 'Stra\u00dfe');
    for (const asked of ['ΝΙΚΟΣ', 'ZO\u00cb', ' strasse ']) {
      const answer = await ask('pull-requests-count', { filters: { ...march, member: [asked] } });
      expect([asked, answer.json]).toMatchObject([asked, [{ pr_count: third }]]);
      expect(unmatched(answer)).toBeUndefined();
    }
    await named('Ada Lovelace', 'Grace Hopper', 'Edsger Dijkstra');
  });

  test('People, teams and squads are found by an identifier first, and by a name that several share all of them', async () => {
    const grace = await service.idOf('grace@example.com');
    // Somebody is called what somebody else's identifier is: the identifier means its own person.
    await change(service, 'edsger@example.com', { name: grace });
    expect(await counted({ member: [grace] })).toBe(third);
    await change(service, 'edsger@example.com', { name: 'Grace Hopper' });
    expect(await counted({ member: ['Grace Hopper'] })).toBe(2 * third);
    await change(service, 'edsger@example.com', { name: 'Edsger Dijkstra' });
    expect(await counted({ member: ['Grace Hopper'] })).toBe(third);
  });
});

describe('values that match nothing', () => {
  const filters = { ...march, team_ids: ['Payments', 'Nowhere'], repositories: [{ repository_name: 'nope' }, 'WEB'] };
  const named = { team_ids: ['Nowhere'], repositories: [{ repository_name: 'nope' }] };

  test('Values that match nothing are named as they were sent, in every form and format, kept or not', async () => {
    for (const body of [{ filters }, { filters, include_previous_period: true }, { filters, time_series_data: true }]) {
      const first = await ask('pull-requests-count', body);
      const again = await ask('pull-requests-count', body);
      const recalled = await ask('pull-requests-count', body);
      expect([first, again, recalled].map(unmatched)).toEqual([named, named, named]);
      expect([again, recalled].map(({ headers }) => headers['x-cache'])).toEqual(['HIT', 'HIT']);
      const { meta } = first.json as { meta?: { unmatched_filters?: unknown } };
      expect(meta?.unmatched_filters).toEqual(meta && named);
    }
    const csv = { headers: { accept: 'text/csv' } };
    expect(unmatched(await ask('pull-requests-count', { filters }, csv))).toEqual(named);
    const several = { metrics: ['pull-requests-count', 'reviews-count'], filters };
    expect(unmatched(await ask('get-multiple-metrics', several))).toEqual(named);
    expect(unmatched(await ask('pull-requests-count/explain', { filters }))).toEqual(named);
    const benchmark = await ask('benchmark', { filters, benchmark_metric: 'cycle-time', date_field: 'merged_at' });
    expect(unmatched(benchmark)).toEqual(named);
    expect(benchmark.json).toMatchObject({ meta: { unmatched_filters: named } });
    const people = await ask('users-count', { filters: { team: 'Nowhere', levels: ['L9'] } });
    expect(unmatched(people)).toEqual({ team: ['Nowhere'], levels: ['L9'] });
  });

  test('Values that match nothing are named in the words of each caller, also from an answer that somebody else asked for', async () => {
    const asked = (team: object) => ask('pull-requests-count', { filters: { ...march, ...team }, group_by: ['pr_id'] });
    expect(unmatched(await asked({ team: ['Nobody’s'] }))).toEqual({ team: ['Nobody’s'] });
    const again = await asked({ team_ids: 'Nobody’s' });
    expect(again.headers['x-cache']).toBe('HIT');
    expect(unmatched(again)).toEqual({ team_ids: ['Nobody’s'] });
  });

  test('Values that match nothing are none where everything is there, whatever the window and the other filters leave of it', async () => {
    const there = {
      start_date: '2020-01-01',
      end_date: '2020-01-02',
      repositories: ['acme/api'],
      pr_ids: ['pr-00'],
      member: ['Ada Lovelace'],
      pr_states: ['closed'],
      pull_requests_search_term: 'nothing has these words',
    };
    expect(unmatched(await ask('pull-requests-count', { filters: there }))).toBeUndefined();
    // A pull request without reviews is there, and so is a repository without deployments.
    const parts = { ...march, pr_ids: ['pr-07'], repositories: ['web'] };
    expect(unmatched(await ask('reviews-count', { filters: parts }))).toBeUndefined();
    expect(
      unmatched(await ask('deployment-frequency', { filters: { ...march, repositories: ['web'] } })),
    ).toBeUndefined();
    expect(
      unmatched(await ask('workflow-runs-count', { filters: { ...march, associated_pr_ids: ['pr-07', 'x'] } })),
    ).toEqual({ associated_pr_ids: ['x'] });
  });

  test('Values that match nothing are answered afresh once there is such a thing', async () => {
    const body = { filters: { ...march, pr_ids: ['pr-new'] } };
    expect(unmatched(await ask('pull-requests-count', body))).toEqual({ pr_ids: ['pr-new'] });
    await putRecords(service, 'pull_requests', [{ pr_id: 'pr-new', pr_created_at: '2024-05-01T00:00:00Z' }]);
    expect(unmatched(await ask('pull-requests-count', body))).toBeUndefined();
    await putRecords(service, 'pull_requests', [{ pr_id: 'pr-new', _deleted: true }]);
  });

  test('Values that match nothing are cut at whole values in the header, and all of them in the answer', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => `nø such pull request ${i}`);
    const body = { filters: { ...march, pr_ids: ['ø'.repeat(1_000), ...ids] }, include_previous_period: true };
    const answer = await ask('pull-requests-count', body);
    const header = String(answer.headers['x-unmatched-filters']);
    expect(header.length).toBeLessThan(2_048);
    const { pr_ids: shown } = unmatched(answer) as { pr_ids: string[] };
    expect(shown.length).toBeGreaterThan(20);
    expect(shown).toEqual(ids.slice(0, shown.length));
    expect(answer.json).toMatchObject({ meta: { unmatched_filters: { pr_ids: body.filters.pr_ids } } });
  });

  test('Values that match nothing come with an answer of many rows, too', async () => {
    const body = {
      metrics: ['pull-requests-count'],
      filters: { ...manyAt, pr_ids: [...manyPullRequests.map(({ pr_id }) => pr_id), 'none'] },
      group_by: ['pr_id'],
    };
    const answer = await askMany('get-multiple-metrics', body);
    expect(answer.json).toHaveLength(manyPullRequests.length);
    expect(unmatched(answer)).toEqual({ pr_ids: ['none'] });
  });
});

describe('somebody who sees only themselves', () => {
  const asked = (filters: object, metric = 'pull-requests-count') =>
    ask(metric, { filters: { ...march, ...filters } }, { key: service.keys.engineer });

  test('Somebody who sees only themselves gets the same answer for records of others and of what does not exist', async () => {
    // Every third pull request is theirs, from the third on.
    const answer = await asked({ pr_ids: ['pr-02', 'pr-00', 'none'] });
    expect(unmatched(answer)).toEqual({ pr_ids: ['pr-00', 'none'] });
    await putRecords(service, 'pull_requests', [
      {
        pr_id: 'secret',
        repository: 'acme/secret',
        person_email: 'ada@example.com',
        pr_created_at: '2024-03-01T00:00:00Z',
      },
    ]);
    expect(unmatched(await asked({ repositories: ['acme/secret', 'web'] }))).toEqual({ repositories: ['acme/secret'] });
    expect(unmatched(await asked({ ai_copilot_sources: ['cursor'] }, 'adopted-users'))).toEqual({
      ai_copilot_sources: ['cursor'],
    });
  });

  test('Somebody who sees only themselves sees of the directory what everybody may list, and what they see', async () => {
    // Teams, and who is onboarded with one address each, is in the listings; Donald is not onboarded.
    const filters = {
      team: ['Payments', 'Research', 'Nowhere'],
      departments: ['Product'],
      member: ['Ada Lovelace', 'ada@example.com', 'lovelace@example.org', 'Donald Knuth', 'donald@example.com'],
    };
    expect(unmatched(await asked(filters))).toEqual({
      team: ['Nowhere'],
      member: ['lovelace@example.org', 'Donald Knuth', 'donald@example.com'],
    });
    expect(unmatched(await asked({ locations: ['Austin', 'London'] }))).toEqual({ locations: ['London'] });
    expect(
      unmatched(await ask('pull-requests-count', { filters: { ...march, locations: ['Austin', 'London'] } })),
    ).toBeUndefined();
  });

  test('Somebody who sees only themselves sees their managers at any depth, onboarded or not', async () => {
    // Donald, who is not onboarded, manages Grace, who manages Edsger.
    await service.put([
      { main_email: 'grace@example.com', manager_email: 'donald@example.com' },
      { main_email: 'donald@example.com', manager_email: 'board@elsewhere.example' },
    ]);
    const filters = { manager_ids: ['Donald Knuth', 'Nobody'], member: ['Donald Knuth'] };
    expect(unmatched(await asked(filters))).toEqual({ manager_ids: ['Nobody'], member: ['Donald Knuth'] });
    const addresses = ['donald@example.com', 'hopper@navy.example', 'board@elsewhere.example', 'no@elsewhere.example'];
    const answer = await asked({ manager_email: addresses });
    expect(unmatched(answer)).toEqual({ manager_email: ['no@elsewhere.example'] });
    expect(answer.json).toMatchObject([{ pr_count: third }]);
    await service.put([{ main_email: 'grace@example.com', manager_email: null }]);
  });

  test('Somebody who sees only themselves sees squads that they are in, and of those above', async () => {
    const { app, organisationId } = service;
    const { putRecords: put } = await import('../../../src/directory/put-records.ts');
    const context = { organisationId, actor: { via: 'command', user: 'test' } } as const;
    await put(app.directory, context, 'squads', [
      { line: 1, value: { squad_name: 'Above', squad_level: 1 } },
      { line: 2, value: { squad_name: 'Below', squad_level: 2, parent_squad: 'Above' } },
      { line: 3, value: { squad_name: 'Elsewhere', squad_level: 3 } },
    ]);
    await service.put([{ main_email: 'edsger@example.com', squads: ['Below'] }]);
    const filters = { squad_ids: ['above', 'BELOW', 'Elsewhere'], squad_levels: [1, 2, 3] };
    expect(unmatched(await asked(filters))).toEqual({ squad_ids: ['Elsewhere'], squad_levels: [3] });
    expect(await counted({ squad_ids: ['above'] })).toBe(third);
    // Both describe one membership, and nobody of a squad below Above is on the first level.
    expect(await counted({ squad_ids: ['above'], squad_levels: [1] })).toBe(0);
    expect(unmatched(await ask('pull-requests-count', { filters: { ...march, ...filters } }))).toBeUndefined();
  });
});
