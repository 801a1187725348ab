import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { SensitiveReads } from '../../../src/access/sensitive-reads.ts';
import { setOrganisation } from '../../../src/directory/organisations.ts';
import { setPerson } from '../../../src/directory/people.ts';
import { auditEntries } from '../../../src/store/audit.ts';
import { type Contents, type Service, serveBeside } from '../../setup/running-app.ts';
import { actor, asking, march, someMetrics, startMetrics } from './some-metrics.ts';

let service: Service;
let now = new Date('2024-04-10T12:00:00Z');
const shownSalaries: Contents = {
  name: 'shown salaries',
  async put(app, organisationId) {
    await someMetrics.put(app, organisationId);
    const context = { organisationId, actor };
    await setOrganisation(app.directory, context, { salary_visibility: 'true' });
    await setPerson(app.directory, context, 'ada@example.com', { permissions: ['can-view-salaries'], salary: 100 });
    await setPerson(app.directory, context, 'grace@example.com', { permissions: ['can-view-salaries'], salary: 50 });
  },
};
beforeAll(async () => {
  service = await startMetrics({ now: () => now, contents: shownSalaries });
});
afterAll(() => service.close());
/** Each test has a day of its own, and questions that nobody has asked before it. */
let day: string;
let limit: number;
beforeEach(() => {
  now = new Date(now.getTime() + 86_400_000);
  now.setUTCHours(12, 0, 0, 0);
  day = now.toISOString().slice(0, 10);
  limit = now.getUTCDate();
});

const ask = asking(() => service);
const salary = (asked = {}) => ask('salary', { filters: {}, aggregation: 'AVG', limit }, asked);
const survey = (at = service) => asking(() => at)('survey-recipients-count', { filters: march, limit });

async function reads(): Promise<string[]> {
  const entries = await service.app.store.read((session) => auditEntries(session, service.organisationId, 1_000));
  return entries
    .filter(({ action, happened_at }) => action.endsWith('.read') && happened_at.toISOString().startsWith(day))
    .map(({ happened_at, via, action, subject }) => `${happened_at.toISOString()} ${via} ${action} ${subject}`)
    .sort();
}

test('A look at salaries or survey answers is one entry for each person, metric and hour', async () => {
  expect((await salary()).headers['x-cache']).toBe('MISS');
  expect((await salary()).headers['x-cache']).toBe('HIT');
  expect((await salary()).headers['x-cache']).toBe('HIT');
  await ask('salary', { filters: {}, aggregation: 'MAX' });
  expect(await reads()).toEqual([`${day}T12:00:00.000Z api salary.read salary`]);
  const [entry] = await service.app.store.read((session) => auditEntries(session, service.organisationId, 1));
  expect(entry).toMatchObject({ actor: await service.idOf('ada@example.com'), key_id: expect.any(String) });

  await salary({ key: service.keys.manager });
  expect((await survey()).status).toBe(200);
  now = new Date(`${day}T12:59:59Z`);
  await salary();
  now = new Date(`${day}T13:00:00Z`);
  await salary();
  expect(await reads()).toEqual([
    `${day}T12:00:00.000Z api salary.read salary`,
    `${day}T12:00:00.000Z api salary.read salary`,
    `${day}T12:00:00.000Z api survey.read survey-recipients-count`,
    `${day}T13:00:00.000Z api salary.read salary`,
  ]);
});

test('No cache is dropped by an entry, and the organisation has the version it had', async () => {
  const { store } = service.app;
  const before = store.versionOf(service.organisationId);
  const body = { filters: march };
  await ask('pull-requests-count', body);
  await ask('pull-requests-count', body);
  await salary();
  expect((await ask('pull-requests-count', body)).headers['x-cache']).toBe('HIT');
  expect(store.versionOf(service.organisationId)).toBe(before);
});

test('Many at once give one entry, and so does a process that starts again within the hour', async () => {
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => ask('salary', { filters: {}, aggregation: i % 2 ? 'AVG' : 'SUM' })),
  );
  expect(await reads()).toHaveLength(1);
  const restarted = new SensitiveReads(service.app.store, () => now);
  const principal = await service.app.authentication.authenticate(service.keys.owner);
  await restarted.note(principal, [{ name: 'salary', gate: 'salary' }]);
  expect(await reads()).toHaveLength(1);
});

test('Explanations and several metrics at once are looks as well, whatever they are asked with', async () => {
  await ask('salary/explain', { filters: {}, aggregation: 'AVG' });
  expect(await reads()).toEqual([`${day}T12:00:00.000Z api salary.read salary`]);
  const several = { filters: march, metrics: ['survey-recipients-count', 'pull-requests-count'] };
  for (let i = 0; i < 3; i += 1) expect((await ask('get-multiple-metrics', several)).status).toBe(200);
  expect(await reads()).toHaveLength(2);
});

test('What is refused is no look, and neither is what everybody may ask', async () => {
  await salary({ key: service.keys.engineer });
  await ask('salary', { filters: {}, aggregation: 'AVG', group_by: ['no-such-column'] });
  await ask('pull-requests-count', { filters: march });
  expect(await reads()).toEqual([]);
});

describe('without an entry', () => {
  const fails = () => Promise.reject(new Error('no space left on device'));

  test('Nothing is answered, and the next one is answered once it can be written', async () => {
    const { store } = service.app;
    const note = store.note;
    Object.assign(store, { note: fails });
    for (const answer of [
      await salary(),
      await survey(),
      await ask('salary/explain', { filters: {}, aggregation: 'AVG' }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.json).toEqual({ detail: expect.stringContaining('audit log cannot be written') });
    }
    expect((await ask('pull-requests-count', { filters: march })).status).toBe(200);
    Object.assign(store, { note });
    expect((await salary()).status).toBe(200);
    expect(await reads()).toHaveLength(1);
  });

  test('Nothing that was answered a moment ago is answered either', async () => {
    let noted = 0;
    let isAway = false;
    const note = async () => {
      if (isAway) await fails();
      noted += 1;
    };
    const beside = await serveBeside(service, { parts: () => ({ reads: new SensitiveReads({ note }, () => now) }) });
    onTestFinished(() => beside.close());
    const ready = async () => expect((await survey(beside)).status).toBe(200);
    // Found, kept, recalled: only the last does without the service.
    await ready();
    await ready();
    expect(noted).toBe(0);
    isAway = true;
    expect((await survey(beside)).status).toBe(503);
    isAway = false;
    await ready();
    await ready();
    expect(noted).toBe(1);
  });
});
