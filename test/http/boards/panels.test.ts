import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type BoardPanel, maxPanels } from '../../../src/boards/board.ts';
import { panelQuestion } from '../../../src/boards/board-questions.ts';
import { copiedPages, pageAsBoard } from '../../../src/boards/pages-as-boards.ts';
import { takenBy } from '../../../src/boards/read-board.ts';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import type { Service } from '../../setup/running-app.ts';
import { march, organise, startMetrics } from '../metrics/some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics();
});
afterAll(() => service.close());

const put = (body: unknown, slug = 'tried', key = service.keys.owner) =>
  service.request('PUT', `/boards/${slug}`, { key, body, headers: { 'if-none-match': '*' } });
const good = { metric: 'pull-requests-count', view: 'number' };
const withPanel = (panel: unknown) => ({ title: 'Tried', panels: [good, panel] });

describe('What is wrong with a board is said, and where', () => {
  const cases: readonly (readonly [what: string, board: unknown, says: RegExp])[] = [
    [
      'an unknown metric',
      withPanel({ title: 'Lead', metric: 'cycle-tme', view: 'line' }),
      /^Panel 2 \(Lead\): Metric 'cycle-tme'.*'cycle-time'/,
    ],
    [
      'an unknown column',
      withPanel({ ...good, request: { group_by: ['tem_name'] } }),
      /^Panel 2: 'tem_name' is not a column.*'team_name'/,
    ],
    [
      'an unknown filter',
      withPanel({ ...good, request: { filters: { tem: ['x'] } } }),
      /^Panel 2: There is no filter 'tem'/,
    ],
    [
      'a filter of another metric',
      withPanel({ ...good, request: { filters: { workflow_names: ['ci'] } } }),
      /^Panel 2: pull-requests-count cannot be filtered by/,
    ],
    [
      'a filter that one of the board lies over',
      { title: 'T', filters: { team: ['Payments'] }, panels: [{ ...good, request: { filters: { team: [5] } } }] },
      /^Panel 1: /,
    ],
    [
      'an unknown filter of the board',
      { title: 'T', filters: { tem: ['x'] }, panels: [] },
      /^filters: There is no filter 'tem'/,
    ],
    [
      'a team that is not there',
      withPanel({ ...good, request: { filters: { team: ['Paymnets'] } } }),
      /^Panel 2: filters\.team: there is no team 'Paymnets'.*'Payments'/,
    ],
    [
      'a team of the board that is not there',
      { title: 'T', visible_to: { team: 'Nope' }, panels: [] },
      /^visible_to: there is no team 'Nope'/,
    ],
    [
      'a missing aggregation',
      withPanel({ metric: 'cycle-time', view: 'line' }),
      /^Panel 2: cycle-time needs an aggregation/,
    ],
    ['days in a request', withPanel({ ...good, request: { filters: march } }), /^Panel 2: .*range of the board/],
    ['days in the filters of the board', { title: 'T', filters: march, panels: [] }, /range of the board/],
    [
      'a comparison in a request',
      withPanel({ ...good, request: { include_previous_period: true } }),
      /^Panel 2: .*compare: true/,
    ],
    [
      'a comparison of what has no time',
      withPanel({ metric: 'users-count', view: 'number', compare: true }),
      /^Panel 2: users-count takes no/,
    ],
    ['an unknown view', withPanel({ ...good, view: 'pie' }), /^Panel 2: view must be one of number/],
    ['no view', withPanel({ metric: 'pull-requests-count' }), /^Panel 2: view is missing/],
    [
      'an unknown field of a panel',
      withPanel({ ...good, wdie: true }),
      /^Panel 2: It has the unknown field 'wdie'.*'wide'/,
    ],
    ['a panel that is no object', withPanel('cycle-time'), /^Panel 2: It must have the fields/],
    ['an unknown field', { title: 'T', panels: [], owner: 'x' }, /^The board has the unknown field 'owner'/],
    ['another name than in the address', { board: 'other', title: 'T', panels: [] }, /^board must be 'tried'/],
    ['no title', { panels: [] }, /^title is missing/],
    ['a title in two lines', { title: 'a\nb', panels: [] }, /one line/],
    ['no panels', { title: 'T' }, /^panels must be a list/],
    ['a range that is none', { title: 'T', range: '90', panels: [] }, /^range must be days/],
    [
      'a range that ends before it begins',
      { title: 'T', range: { start_date: '2024-02-01', end_date: '2024-01-01' }, panels: [] },
      /before start_date/,
    ],
    [
      'a range of more than ten years',
      { title: 'T', range: { start_date: '2010-01-01', end_date: '2024-01-01' }, panels: [] },
      /^range: A window may span 10 years/,
    ],
    ['readers that are none', { title: 'T', visible_to: 'all', panels: [] }, /^visible_to must be/],
    [
      'too many panels',
      { title: 'T', panels: Array.from({ length: maxPanels + 1 }, () => good) },
      /at most 40 panels, not 41/,
    ],
    ['a list', [], /^The board must have/],
  ];
  test.each(cases)('A board with %s is refused', async (_what, board, says) => {
    const { status, json } = await put(board);
    expect([status, (json as { detail: string }).detail]).toEqual([400, expect.stringMatching(says)]);
  });

  test.each(['Big', 'a b', 'ä', 'a'.repeat(61), 'a_b', '%2e'])('A board cannot be called %s', async (slug) => {
    expect((await put({ title: 'T', panels: [] }, encodeURIComponent(slug))).status).toBe(400);
  });

  test('40 panels and a name of 60 characters are taken', async () => {
    const board = { title: 'T', panels: Array.from({ length: maxPanels }, () => good) };
    expect((await put(board, 'a'.repeat(60))).status).toBe(201);
  });
});

describe('Teams in a board', () => {
  test('A team is stored by identifier, so it may be renamed', async () => {
    const board = {
      title: 'T',
      visible_to: { team: 'Research' },
      filters: { team: ['research', 'Payments'] },
      panels: [],
    };
    const made = await put(board, 'renamed');
    expect(made.json).toMatchObject({ visible_to: { team: 'Research' }, filters: { team: ['Research', 'Payments'] } });
    const teams = (await service.request('GET', '/teams', { key: service.keys.owner })).json as {
      team_id: string;
      team_name: string;
    }[];
    const research = teams.find(({ team_name }) => team_name === 'Research')?.team_id ?? '';
    const records = `{"team_id": "${research}", "team_name": "Labs"}`;
    const headers = { 'content-type': 'application/x-ndjson' };
    await service.request('POST', '/ingest/teams', { key: service.keys.owner, headers, body: records });
    const read = await service.request('GET', '/boards/renamed', { key: service.keys.owner });
    expect(read.json).toMatchObject({ visible_to: { team: 'Labs' }, filters: { team: ['Labs', 'Payments'] } });
    // The tag that was read before the team was renamed still stands for this state of the board.
    const tag = { 'if-match': made.headers.etag ?? '' };
    const body = { ...board, title: 'Again', visible_to: { team: research }, filters: { team: research } };
    const again = await service.request('PUT', '/boards/renamed', { key: service.keys.owner, body, headers: tag });
    expect([again.status, again.json]).toMatchObject([
      200,
      { visible_to: { team: 'Labs' }, filters: { team: 'Labs' } },
    ]);
    // A team that is removed later does not make the board unreadable, nor what it shows unwritable.
    const gone = `{"team_id": "${research}", "_deleted": true}`;
    await service.request('POST', '/ingest/teams', { key: service.keys.owner, headers, body: gone });
    const orphan = await service.request('GET', '/boards/renamed', { key: service.keys.owner });
    expect(orphan.json).toMatchObject({ visible_to: { team: research }, filters: { team: research } });
    const same = { 'if-match': again.headers.etag ?? '' };
    const kept = await service.request('PUT', '/boards/renamed', {
      key: service.keys.owner,
      body: orphan.json,
      headers: same,
    });
    expect([kept.status, kept.headers.etag]).toEqual([200, orphan.headers.etag]);
  });
});

test('A board follows a team that gets another identifier', async () => {
  const board = { title: 'platform', visible_to: { team: 'Platform' }, filters: { team: 'platform' }, panels: [] };
  await put(board, 'renumbered');
  const stored = async () =>
    JSON.stringify(
      (await service.app.documents.board.all(service.organisationId)).find(({ slug }) => slug === 'renumbered'),
    );
  expect(await stored()).not.toContain('"platform-1"');
  const headers = { 'content-type': 'application/x-ndjson' };
  const body = '{"team_id": "platform-1", "team_name": "Platform"}';
  await service.request('POST', '/ingest/teams', { key: service.keys.owner, headers, body });
  expect(await stored()).toContain('"visible_to":{"team":"platform-1"},"filters":{"team":"platform-1"}');
  const read = await service.request('GET', '/boards/renumbered', { key: service.keys.owner });
  expect(read.json).toMatchObject({
    title: 'platform',
    visible_to: { team: 'Platform' },
    filters: { team: 'Platform' },
  });
});

describe('The figures of a board', () => {
  const days = { start_date: '2024-03-01', end_date: '2024-03-31' };
  const asked = async ({ metric, ...panel }: BoardPanel, filters: object, key: string) => {
    const found = metrics.get(metric);
    if (!found) throw new Error(metric);
    const surroundings = { days, filters: filters as Readonly<Record<string, unknown>>, takes: takenBy(found) };
    const body = panelQuestion({ metric, ...panel }, surroundings);
    const answer = await service.request('POST', `/metrics/${metric}`, { key, body });
    return { status: answer.status, rows: withoutFilters(answer.json) };
  };
  /** Answers in the form of results repeat the filters as they were sent. */
  const withoutFilters = (answer: unknown): unknown => {
    const { meta, ...rest } = answer as { meta?: { filters?: unknown } };
    if (!meta) return answer;
    const { filters: _filters, ...others } = meta;
    return { ...rest, meta: others };
  };

  beforeAll(async () => {
    await organise(service, { team_restrictions: 'true' });
  });

  test.each(copiedPages)(
    'Every panel of %s, as it is stored, has the figures of the question as it was written',
    async (page) => {
      const { board } = pageAsBoard(page, { range: '90d', level: 'week', filters: { team: ['Payments', 'Platform'] } });
      expect((await put({ visible_to: 'organisation', ...board }, page)).status).toBe(201);
      const [stored] = (await service.app.documents.board.all(service.organisationId)).filter(
        ({ slug }) => slug === page,
      );
      expect(stored?.document.panels.length).toBe(board.panels.length);
      expect(JSON.stringify(stored?.document.filters)).not.toContain('Payments');
      // Row security is the same code for every question: one page shows that it holds here too.
      const others = page === 'cycle-time' ? [service.keys.manager, service.keys.engineer] : [];
      for (const key of [service.keys.owner, ...others]) {
        for (const [i, panel] of (stored?.document.panels ?? []).entries()) {
          const written = board.panels[i];
          if (!written) throw new Error(`panel ${i}`);
          const ofStored = await asked(panel, stored?.document.filters ?? {}, key);
          expect(ofStored.status).toBe(200);
          expect(ofStored).toEqual(await asked(written, board.filters ?? {}, key));
        }
      }
    },
  );
});
