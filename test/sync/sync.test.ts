import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type App, openApp } from '../../src/main.ts';
import { stateOf } from '../ingest/records/state.ts';
import { threadsForFewRows } from '../setup/how-long.ts';
import { ToyProvider, toyToken } from './toy-provider.ts';
import { addToySource, syncToTheEnd, toySyncs } from './toy-sync.ts';
import { type ToyRepository, toyWorld } from './toy-world.ts';

let app: App;
const folder = mkdtempSync(join(tmpdir(), 'plumb-sync-'));
beforeAll(async () => {
  app = await openApp({ folder, databaseUrl: undefined, threads: threadsForFewRows });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function provider(world: readonly ToyRepository[], options = {}): Promise<ToyProvider> {
  const started = await ToyProvider.start(world, options);
  onTestFinished(() => started.close());
  return started;
}

test('a sync brings everything, and a second one without news writes nothing and asks little', async () => {
  const host = await provider(toyWorld());
  const { organisationId, sourceId } = await addToySource(app);
  const syncs = toySyncs(app, host.baseUrl);
  expect(await syncToTheEnd(syncs, sourceId)).toBe(1);
  const state = await stateOf(app.warehouse, organisationId);
  expect(state.pull_requests).toHaveLength(24);
  expect(state.pull_request_reviews).toHaveLength(48);
  expect(state.issues).toHaveLength(12);
  const asked = host.requests;
  const version = app.warehouse.versionOf(organisationId);
  expect(await syncToTheEnd(syncs, sourceId)).toBe(1);
  expect(app.warehouse.versionOf(organisationId)).toBe(version);
  // The list, and one page of each of the four streams, two of them conditional.
  expect(host.requests - asked).toBe(5);
  expect(host.unchanged).toBe(2);
  expect([...host.tokens]).toEqual([`Bearer ${toyToken}`]);
});
