import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CategoryChart, ChartDescription } from '../../../src/charts/chart-description.ts';
import { closedFilters, metrics } from '../../../web/src/ask/catalogue.ts';
import {
  type Exploration,
  earlierQuestion,
  explorationIn,
  exploredQuestion,
  filtersAbove,
  ownOf,
  whole,
  withFiltersAbove,
} from '../../../web/src/ask/exploration.ts';
import { aboutMetric, type MetricName } from '../../../web/src/ask/metric-facts.ts';
import { requestTexts } from '../../../web/src/ask/request-texts.ts';
import { firstState, noFilters } from '../../../web/src/ask/view-state.ts';
import { timeBuckets } from '../../../web/src/ask/windows.ts';
import { readRequest, shellWords } from '../../../web/src/pages/explore/request-parts.ts';
import { columnChoices } from '../../../web/src/pages/explore/sentence.tsx';
import { choicesIn, lookupOf, lookupQuestion } from '../../../web/src/pages/explore/value-lookup.ts';
import { drawnAnswer, inFairOrder } from '../../../web/src/view/drawn-answer.ts';
import { changesOf, groupsBefore, pointsBefore } from '../../../web/src/view/earlier-values.ts';
import { peopleQuestion, rowsToShow } from '../../../web/src/view/survey-rows.ts';
import { aView } from './a-view.ts';

const view = aView({ range: { start: '2026-10-05', end: '2026-10-18' } });
const today = '2026-11-16';

/** Anything the form can ask. */
const explorations = fc
  .record(
    {
      metric: fc.constantFrom(...(Object.keys(metrics) as MetricName[])),
      aggregation: fc.constantFrom('SUM', 'AVG', 'MEDIAN', 'P95'),
      level: fc.constantFrom('day', 'week', 'month'),
      by: fc.uniqueArray(fc.constantFrom('name', 'repository', 'team_name', 'run_conclusion'), { maxLength: 3 }),
      least: fc.integer({ min: 0, max: 99 }),
      limit: fc.integer({ min: 1, max: 200 }),
      value: fc.string({ minLength: 1 }),
    },
    { requiredKeys: ['metric', 'by', 'value'] },
  )
  .map(({ value, ...rest }) => {
    const own = aboutMetric(rest.metric).filters.find((name) => !filtersAbove.includes(name));
    return whole({ ...rest, filters: own ? { [own]: [value] } : {} } as Exploration);
  });

const kept = (own: Record<string, string>) =>
  Object.fromEntries(Object.entries(own).filter(([, value]) => value !== ''));

test('Every question survives the address', () => {
  fc.assert(
    fc.property(explorations, (asked) => {
      expect(explorationIn(kept(ownOf(asked)))).toEqual(asked);
    }),
  );
});

test('Every question survives its own curl', () => {
  fc.assert(
    fc.property(explorations, (asked) => {
      const { curl } = requestTexts(exploredQuestion(view, asked), 'http://127.0.0.1:4400');
      expect(readRequest(curl, today)).toMatchObject({ exploration: asked });
    }),
  );
});

test('A link that sets a filter of pages among its own still sets it', () => {
  const where = JSON.stringify({ departments: ['Product'], pr_states: ['open'] });
  const state = withFiltersAbove({ ...firstState, own: { metric: 'cycle-time', where } });
  expect(state.filters).toEqual({ ...noFilters, department: ['Product'] });
  expect(explorationIn(state.own).filters).toEqual({ pr_states: ['open'] });
  expect(withFiltersAbove(state)).toBe(state);
});

describe('an edited curl', () => {
  const curl = (body: string, metric = 'cycle-time') =>
    `curl -s 'http://x/metrics/${metric}?n=true' \\\n  -H "Authorization: $KEY" \\\n  -d '${body}'`;

  test('Changes range and filters of the page as well', () => {
    const read = readRequest(
      curl(
        '{"filters":{"start_date":"2026-01-01","repositories":[{"repository_name":"web"}],"team":"t","squad_ids":["s"],"pr_states":["open"]},"aggregation":"avg"}',
      ),
      today,
    );
    expect(read).toMatchObject({
      view: {
        range: { start: '2026-01-01', end: today },
        filters: { ...noFilters, team: ['t'], repository: ['web'], squad: ['s'] },
      },
      exploration: { metric: 'cycle-time', aggregation: 'AVG', filters: { pr_states: ['open'] } },
    });
  });

  test.each([
    ['curl -d {}', 'no address'],
    [curl('{', 'cycle-time'), 'not a JSON object'],
    [curl('{"filters":{}}', 'no-such'), "Metric 'no-such' does not exist"],
    [curl('{"filters":{}}', 'get-multiple-metrics'), 'one metric at a time'],
    [curl('{"filters":{},"time_series_data":true}'), 'time_series_data'],
    [curl('{"filters":{},"aggregation":"MODE"}'), 'aggregation is one of'],
    [curl('{"filters":{"start_date":"yesterday"}}'), 'start_date and end_date are days'],
    [curl('{"filters":[]}'), 'filters must be an object'],
    ["curl 'http://x/metrics/cycle-time", 'quote is not closed'],
    ["curl 'http://x/metrics/cycle-time'", 'no body'],
  ])('An edited curl that is wrong says what: %s', (text, problem) => {
    expect(readRequest(text, today)).toMatchObject({ problem: expect.stringContaining(problem) });
  });

  test('An edited curl is split as a shell does', () => {
    expect(shellWords(`a 'b c'"d \\"e\\"" f\\ g \\\n 'it'\\''s' ''`)).toEqual(['a', 'b cd "e"', 'f g', "it's", '']);
  });
});

const seriesOf = (chart: ChartDescription): CategoryChart['series'] => ('series' in chart ? chart.series : []);

describe('the answer as a chart', () => {
  const buckets = timeBuckets(view.window, 'week', view.reach);
  const asked: Exploration = { metric: 'workflow-runs-count', by: ['branch'], level: 'week', filters: {} };
  const row = (week_date: string, branch: string | null, workflow_runs_count: number) => ({
    week_date,
    branch,
    workflow_runs_count,
    n: workflow_runs_count,
  });

  test('The answer as a chart stacks what adds up, and knows which rows are behind a mark', () => {
    const drawn = drawnAnswer([row('2026-10-05', 'main', 3), row('2026-10-12', null, 2)], asked, buckets, 'Runs');
    expect(drawn?.chart).toMatchObject({ kind: 'stacked-bar', series: [{ name: 'main' }, { name: 'None' }] });
    expect(drawn?.behind({ series: 1, category: 1 })).toEqual({ bucket: buckets[1], where: { branch: null } });
  });

  test('The answer as a chart draws averages as lines, the six with most rows, and says how many are left', () => {
    const rows = Array.from({ length: 9 }, (_, at) => ({
      week_date: '2026-10-05',
      branch: `b${at}`,
      avg_workflow_run_duration: 1,
      n: at,
    }));
    const drawn = drawnAnswer(
      rows,
      { ...asked, metric: 'workflow-run-duration', aggregation: 'AVG' },
      buckets,
      'Duration',
    );
    expect(drawn?.chart.kind).toBe('line');
    expect(drawn && seriesOf(drawn.chart).map(({ name }) => name)).toEqual(['b8', 'b7', 'b6', 'b5', 'b4', 'b3']);
    expect(drawn?.left).toBe(3);
  });

  test('The answer as a chart never ranks people: they stand by name', () => {
    const { level: _none, ...flat } = asked;
    const people: Exploration = { ...flat, by: ['name'], orderBy: 'workflow_runs_count', isDescending: true };
    const rows = [
      { name: 'Zoe', workflow_runs_count: 9 },
      { name: 'Ada', workflow_runs_count: 1 },
    ];
    expect(inFairOrder(rows, people).map(({ name }) => name)).toEqual(['Ada', 'Zoe']);
    const drawn = drawnAnswer(rows, people, [], 'Runs');
    expect(drawn?.chart).toMatchObject({ categories: [{ label: 'Ada' }, { label: 'Zoe' }] });
  });
});

describe('the answer drawn as somebody chose', () => {
  const buckets = timeBuckets(view.window, 'week', view.reach);
  const asked: Exploration = { metric: 'workflow-runs-count', by: ['branch'], level: 'week', filters: {} };
  const row = (week_date: string, branch: string, count: number) => ({ week_date, branch, workflow_runs_count: count });
  const rows = [row('2026-10-05', 'main', 3), row('2026-10-05', 'next', 1), row('2026-10-12', 'main', 2)];

  test('Shares are of what all groups add up to in the same period', () => {
    const drawn = drawnAnswer(rows, asked, buckets, 'Runs', undefined, 'share');
    expect(drawn?.chart).toMatchObject({
      kind: 'stacked-bar',
      measure: 'percent',
      isAddedUp: true,
      series: [
        { name: 'main', points: [{ value: 0.75 }, { value: 1 }] },
        { name: 'next', points: [{ value: 0.25 }, { value: 0 }] },
      ],
    });
    expect(drawn?.behind({ series: 1, category: 0 })).toEqual({ bucket: buckets[0], where: { branch: 'next' } });
  });

  test('Averages of parts are no shares and no stack: they stay lines', () => {
    const averages = rows.map(({ workflow_runs_count: avg_workflow_run_duration, ...rest }) => ({
      ...rest,
      avg_workflow_run_duration,
      n: 9,
    }));
    const of: Exploration = { ...asked, metric: 'workflow-run-duration', aggregation: 'AVG' };
    for (const as of ['share', 'stacked'] as const)
      expect(drawnAnswer(averages, of, buckets, 'Duration', undefined, as)?.chart.kind).toBe('line');
  });

  test('A map has a row for each group by name, and a cell for each period or each value of the second column', () => {
    const overTime = drawnAnswer(rows, asked, buckets, 'Runs', undefined, 'heat');
    expect(overTime?.chart).toMatchObject({
      kind: 'heat-map',
      rows: [{ label: 'main' }, { label: 'next' }],
      cells: [
        [{ value: 3 }, { value: 2 }],
        [{ value: 1 }, { value: null }],
      ],
    });
    expect(overTime?.behind({ series: 0, category: 1 })).toEqual({ bucket: buckets[1], where: { branch: 'main' } });
    const { level: _none, ...flat } = asked;
    const pairs = [
      { branch: 'main', workflow_name: 'b', workflow_runs_count: 1 },
      { branch: 'main', workflow_name: 'a', workflow_runs_count: 2 },
      { branch: 'next', workflow_name: 'b', workflow_runs_count: 4 },
    ];
    const crossed = drawnAnswer(pairs, { ...flat, by: ['branch', 'workflow_name'] }, [], 'Runs', undefined, 'heat');
    expect(crossed?.chart).toMatchObject({
      columns: [{ label: 'a' }, { label: 'b' }],
      cells: [
        [{ value: 2 }, { value: 1 }],
        [{ value: null }, { value: 4 }],
      ],
    });
    expect(crossed?.behind({ series: 1, category: 1 })).toEqual({ where: { branch: 'next', workflow_name: 'b' } });
    expect(crossed?.behind({ series: 1, category: 0 })).toBeUndefined();
  });
});

describe('compared with the window before', () => {
  const asked: Exploration = { metric: 'workflow-runs-count', by: [], level: 'week', filters: {} };
  const compared = aView({ range: { start: '2026-10-05', end: '2026-10-18' }, compare: 'previous' });

  test('A course is asked again for the window before, and stands beside it by position', () => {
    expect(earlierQuestion(compared, asked)?.body).toMatchObject({
      filters: { start_date: '2026-09-21', end_date: '2026-10-04' },
      date_level: 'week',
    });
    const earlier = [{ week_date: '2026-09-28', workflow_runs_count: 4, n: 4 }];
    const points = pointsBefore(compared, asked, earlier, 2);
    expect(points?.map(({ value }) => value)).toEqual([null, 4]);
    // A week that the window before cuts is no value to stand beside a whole one.
    const cut = aView({ range: { start: '2026-10-07', end: '2026-10-18' }, compare: 'previous' });
    const weeks = ['2026-09-21', '2026-09-28', '2026-10-05'].map((week_date) => ({
      week_date,
      workflow_runs_count: 7,
      n: 7,
    }));
    expect(pointsBefore(cut, asked, weeks, 3)?.map(({ value }) => value)).toEqual([null, 7, null]);
    const drawn = drawnAnswer(
      [{ week_date: '2026-10-05', workflow_runs_count: 3, n: 3 }],
      asked,
      timeBuckets(compared.window, 'week', compared.reach),
      'Runs',
      points && { now: 'Now', before: 'Earlier', points },
    );
    expect(drawn && seriesOf(drawn.chart)).toMatchObject([
      { name: 'Now', points: [{ value: 3 }, { value: null }] },
      { name: 'Earlier', role: 'before', points: [{ value: null }, { value: 4 }] },
    ]);
    expect(drawn?.behind({ series: 1, category: 0 })).toBeUndefined();
  });

  test('Groups without periods have the verdict of the server', () => {
    const { level: _none, ...flat } = asked;
    const groups = { ...flat, by: ['branch'] };
    expect(earlierQuestion(compared, groups)?.body).toMatchObject({ include_previous_period: true });
    const result = {
      metric_name: 'workflow-runs-count',
      group_by: { branch: 'main' },
      value: 30,
      n: 30,
      previous_value: 20,
      previous_n: 20,
      verdict: 'up',
      is_better: null,
    };
    const changeOf = changesOf(compared, groups, [result]);
    expect(changeOf?.({ branch: 'main' })).toMatchObject({ verdict: 'up', before: { value: 20 } });
    expect(changeOf?.({ branch: 'next' })).toBeUndefined();
  });

  test('Lines that are split stand each beside their own of the window before, named and in the same colour', () => {
    const split: Exploration = { ...asked, metric: 'cycle-time', aggregation: 'MEDIAN', by: ['repository_name'] };
    expect(earlierQuestion(compared, split)?.body).toMatchObject({
      filters: { start_date: '2026-09-21', end_date: '2026-10-04' },
      group_by: ['repository_name'],
    });
    const row = (week_date: string, repository_name: string, median_cycle_time: number) => ({
      week_date,
      repository_name,
      median_cycle_time,
      n: 9,
    });
    const earlier = [row('2026-09-28', 'web', 40), row('2026-09-21', 'web', 30), row('2026-09-21', 'gone', 99)];
    const names = (all: readonly string[]) => {
      const drawn = drawnAnswer(
        all.map((name, at) => row('2026-10-05', name, at)),
        split,
        timeBuckets(compared.window, 'week', compared.reach),
        'Cycle time',
        { now: 'Now', before: 'Previous 14 days', points: groupsBefore(compared, split, earlier, 2) ?? [] },
      );
      return drawn ? seriesOf(drawn.chart) : [];
    };
    expect(names(['web', 'api'])).toMatchObject([
      { name: 'web', colour: 1 },
      { name: 'api', colour: 2 },
      { name: 'web, previous 14 days', role: 'before', colour: 1, points: [{ value: 30 }, { value: 40 }] },
      { name: 'api, previous 14 days', role: 'before', colour: 2, points: [{ value: null }, { value: null }] },
    ]);
    // Of more lines nobody would tell those of the window before apart.
    expect(names(['web', 'api', 'ledger', 'docs']).map(({ name }) => name)).toEqual(['web', 'api', 'ledger', 'docs']);
  });

  test('Nothing is compared where fewer may have answered, of parts of a stack, and where nobody wants to', () => {
    const survey: Exploration = { metric: 'survey-responses-count', by: [], filters: {} };
    expect(earlierQuestion(compared, survey)).toBeUndefined();
    expect(earlierQuestion(compared, { ...asked, by: ['branch'] })).toBeUndefined();
    expect(earlierQuestion(aView({ compare: 'none' }), asked)).toBeUndefined();
  });
});

describe('names', () => {
  test('The values of a filter have the names that the data gives them, each once', () => {
    const lookup = lookupOf('project_ids', { metric: 'issues-count', by: [], filters: {} });
    if (!lookup) throw new Error('Projects are not looked up.');
    const rows = [
      { project_id: '10', project_name: 'Ledger' },
      { project_id: '9', project_name: 'Checkout' },
      { project_id: '10', project_name: 'Ledger' },
      { project_id: null, project_name: null },
    ];
    expect(choicesIn(rows, lookup)).toEqual([
      { id: '9', name: 'Checkout' },
      { id: '10', name: 'Ledger' },
    ]);
    expect(lookupQuestion(view, lookup).body).toMatchObject({ group_by: ['project_id', 'project_name'] });
  });

  test('An assistant is one of the tools in use, or one of the agents of sessions', () => {
    const columnFor = (metric: MetricName) => lookupOf('ai_copilot_sources', { metric, by: [], filters: {} })?.column;
    expect([columnFor('ai-pr-count'), columnFor('posthook-sessions-count')]).toEqual(['source', 'agent_slug']);
  });

  test('Every filter of every metric has values to pick from, but for words that are searched', () => {
    const typed = new Set<string>();
    for (const metric of Object.keys(metrics) as MetricName[]) {
      for (const name of aboutMetric(metric).filters) {
        const isPicked =
          filtersAbove.includes(name) || name in closedFilters || lookupOf(name, { metric, by: [], filters: {} });
        if (!isPicked) typed.add(name);
      }
    }
    expect([...typed]).toEqual(['manager_email', 'pull_requests_search_term', 'review_hour_of_day']);
  });

  test('Of columns the usual come first and ids last, and two of one name say what they mean', () => {
    const column = (name: string, label: string) => ({ name, label, meaning: `About ${name}` });
    const listed = columnChoices([
      column('team_id', 'Team ID'),
      column('repository', 'Repository'),
      column('branch', 'Branch'),
      column('repository_name', 'Repository'),
    ]);
    expect(listed.map(({ id, more }) => [id, more])).toEqual([
      ['repository_name', 'About repository_name'],
      ['branch', undefined],
      ['repository', 'About repository'],
      ['team_id', undefined],
    ]);
  });
});

describe('surveys', () => {
  const asked: Exploration = { metric: 'survey-responses-count', by: ['survey_name'], filters: {} };
  const rows = [
    { survey_name: 'large', survey_responses_count: 40 },
    { survey_name: 'small', survey_responses_count: 30 },
  ];

  test('Surveys are asked with the people behind each row; other metrics are not', () => {
    const question = exploredQuestion(view, asked);
    expect(peopleQuestion(question, asked)?.body).toMatchObject({
      metrics: ['survey-respondents-count'],
      group_by: ['survey_name'],
    });
    expect(peopleQuestion(question, { ...asked, metric: 'issues-count' })).toBeUndefined();
  });

  test('Surveys hide rows that too few people stand behind, and those nobody is known to stand behind', () => {
    const people = [{ survey_name: 'large', survey_respondents_count: 5 }];
    expect(rowsToShow(rows, people, asked, 5)).toEqual({ rows: [rows[0]], hidden: 1 });
    expect(rowsToShow(rows, [], asked, 5).rows).toEqual([]);
  });
});
