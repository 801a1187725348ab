import { randomUUID } from 'node:crypto';
import { createOrganisation } from '../../src/directory/organisations.ts';
import type { StreamNews } from '../../src/jobs/sync-progress.ts';
import { Syncs, type SyncsParts } from '../../src/jobs/syncs.ts';
import type { App } from '../../src/main.ts';
import type { Clock } from '../../src/sources/http/clock.ts';
import { addSource } from '../../src/store/source-rows.ts';
import { toyToken } from './toy-provider.ts';
import { toyKind } from './toy-source.ts';

/** Time that passes only while somebody waits. */
export function virtualClock(startMs = Date.UTC(2024, 5, 1)): Clock & { readonly waitedMs: () => number } {
  let now = startMs;
  return {
    now: () => now,
    waitedMs: () => now - startMs,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      now += ms;
    },
  };
}

export interface ToySource {
  readonly organisationId: string;
  readonly sourceId: string;
}

/** An organisation of its own with one source. */
export async function addToySource(
  app: Pick<App, 'directory' | 'store'>,
  id: string = randomUUID(),
): Promise<ToySource> {
  await createOrganisation(app.directory, { via: 'demo' }, { id, name: `Toy ${id}`, ownerEmail: `o@${id}.example` });
  const sourceId = `source-${id}`;
  await app.store.change(id, (session) =>
    addSource(session, {
      id: sourceId,
      organisation_id: id,
      kind: 'toy',
      name: 'Toy',
      name_key: 'toy',
      added_by: 'command',
      settings: '{}',
      secrets: null,
      webhook_secret: null,
      created_at: new Date(),
    }),
  );
  return { organisationId: id, sourceId };
}

export type ToyOverrides = Partial<Omit<SyncsParts, 'directory'>>;

export function toySyncs(app: Pick<App, 'directory' | 'ingest'>, baseUrl: string, overrides: ToyOverrides = {}): Syncs {
  return new Syncs({
    directory: app.directory,
    ingest: app.ingest,
    prepare: async () => ({
      kind: toyKind,
      settings: { base_url: baseUrl, token: toyToken },
      mayBePrivate: () => true,
    }),
    takeHostDirectory: async () => ({}),
    holder: 'test',
    onError: (error) => {
      throw error;
    },
    clock: virtualClock(),
    ...overrides,
  });
}

/** Syncs until nothing has failed any more. How often that took. */
export async function syncToTheEnd(
  syncs: Syncs,
  sourceId: string,
  tell: (news: StreamNews) => void = () => {},
): Promise<number> {
  for (let syncsRun = 1; syncsRun <= 10; syncsRun += 1) {
    const result = await syncs.sync(sourceId, { signal: new AbortController().signal, tell });
    if (result?.outcome === 'complete') return syncsRun;
  }
  throw new Error('the source is still not read after ten syncs');
}
