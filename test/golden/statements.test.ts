import { describe, expect, test } from 'vitest';
import type { Principal } from '../../src/access/principal.ts';
import type { Metric } from '../../src/catalogue/metric.ts';
import { metrics } from '../../src/catalogue/metrics/all-metrics.ts';
import { planOf } from '../../src/query/planner.ts';
import { readMultiple, readSingle } from '../../src/query/reading/metric-request.ts';
import { duckdbDialect } from '../../src/warehouse/duckdb/dialect.ts';
import { renderAnswer } from '../../src/warehouse/sql/query-sql.ts';
import { raw, statementOf } from '../../src/warehouse/sql/sql.ts';
import type { SqlContext } from '../../src/warehouse/sql/sql-context.ts';

const context: SqlContext = { dialect: duckdbDialect, table: ({ name }) => raw(`org.${name}`) };
const now = new Date('2024-06-15T12:00:00Z');

const owner: Principal = {
  organisationId: 'org',
  keyId: 'key',
  personId: 'ann',
  role: 'Owner',
  permissions: ['can-view-salaries'],
  visibility: 'organisation',
  timeZone: 'UTC',
  salaryVisibility: true,
};
/** Sees some people only, and lives where clocks change. */
const manager: Principal = {
  ...owner,
  role: 'Manager',
  visibility: { self: 'bob', teamIds: ['red', 'blue'], hasReports: true, leadsSquads: false },
  timeZone: 'America/New_York',
};

const written = (body: object, metric: Metric, principal: Principal, showsN = false): string => {
  const request = readSingle(metric, body, { principal, now, showsN });
  return asText(planOf(request, principal), JSON.stringify(body));
};

function asText(query: ReturnType<typeof planOf>, title: string): string {
  const { text, parameters } = statementOf(renderAnswer(context, query), duckdbDialect.place);
  const values = parameters.map(({ value }, i) => `-- $${i + 1} = ${JSON.stringify(value)}`);
  return [`-- ${title}`, ...values, `${text};`, ''].join('\n');
}

/** What everybody asks first, and the same seen by somebody who may see less, apart by team. */
function bodiesOf({ dates, kind, table }: Metric): [object, Principal][] {
  const filters = { start_date: '2024-01-01', end_date: '2024-06-30' };
  const common = { filters, ...(kind === 'aggregated' ? { aggregation: 'avg' } : {}) };
  const monthly = dates.length > 0 ? { date_level: 'month' } : {};
  const isTraced = table.name !== 'survey_responses';
  return [
    [{ ...common, ...monthly }, owner],
    [{ ...common, ...monthly, group_by: [isTraced ? 'team_name' : 'team_names'], metric_min_value: 1 }, manager],
  ];
}

describe('a metric is put to the engine in the same words every time', () => {
  test.each([...metrics.values()].map((metric) => [metric.name, metric] as const))('%s', async (name, metric) => {
    const statements = bodiesOf(metric).map(([body, principal]) => written(body, metric, principal));
    await expect(statements.join('\n')).toMatchFileSnapshot(`duckdb/${name}.sql`);
  });

  test('A metric is put to the engine in the same words every time as are rows, filters of every kind, and several metrics at once', async () => {
    const filters = {
      start_date: '2024-01-01',
      end_date: '2024-06-30',
      member: ['ann'],
      team: ['red'],
      departments: ['Sea'],
      squad_ids: ['s1'],
      squad_levels: [2],
      manager_ids: ['bob'],
      manager_email: ['bob@example.org'],
      locations: ['Graz'],
      levels: ['L4'],
      source_types: ['github'],
      repositories: [{ repository_name: 'api' }],
      sources: ['github'],
      pr_states: ['merged'],
      pr_categories: ['Bug Fixes'],
      pr_ids: ['1'],
      pull_requests_search_term: 'two words',
      review_hour_of_day: [9],
      review_rounds_bucket: ['3+'],
    };
    const several = { filters, metrics: ['pull-requests-count', 'reviews-count'], group_by: ['pr_id', 'name'] };
    const rows = {
      filters: { start_date: '2024-01-01' },
      group_by: ['deployment_id', 'pull_requests', 'prs_included'],
    };
    const multiple = planOf(readMultiple(several, { principal: manager, now }), manager);
    const deployments = metrics.get('deployment-frequency') as Metric;
    const statements = [asText(multiple, JSON.stringify(several)), written(rows, deployments, manager)];
    await expect(statements.join('\n')).toMatchFileSnapshot('duckdb/everything-at-once.sql');
  });

  test('A metric is put to the engine in the same words every time and so is how many rows have the value, of every kind of metric and of several', async () => {
    const names = [
      'pull-requests-size',
      'reviews-count',
      'deployment-frequency',
      'acceptance-rate',
      'ai-favourite-model',
      'ai-adoption-rate',
    ];
    const statements = names.flatMap((name) => {
      const metric = metrics.get(name) as Metric;
      return bodiesOf(metric).map(([body, principal]) => written(body, metric, principal, true));
    });
    const several = {
      filters: { start_date: '2024-01-01', end_date: '2024-06-30' },
      metrics: ['pull-requests-count', 'cycle-time', 'reviews-count'],
      aggregations: { 'cycle-time': 'median' },
      group_by: ['repository'],
      metric_min_values: { 'cycle-time': 60 },
    };
    const multiple = planOf(readMultiple(several, { principal: owner, now, showsN: true }), owner);
    const all = [...statements, asText(multiple, JSON.stringify(several))];
    await expect(all.join('\n')).toMatchFileSnapshot('duckdb/with-n.sql');
  });
});
