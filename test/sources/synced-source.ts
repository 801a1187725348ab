import { randomUUID } from 'node:crypto';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { Syncs } from '../../src/jobs/syncs.ts';
import type { App } from '../../src/main.ts';
import type { SettingValues, SourceKind } from '../../src/sources/source.ts';
import { addSource } from '../../src/store/source-rows.ts';
import { tableStateOf } from '../ingest/state.ts';

/** A source of an organisation of its own, synced into real tables. */
export class SyncedSource {
  readonly organisationId = randomUUID();
  readonly #sourceId = randomUUID();
  readonly #app: App;
  readonly #syncs: Syncs;

  private constructor(app: App, kind: SourceKind, settings: SettingValues) {
    this.#app = app;
    this.#syncs = new Syncs({
      directory: app.directory,
      ingest: app.ingest,
      prepare: async () => ({ kind, settings, mayBePrivate: () => true }),
      takeHostDirectory: async () => ({}),
      holder: 'test',
      onError: (error) => {
        throw error;
      },
    });
  }

  static async add(app: App, kind: SourceKind, settings: SettingValues): Promise<SyncedSource> {
    const source = new SyncedSource(app, kind, settings);
    const id = source.organisationId;
    await createOrganisation(
      app.directory,
      { via: 'demo' },
      { id, name: `Organisation ${id}`, ownerEmail: `owner@${id}.test` },
    );
    await app.store.change(id, (session) =>
      addSource(session, {
        id: source.#sourceId,
        organisation_id: id,
        kind: kind.kind,
        name: kind.label,
        name_key: kind.kind,
        added_by: 'command',
        settings: '{}',
        secrets: null,
        webhook_secret: null,
        created_at: new Date(),
      }),
    );
    return source;
  }

  /** Throws where anything of it could not be read. */
  async sync(): Promise<void> {
    const result = await this.#syncs.sync(this.#sourceId, { signal: new AbortController().signal });
    if (result?.outcome !== 'complete') throw new Error(`the sync was not complete: ${JSON.stringify(result)}`);
  }

  get version(): number | undefined {
    return this.#app.warehouse.versionOf(this.organisationId);
  }

  async rows(table: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const lines = await tableStateOf(this.#app.warehouse, this.organisationId, table);
    return lines.map((row) => JSON.parse(row) as Readonly<Record<string, unknown>>);
  }
}
