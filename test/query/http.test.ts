import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { BoardDays } from '../../src/boards/board.ts';
import { panelQuestion } from '../../src/boards/board-questions.ts';
import type { DirectoryTable } from '../../src/catalogue/directory-records.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import { putRecords } from '../../src/directory/put-records.ts';
import { answerFormats, rowFormats } from '../../src/formats/answer-formats.ts';
import { world as recordedWorlds } from '../ingest/random-records.ts';
import { evaluate } from '../reference/evaluate.ts';
import type { Seeing, World } from '../reference/world.ts';
import { times } from '../setup/how-long.ts';
import { type Service, startService } from '../setup/running-app.ts';
import { differenceOf } from './agreement.ts';
import { asAddress, listStyles } from './question-as-address.ts';
import {
  type AskedRequest,
  benchmarkRequests,
  dateRequests,
  intervalRequests,
  multipleRequests,
  singleRequests,
} from './random-request.ts';
import { worldIn } from './recorded-world.ts';
import { seed, someMetric } from './seeded-worlds.ts';

const now = new Date('2024-06-03T10:30:00Z');
const timeZone = 'Pacific/Auckland';
type KeyRole = keyof Service['keys'];

describe(`records of seed ${seed}, asked over HTTP`, () => {
  let service: Service;
  let world: World;
  let visibilities: Readonly<Record<KeyRole, Seeing>>;

  beforeAll(async () => {
    service = await startService({ now: () => now });
    const context = { organisationId: service.organisationId, actor: { via: 'command', user: 'test' } } as const;
    await setOrganisation(service.app.directory, context, { time_zone: timeZone, team_restrictions: 'true' });
    const put = async (table: DirectoryTable, records: readonly object[]) => {
      const lines = records.map((value, i) => ({ line: i + 1, value }));
      expect((await putRecords(service.app.directory, context, table, lines)).rejected).toEqual([]);
    };
    // Everyone of whom there are records, so that each role sees some of them.
    await put('people', [
      {
        main_email: 'edsger@example.com',
        logins: { github: 'Bob', gitlab: 'Bob' },
        manager_email: 'grace@example.com',
      },
      {
        main_email: 'barbara@example.com',
        logins: { github: 'stranger' },
        onboarded: true,
        teams: ['Platform'],
        squads: ['Below'],
      },
      { main_email: 'donald@example.com', logins: { github: 'ci', gitlab: 'ci' }, teams: ['Research'] },
      { main_email: 'asa@example.com', logins: { github: 'carol' }, emails: ['carol@example.org'], onboarded: true },
      { main_email: 'grace@example.com', managed_teams: ['Platform'] },
    ]);
    await put('squads', [
      { squad_name: 'Above', squad_level: 1, lead_email: 'asa@example.com' },
      { squad_name: 'Below', squad_level: 2, parent_squad: 'Above' },
    ]);

    const [records = []] = fc.sample(recordedWorlds, { seed, numRuns: 1 });
    const tables = new Map<FactTable, object[]>();
    for (const { table, record } of records) tables.set(table, [...(tables.get(table) ?? []), record]);
    // Some that surely have intervals, seen by everybody.
    const merged = ['Bob', 'stranger', 'carol'].map((person_login, i) => ({
      pr_id: `merged-${i}`,
      source: 'github',
      person_login,
      pr_created_at: '2024-03-04T09:00:00Z',
      pr_merged_at: `2024-03-05T0${i}:00:00Z`,
    }));
    tables.set('pull_requests', [...(tables.get('pull_requests') ?? []), ...merged]);
    const batch = [...tables].map(([table, some]) => ({
      table,
      lines: some.map((value, i) => ({ line: i + 1, value })),
    }));
    await service.app.ingest.put(service.organisationId, batch);
    const { through } = await service.app.dataExtents.of(service.organisationId, ['pull_requests']);
    const known = await worldIn(service.app.warehouse, service.organisationId, { timeZone, now });
    world = { ...known, completeThrough: through };
    const platform = world.teams.find(({ team_name }) => team_name === 'Platform')?.team_id ?? '';
    const nothing = { teamIds: [], hasReports: false, leadsSquads: false };
    visibilities = {
      owner: 'organisation',
      manager: {
        self: await service.idOf('grace@example.com'),
        teamIds: [platform],
        hasReports: true,
        leadsSquads: false,
      },
      squadLead: { ...nothing, self: await service.idOf('asa@example.com'), leadsSquads: true },
      engineer: { ...nothing, self: await service.idOf('edsger@example.com') },
    };
  });
  afterAll(() => service.close());

  /** Nobody here may see salaries, and what was answered to surveys is for those who lead. */
  const mayAsk = (role: KeyRole, names: readonly string[]): boolean =>
    names.every((name) => {
      const gate = metrics.get(name)?.gate;
      return gate === undefined || (gate === 'survey' && (role === 'owner' || role === 'manager'));
    });

  type Bodies = AskedRequest['body'];
  const agrees = (
    requests: fc.Arbitrary<AskedRequest>,
    numRuns: number,
    sent: (metric: string, body: Bodies) => Promise<Bodies> = async (_metric, body) => body,
  ) =>
    fc.assert(
      fc.asyncProperty(
        requests,
        fc.constantFrom<KeyRole>('owner', 'manager', 'squadLead', 'engineer'),
        async ({ metric, body }, role) => {
          const { status, headers, text } = await service.request('POST', `/metrics/${metric}`, {
            key: service.keys[role],
            body: await sent(metric, body),
          });
          if (!mayAsk(role, body.metrics ?? [metric])) {
            expect(status).toBe(403);
            return;
          }
          expect(status, text).toBe(200);
          const { answer, total, unmatched } = evaluate(world, visibilities[role], metric, body);
          // How far the data reach is no part of what the rows say.
          const [said, through] = /,"data_through":"([^"]*)"/.exec(text) ?? [''];
          expect(differenceOf(text.replace(said, ''), answer)).toBeUndefined();
          if (through !== undefined) expect(headers['x-data-through']).toBe(through);
          expect(headers['x-truncated']).toBe(total === undefined ? undefined : 'true');
          expect(headers['x-total-rows']).toBe(total?.toString());
          const named = headers['x-unmatched-filters'];
          expect(named === undefined ? undefined : JSON.parse(decodeURIComponent(String(named)))).toEqual(unmatched);
        },
      ),
      { seed, numRuns },
    );

  test('Answers over HTTP are for everyone what loops over rows give', () =>
    agrees(someMetric.chain(singleRequests), times(15, 2_400)));
  test('Answers over HTTP about several metrics are what loops over rows give', () =>
    agrees(multipleRequests, times(6, 800)));

  /** A request as a panel of a board may hold it: its days come from the board, and its teams have to be there. */
  const panelRequests = someMetric.chain(singleRequests).map(({ body, ...request }): AskedRequest => {
    const { time_series_data: _series, include_previous_period: _compared, ...rows } = body;
    const { previous_start_date: _start, previous_end_date: _end, filters: { team, ...others } = {}, ...asked } = rows;
    const order = ['value', 'previous_value', 'change_percentage'].includes(asked.order_by ?? '')
      ? { order_by: '' }
      : {};
    const { order_by, ...panel } = { ...asked, ...order };
    const filters = { ...others, ...(team === undefined ? {} : { team: ['Platform', 'research'] }) };
    return { ...request, body: { ...panel, ...(order_by ? { order_by } : {}), filters } };
  });
  const throughBoard = async (metric: string, { filters = {}, ...request }: Bodies): Promise<Bodies> => {
    const { start_date, end_date, ...own } = filters;
    const days = { start_date, ...(end_date === undefined ? {} : { end_date }) } as BoardDays;
    const panel = { metric, view: 'table', request: { ...request, filters: own } };
    const headers = { 'content-type': 'application/yaml', 'if-none-match': '*' };
    const body = stringify({ title: 'Asked', visible_to: 'organisation', panels: [panel] });
    const made = await service.request('PUT', '/boards/asked', { key: service.keys.owner, headers, body });
    expect(made.status, made.text).toBe(201);
    const [stored] = await service.app.documents.board.all(service.organisationId);
    await service.request('DELETE', '/boards/asked', { key: service.keys.owner });
    const [kept] = stored?.document.panels ?? [];
    if (!kept) throw new Error('a panel was put and is not there');
    return panelQuestion(kept, { days, filters: {}, takes: () => false });
  };
  test('Panels of boards have for everyone the figures that loops over rows give', () =>
    agrees(panelRequests, times(10, 800), throughBoard));

  /** What an answer says beside its bytes, but for when it was found. */
  const said = ['x-truncated', 'x-total-rows', 'x-unmatched-filters', 'x-suppressed', 'content-type'];

  test('Answers over HTTP are the same bytes by an address as by a body, in every format and however lists are written', async () => {
    const drawn = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          { weight: 6, arbitrary: someMetric.chain((metric) => singleRequests(metric, fc.boolean())) },
          { weight: 3, arbitrary: multipleRequests },
          { weight: 2, arbitrary: benchmarkRequests },
          { weight: 2, arbitrary: intervalRequests },
          { weight: 1, arbitrary: dateRequests },
        ),
        fc.constantFrom<KeyRole>('owner', 'manager', 'squadLead', 'engineer'),
        listStyles,
        fc.constantFrom(...answerFormats),
        fc.constantFrom('', 'durations=seconds'),
        fc.boolean(),
        async ({ metric, body, showsN }, role, style, format, durations, isExplained) => {
          const key = service.keys[role];
          const { query, body: same } = asAddress(body, style);
          const isByInterval = body.group_by?.[0] === 'cycle_time';
          const explains = isExplained && metrics.has(metric) && !isByInterval;
          const n = showsN && metric !== 'date-details' ? 'n=true' : '';
          const path = `/metrics/${metric}${explains ? '/explain' : ''}`;
          // What is always JSON has no other format.
          const written = explains || metric === 'benchmark' ? 'json' : format;
          const posted = await service.request('POST', `${path}?${n}&${durations}`, {
            key,
            body: same,
            headers: { accept: rowFormats[format].contentType },
          });
          const got = await service.request('GET', `${path}?${query}&format=${written}&${n}&${durations}`, { key });
          expect([got.status, got.text]).toEqual([posted.status, posted.text]);
          expect(got.bytes.equals(posted.bytes)).toBe(true);
          drawn.add(metric);
          if (!explains && metric !== 'benchmark') drawn.add(format);
          if (durations !== '' && posted.status === 200) drawn.add('durations');
          if (query.includes('aggregation.')) drawn.add('aggregation.<metric>');
          expect(said.map((name) => got.headers[name])).toEqual(said.map((name) => posted.headers[name]));
        },
      ),
      { seed, numRuns: times(24, 2_000) },
    );
    const wanted = [...answerFormats, 'benchmark', 'get-multiple-metrics', 'durations', 'aggregation.<metric>'];
    expect(wanted.filter((one) => !drawn.has(one))).toEqual([]);
  });

  test('Answers over HTTP about dates are what loops over rows give', () => agrees(dateRequests, times(5, 200)));
});

describe('an organisation in which nothing has happened yet', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService({ now: () => now });
  });
  afterAll(() => service.close());
  const ask = async (metric: string, body: object) =>
    (await service.request('POST', `/metrics/${metric}`, { key: service.keys.owner, body })).json;

  test('An organisation in which nothing has happened yet has people', async () => {
    expect(await ask('users-count', { filters: {} })).toEqual([{ date_level_not_set: true, number_of_users: 3 }]);
    expect(await ask('users-count', { filters: {}, group_by: ['team_name'] })).toEqual([
      { date_level_not_set: true, team_name: 'Payments', number_of_users: 2 },
      { date_level_not_set: true, team_name: 'Platform', number_of_users: 1 },
    ]);
  });

  test('An organisation in which nothing has happened yet has counted nothing, and has no averages', async () => {
    const filters = { start_date: '2024-01-01' };
    expect(await ask('pull-requests-count', { filters })).toEqual([{ date_level_not_set: true, pr_count: 0 }]);
    expect(await ask('cycle-time', { filters, aggregation: 'AVG' })).toEqual([
      { date_level_not_set: true, avg_cycle_time: null },
    ]);
    expect(await ask('adoption-rate', { filters })).toEqual([{ date_level_not_set: true, adoption_rate: 0 }]);
    // By bucket it is told apart from a window in which nobody used what they have.
    expect(await ask('adoption-rate', { filters, date_level: 'year' })).toEqual([]);
  });
});
