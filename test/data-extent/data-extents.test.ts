import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataExtents } from '../../src/data-extent/data-extents.ts';
import { putCursor } from '../../src/store/cursors.ts';
import { demoFilledSince, demoSource } from '../../src/store/organisation-rows.ts';
import { type RecordsApp, recordsApp } from '../ingest/records-app.ts';

const day = 86_400_000;
const newest = Date.parse('2024-03-05T10:00:00Z');
const pullRequest = { pr_id: 'p', source: 'github', repository: 'acme/web', pr_created_at: '2024-03-05T10:00:00Z' };

let app: RecordsApp;
let now: number;
let extents: DataExtents;

beforeEach(async () => {
  app = await recordsApp();
  now = newest + 60_000;
  const { store, warehouse } = app.app;
  extents = new DataExtents({ store, warehouse, now: () => new Date(now) });
  await app.put('pull_requests', [pullRequest]);
});
afterEach(() => app.close());

test('An extent is worked out once a second, for everybody who asks', async () => {
  const { organisationId } = app.context;
  const found = await extents.of(organisationId, ['pull_requests']);
  const known = extents.known(organisationId, ['pull_requests']);
  expect(known).toEqual(found);
  expect(extents.known(organisationId, ['pull_requests'])).toBe(known);
  expect(extents.known(organisationId, ['pull_requests', 'issues'])).toBeUndefined();
});

test('An extent follows the clock: data are complete up to now at most', async () => {
  const { organisationId } = app.context;
  await extents.of(organisationId, ['pull_requests']);
  const through = () => extents.known(organisationId, ['pull_requests'])?.through;
  expect(through()).toBe(now / 1_000);
  now += 1_000;
  expect(through()).toBe(now / 1_000);
  now += 2 * day;
  expect(through()).toBe(Date.parse('2024-03-06T00:00:00Z') / 1_000);
});

test('A sample that is being filled in reaches back to its first whole day, and not to its first row', async () => {
  const { organisationId } = app.context;
  const noteFilledSince = (filledSince: string) =>
    app.app.store.change(organisationId, (session) =>
      putCursor(session, demoSource, demoFilledSince, filledSince, new Date(now)),
    );
  const begins = async () => (await extents.of(organisationId, ['pull_requests'])).since;
  const firstRow = Date.parse(pullRequest.pr_created_at) / 1_000;
  expect(await begins()).toBe(firstRow);
  await noteFilledSince('2024-03-20');
  expect(await begins()).toBe(Date.parse('2024-03-20T00:00:00Z') / 1_000);
  await noteFilledSince('');
  expect(await begins()).toBe(firstRow);
});
