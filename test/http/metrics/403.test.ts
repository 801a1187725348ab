import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { isLong } from '../../setup/how-long.ts';
import type { Service } from '../../setup/running-app.ts';
import {
  type AskingRole,
  type Form,
  forms,
  kinds,
  type MetricKind,
  roles,
  salaryStatuses,
  statuses,
} from './authorization-table.ts';
import { asking, change, detailOf, march, organise, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ isQuick: true });
});
afterAll(() => service.close());
const ask = asking(() => service);

const keyOf = (role: AskingRole): string =>
  ({
    owner: service.keys.owner,
    manager: service.keys.manager,
    'restricted manager': service.keys.manager,
    'squad lead': service.keys.squadLead,
    engineer: service.keys.engineer,
  })[role];

/** The same question in a form: where it goes, and with what. */
function question(metric: string, form: Form): readonly [path: string, body: object] {
  const needsAggregation = metrics.get(metric)?.kind === 'aggregated';
  const [dateField = 'date'] = metrics.get(metric)?.dates ?? [];
  const single = { filters: march, ...(needsAggregation ? { aggregation: 'AVG' } : {}) };
  switch (form) {
    case 'rows':
      return [metric, single];
    case 'results':
      return [metric, { ...single, include_previous_period: true }];
    case 'series':
      return [metric, { ...single, time_series_data: true }];
    case 'explain':
      return [`${metric}/explain`, single];
    case 'multiple':
      return [
        'get-multiple-metrics',
        { metrics: [metric], filters: march, ...(needsAggregation ? { aggregations: { [metric]: 'AVG' } } : {}) },
      ];
    case 'benchmark':
      return ['benchmark', { benchmark_metric: metric, filters: march, date_field: dateField }];
  }
}

async function statusOf(key: string, metric: string, form: Form): Promise<number> {
  const [path, body] = question(metric, form);
  const answer = await fetch(`${service.url}/metrics/${path}`, {
    method: 'POST',
    headers: { authorization: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

/** Metrics that everyone may ask, one of each table: they are read by the same rules. */
const openOfEachTable = new Set(
  new Map([...metrics.values()].flatMap(({ name, gate, table }) => (gate ? [] : [[table, name] as const]))).values(),
);

/** As rows, all that not everyone may ask and of every table something for an engineer. In any other way some of each. */
function someOf(role: AskingRole, form: Form): string[] {
  const open: readonly MetricKind[] = ['plain', 'text'];
  const isWhole = role === 'engineer' && form === 'rows';
  const from = roles.indexOf(role) * forms.length + forms.indexOf(form);
  const seen = new Map<MetricKind, number>();
  return [...kinds].flatMap(([name, kind], i) => {
    if (open.includes(kind)) return i % 60 === from || (isWhole && openOfEachTable.has(name)) ? name : [];
    const nth = seen.get(kind) ?? 0;
    seen.set(kind, nth + 1);
    const ofKind = [...kinds.values()].filter((one) => one === kind).length;
    return form === 'rows' || nth === from % ofKind ? name : [];
  });
}

test('Every metric stands in the table of who may ask it, those with a gate under its name', () => {
  expect([...kinds.keys()].sort()).toEqual([...metrics.keys(), 'date-details'].sort());
  const gated = [...metrics.values()].map(({ name, gate }) => [name, gate]);
  const gates = [...kinds].map(([name, kind]) => [name, kind === 'salary' || kind === 'survey' ? kind : undefined]);
  expect(Object.fromEntries(gated)).toEqual(Object.fromEntries(gates));
});

describe.each(roles)('a key of a creator who is %s', (role) => {
  beforeAll(() => organise(service, { team_restrictions: String(role === 'restricted manager') }));

  test.each(forms)('A question is answered as the table says in the form %s', async (form) => {
    const found = new Map<string, number>();
    const names = isLong ? [...kinds.keys()] : someOf(role, form);
    const asked = new Set(names);
    const askNext = async (): Promise<void> => {
      for (let name = names.pop(); name !== undefined; name = names.pop()) {
        found.set(name, await statusOf(keyOf(role), name, form));
      }
    };
    await Promise.all([askNext(), askNext(), askNext(), askNext()]);
    const wrong = [...kinds].flatMap(([name, kind]) => {
      if (!asked.has(name)) return [];
      const expected = statuses[role][kind][form];
      return found.get(name) === expected ? [] : [`${name}: ${found.get(name)}, not ${expected}`];
    });
    expect(wrong).toEqual([]);
  });
});

describe('salaries', () => {
  const [salary = ''] = [...kinds].flatMap(([name, kind]) => (kind === 'salary' ? name : []));

  test.each(salaryStatuses)(
    'Salaries go by the organisation (shown: $isVisible) and the permission ($isPermitted), whatever the role',
    async ({ isVisible, isPermitted, statuses: expected }) => {
      await organise(service, { team_restrictions: 'false', salary_visibility: String(isVisible) });
      const permissions = isPermitted ? (['can-view-salaries'] as const) : [];
      await service.put(
        ['ada', 'grace', 'edsger', 'asa'].map((name) => ({
          main_email: `${name}@example.com`,
          permissions: [...permissions],
        })),
      );
      for (const key of Object.values(service.keys)) {
        const found = Object.fromEntries(
          await Promise.all(forms.map(async (form) => [form, await statusOf(key, salary, form)])),
        );
        expect(found).toEqual(expected);
      }
    },
  );

  test('A permission that is taken away is gone with the next request', async () => {
    const body = { filters: {}, aggregation: 'AVG' };
    await organise(service, { salary_visibility: 'true' });
    await change(service, 'ada@example.com', { permissions: ['can-view-salaries'] });
    for (let i = 0; i < 3; i += 1) expect((await ask(salary, body)).status).toBe(200);
    await organise(service, { salary_visibility: 'false' });
    const hidden = await ask(salary, body);
    expect([hidden.status, detailOf(hidden)]).toEqual([
      403,
      'Salaries are not visible in this organisation. `plumb org set salary_visibility=true` shows them to people with the permission can-view-salaries.',
    ]);
    await organise(service, { salary_visibility: 'true' });
    await change(service, 'ada@example.com', { permissions: [] });
    const unpermitted = await ask(salary, body);
    expect([unpermitted.status, detailOf(unpermitted)]).toEqual([
      403,
      'Salary metrics need a key whose creator has the permission can-view-salaries.',
    ]);
  });
});

describe('whoever may not ask', () => {
  const engineer = () => ({ key: service.keys.engineer });
  const survey = 'Survey metrics need a key that was created by an Owner or a Manager.';

  test('Whoever may not ask learns nothing of columns, filters or dates', async () => {
    for (const body of [{ group_by: ['nonsense'] }, { filters: { nonsense: 1 } }, { date_field: 'x' }, [], 'x']) {
      const answer = await ask('survey-responses-count', JSON.stringify(body), {
        ...engineer(),
        headers: { 'content-type': 'application/json' },
      });
      expect([answer.status, detailOf(answer)]).toEqual([403, survey]);
    }
  });

  test('Whoever may not ask is refused for one of several metrics, in any place', async () => {
    for (const names of [
      ['survey-responses-count', 'pull-requests-count'],
      ['pull-requests-count', 'survey-responses-count'],
    ]) {
      const answer = await ask('get-multiple-metrics', { metrics: names, filters: march }, engineer());
      expect([answer.status, detailOf(answer)]).toEqual([403, survey]);
    }
  });
});

describe('what somebody may not see', () => {
  test('What somebody may not see cannot be distinguished from what does not exist', async () => {
    const grace = await service.idOf('grace@example.com');
    const engineer = { key: service.keys.engineer };
    const both = async (name: string, real: string, made: string) =>
      Promise.all(
        [real, made].map(async (value) => {
          const body = { filters: { ...march, [name]: [value] }, group_by: ['name'] };
          const { status, text } = await ask('pull-requests-count', body, engineer);
          return [status, text];
        }),
      );
    for (const [name, real] of [
      ['member', grace],
      ['manager_ids', grace],
      ['manager_email', 'grace@example.com'],
      ['pr_ids', 'pr-01'],
    ] as const) {
      const [seen, unseen] = await both(name, real, 'nobody-and-nothing');
      expect([name, seen]).toEqual([name, unseen]);
    }
  });

  test('What somebody may not see is never in the words of a refusal', async () => {
    const bodies = [
      { filters: march, group_by: ['Grace Hopper'] },
      { filters: { ...march, members: ['x'] } },
      { filters: { ...march, pr_states: ['Payments'] } },
      { filters: march, order_by: 'grace' },
      { filters: march, date_field: 'acme' },
      { filters: 'acme/web' },
    ];
    for (const body of bodies) {
      const answer = await ask('pull-requests-count', body, { key: service.keys.engineer });
      expect(answer.status).toBe(400);
      const added = detailOf(answer).replace(/'[^']*'/g, '');
      expect(added).not.toMatch(/Grace|Ada|Payments|Platform|acme|Analytical|example\.com/);
    }
  });
});
