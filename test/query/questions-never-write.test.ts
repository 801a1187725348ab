import { afterAll, beforeAll, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { Metrics } from '../../src/query/answer-metric.ts';
import type { QuerySession } from '../../src/query/plan.ts';
import type { PublishedDirectory, QuestionPort } from '../../src/query/question-port.ts';
import { Refusal } from '../../src/refusal.ts';
import { alwaysPublished } from '../setup/metrics-over.ts';
import { type Service, startService } from '../setup/running-app.ts';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const filters = { start_date: '2024-01-01', end_date: '2024-01-31' };
const questions: readonly (readonly [path: string, body: object])[] = [
  ['pull-requests-count', { filters }],
  ['pull-requests-count', { filters, include_previous_period: true, group_by: ['team_name'] }],
  ['pull-requests-count', { filters, time_series_data: true }],
  ['users-count', { filters: {} }],
  ['get-multiple-metrics', { metrics: ['pull-requests-count'], filters }],
  ['benchmark', { benchmark_metric: 'cycle-time', date_field: 'merged_at', filters }],
  ['pull-requests-count/explain', { filters }],
  ['date-details', { filters }],
];
const ask = (path: string, body: object) =>
  service.request('POST', `/metrics/${path}`, { key: service.keys.owner, body });

test('What questions get of the tables and the directory has no way to write', () => {
  expectTypeOf<keyof QuestionPort>().toEqualTypeOf<
    'ask' | 'answers' | 'lines' | 'explainSql' | 'versionOf' | 'changedAt'
  >();
  expectTypeOf<keyof QuerySession>().toEqualTypeOf<
    'rows' | 'rowsWithin' | 'count' | 'rowsRead' | 'suppressed' | 'found'
  >();
  expectTypeOf<keyof PublishedDirectory>().toEqualTypeOf<'whenPublished' | 'isPublished' | 'hasTables'>();
});

describe('a question', () => {
  test('Changes no table and no directory', async () => {
    const { app } = service;
    const other = await createOrganisation(
      app.directory,
      { via: 'command', user: 'test' },
      {
        name: 'Beside',
        ownerEmail: 'owner@beside.example',
      },
    );
    const writes = [vi.spyOn(app.warehouse, 'change'), vi.spyOn(app.store, 'change')];
    const versions = [service.organisationId, other.id].map((id) => app.warehouse.versionOf(id));
    try {
      for (const [path, body] of questions) expect((await ask(path, body)).status, path).toBe(200);
      for (const write of writes) expect(write).not.toHaveBeenCalled();
      expect([service.organisationId, other.id].map((id) => app.warehouse.versionOf(id))).toEqual(versions);
    } finally {
      for (const write of writes) write.mockRestore();
    }
  });

  test('A question waits for its directory to be published, and is refused before anything is asked of the tables', async () => {
    const untouched = { versionOf: () => 1 } as unknown as QuestionPort;
    const refusal = new Refusal('unavailable', 'not yet');
    const metrics = new Metrics({
      tables: untouched,
      directory: { ...alwaysPublished, whenPublished: () => Promise.reject(refusal) },
      benchmarks: { organisations: async () => [] },
      now: () => new Date('2024-06-01T00:00:00Z'),
    });
    const principal = await service.app.authentication.authenticate(service.keys.owner, {
      address: '127.0.0.1',
    } as never);
    await expect(metrics.single(principal, 'pull-requests-count', { filters })).rejects.toBe(refusal);
    await expect(metrics.explain(principal, 'pull-requests-count', { filters })).rejects.toBe(refusal);
  });

  test('A question finds a change of the directory whose publication failed at first, once it was tried again', async () => {
    const { app } = service;
    const people = async () => (await ask('users-count', { filters: {}, group_by: ['name'] })).json;
    const before = await people();
    const failing = vi.spyOn(app.warehouse, 'change').mockRejectedValueOnce(new Error('no room on the disk'));
    await service.put([{ main_email: 'late@acme.example', name: 'Late Comer' }]);
    expect(before).not.toContainEqual(expect.objectContaining({ name: 'Late Comer' }));
    expect(await people()).toContainEqual(expect.objectContaining({ name: 'Late Comer' }));
    expect(failing).toHaveBeenCalledTimes(2);
    failing.mockRestore();
  });
});

test('Creating an organisation creates its tables', async () => {
  const { app } = service;
  const { id } = await createOrganisation(
    app.directory,
    { via: 'command', user: 'test' },
    {
      name: 'New here',
      ownerEmail: 'owner@new.example',
    },
  );
  expect(app.warehouse.holds(id)).toBe(true);
  expect(await app.warehouse.read(id, (session) => session.directoryVersion())).toBeGreaterThan(0);
});
