import { LRUCache } from 'lru-cache';
import { surveys } from '../catalogue/derivation-state/surveys.ts';
import { lastEventAt } from '../store/audit-entries.ts';
import { backupAction } from '../store/audit-events.ts';
import { listSyncs, type SourceSyncRow } from '../store/source-syncs.ts';
import { listSources } from '../store/sources.ts';
import type { Reading, Store } from '../store/store.ts';
import type { Turn } from '../turns/turn.ts';
import type { IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type Freshness, freshness } from './gaps.ts';

/** What pages have to know before they show a number: what is connected, what is being read, and how new it is. */
interface DataStatus {
  readonly sources: readonly SourceStatus[];
  readonly freshness: Freshness;
  readonly lastBackupAt: string | null;
}

export interface SourceStatus {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly isSyncing: boolean;
  readonly lastSyncAt: string | null;
  /** `complete`, `partial` or `failed`; null before the first one has ended. */
  readonly outcome: string | null;
}

interface DataStatusParts {
  readonly store: Pick<Store, 'read'>;
  readonly warehouse: Pick<IntakePort, 'read'> & { versionOf(organisationId: string): number | undefined };
  readonly now: () => Date;
}

interface DataStatusOptions {
  readonly turn?: Turn | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface KnownFreshness {
  readonly version: number;
  readonly freshness: Freshness;
}

const organisationsMost = 200;

/** The status of organisations. How new their data is, is looked up once for each version of it. */
export class DataStatuses {
  readonly #parts: DataStatusParts;
  readonly #known = new LRUCache<string, KnownFreshness>({ max: organisationsMost });

  constructor(parts: DataStatusParts) {
    this.#parts = parts;
  }

  async of(organisationId: string, options: DataStatusOptions = {}): Promise<DataStatus> {
    const { store, now } = this.#parts;
    const ofStore = async (session: Reading) => {
      const syncs = new Map((await listSyncs(session, organisationId)).map((sync) => [sync.source_id, sync]));
      const sources = await listSources(session, organisationId);
      return {
        sources: sources.map(({ id, kind, name }) => ({ id, kind, name, ...syncStatus(syncs.get(id), now()) })),
        lastBackupAt: (await lastEventAt(session, organisationId, backupAction))?.toISOString() ?? null,
      };
    };
    const known = await store.read(ofStore, { organisationId, ...options });
    return { ...known, freshness: await this.#freshnessOf(organisationId, options) };
  }

  /** Whether answers to any survey were given anonymously, whatever holds for later ones. */
  async hasAnonymousSurveys(organisationId: string, options: DataStatusOptions = {}): Promise<boolean> {
    const isAnonymous = { column: 'survey_privacy', in: ['anonymous'] } as const;
    const work = (session: TableReader) => session.tally(surveys, [], isAnonymous);
    const [counted] = await this.#parts.warehouse.read(organisationId, work, options);
    return (counted?.rows ?? 0) > 0;
  }

  async #freshnessOf(organisationId: string, options: DataStatusOptions): Promise<Freshness> {
    const { warehouse } = this.#parts;
    // Asked before the tables are read: what changes meanwhile is looked up again the next time.
    const version = warehouse.versionOf(organisationId);
    const kept = this.#known.get(organisationId);
    if (kept && kept.version === version) return kept.freshness;
    const found = await warehouse.read(organisationId, freshness, { lane: 'heavy', ...options });
    if (version !== undefined) this.#known.set(organisationId, { version, freshness: found });
    return found;
  }
}

function syncStatus(sync: SourceSyncRow | undefined, now: Date) {
  return {
    isSyncing: sync?.holder != null && (sync.lease_until?.getTime() ?? 0) > now.getTime(),
    lastSyncAt: sync?.finished_at?.toISOString() ?? null,
    outcome: sync?.outcome ?? null,
  };
}
