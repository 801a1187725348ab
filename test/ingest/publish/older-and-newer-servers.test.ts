import { afterEach, beforeEach, expect, test } from 'vitest';
import { Ingest } from '../../../src/ingest/ingest.ts';
import { derivationRules } from '../../../src/warehouse/schema.ts';
import { type RecordsApp, recordsApp } from '../records-app.ts';

let app: RecordsApp;
beforeEach(async () => {
  app = await recordsApp();
});
afterEach(() => app.close());

/** One of several servers that write the same tables. */
const server = (): Ingest => new Ingest(app.app.store, app.app.warehouse, { sharesTables: true });
const put = (ingest: Ingest, pr_id: string) =>
  ingest.put(app.context.organisationId, [{ table: 'pull_requests', lines: [{ line: 1, value: { pr_id } }] }]);
const rules = () => app.app.warehouse.read(app.context.organisationId, (session) => session.derivationVersion());
const derivedBy = (version: number) =>
  app.app.warehouse.change(app.context.organisationId, (session) => session.setDerivationVersion(version));

test('A server leaves what a newer one has derived, and says so where it has written rows itself', async () => {
  const { organisationId } = app.context;
  const older = server();
  await put(older, 'p1');
  await derivedBy(derivationRules + 1);
  expect(await older.renew(organisationId)).toBe(false);
  expect(await rules()).toBe(derivationRules + 1);
  // The same again writes no row.
  await put(older, 'p1');
  expect(await rules()).toBe(derivationRules + 1);
  await put(older, 'p2');
  expect(await rules()).toBe(derivationRules);
});

test('Servers that start together derive everything again once', async () => {
  const { organisationId } = app.context;
  await put(server(), 'p1');
  await derivedBy(derivationRules - 1);
  const before = app.app.warehouse.versionOf(organisationId) ?? 0;
  const done = await Promise.all([server(), server(), server()].map((one) => one.renew(organisationId)));
  expect(done.filter(Boolean)).toHaveLength(1);
  expect(await rules()).toBe(derivationRules);
  expect(app.app.warehouse.versionOf(organisationId)).toBe(before + 1);
});
