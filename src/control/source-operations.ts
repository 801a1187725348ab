import type { ConfiguredSources, ListedSource } from '../configured-sources/configured-sources.ts';
import { rotateSecrets } from '../configured-sources/rotate-secrets.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import type { SyncProgress } from '../jobs/sync-progress.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets/secrets.ts';
import type { KnownLimit } from '../sources/http/rate-limits.ts';
import { openSource } from '../sources/open-source.ts';
import { type Check, SourceProblem } from '../sources/source.ts';
import type { SourceSyncRow } from '../store/source-syncs.ts';
import { progressView, type SyncProgressView } from './sync-lines.ts';

/** What an operator can do with sources. Settings are texts, as typed on the command line; an empty one clears. */
export interface SourceOperations {
  addSource(input: {
    org: string;
    kind: string;
    name: string;
    settings: Readonly<Record<string, string>>;
  }): Promise<AddedSourceView>;
  setSource(input: { org: string; source: string; settings: Readonly<Record<string, string>> }): Promise<SourceView>;
  listSources(input: { org: string }): Promise<SourceView[]>;
  /** Whether a source can be read, and what of it. */
  checkSource(input: { org: string; source: string }): Promise<CheckView>;
  removeSource(input: { org: string; source: string }): Promise<{ readonly id: string; readonly name: string }>;
  /** Encrypts the secrets of all sources with another key. */
  rotateSecret(input: Record<string, never>): Promise<{ readonly sources: number }>;
}

export interface AddedSourceView {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Where its provider calls; null where the kind has no webhooks. */
  readonly webhook_url: string | null;
  /** Shown now and never again; null where it was given. */
  readonly webhook_secret: string | null;
}

export interface SourceView {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  /** Of secrets only that they are set. */
  readonly settings: Readonly<Record<string, string>>;
  readonly webhook_url: string | null;
  readonly created_at: string;
  readonly last_sync: LastSyncView | null;
  /** How far a sync is that runs now; null where none does. */
  readonly progress: SyncProgressView | null;
}

export interface LastSyncView {
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

export interface CheckView {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly account: string | null;
  readonly sees: readonly string[];
  readonly missing: readonly string[];
  readonly clock_difference_seconds: number | null;
  /** Why it cannot be read at all, and what to do about it. */
  readonly error: string | null;
  readonly to_do: string | null;
}

export interface SourceOperationParts {
  readonly directory: Directory;
  readonly sources: ConfiguredSources;
  readonly secrets: Secrets;
  /** The sync of a source that runs in this process, or was the last to run here. */
  readonly progressOf: (sourceId: string) => SyncProgress | undefined;
  /** The address under which people and providers reach the service. */
  readonly baseUrl: () => string;
}

export function sourceOperationsOf(parts: SourceOperationParts, actor: Actor): SourceOperations {
  const { directory, sources, secrets, progressOf, baseUrl } = parts;
  const { store, now } = directory;
  const organisationIn = async (org: string) => (await store.read((session) => resolveOrganisation(session, org))).id;
  const changeFor = async (org: string) => ({
    organisationId: await organisationIn(org),
    actor,
    origin: actor.via === 'command' ? ('command' as const) : ('api' as const),
  });
  const webhookUrl = (kind: string, id: string) =>
    sources.kinds.find((known) => known.kind === kind)?.webhook ? `${baseUrl()}/webhooks/${kind}/${id}` : null;
  const view = ({ row, settings, sync }: ListedSource): SourceView => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    settings,
    webhook_url: webhookUrl(row.kind, row.id),
    created_at: row.created_at.toISOString(),
    last_sync: lastSyncView(sync),
    progress: runningView(row.name, progressOf(row.id)),
  });

  return {
    async addSource({ org, kind, name, settings }) {
      const added = await sources.add(await changeFor(org), kind, name, settings);
      return {
        id: added.id,
        kind: added.kind,
        name: name.trim(),
        webhook_url: webhookUrl(added.kind, added.id),
        webhook_secret: added.webhookSecret ?? null,
      };
    },
    async setSource({ org, source, settings }) {
      const change = await changeFor(org);
      const { id } = await sources.set(change, source, settings);
      const listed = (await sources.list(change.organisationId)).find(({ row }) => row.id === id);
      if (!listed) throw new Refusal('conflict', `The source '${source}' was removed meanwhile.`);
      return view(listed);
    },
    async listSources({ org }) {
      return (await sources.list(await organisationIn(org))).map(view);
    },
    async checkSource({ org, source }) {
      const row = await sources.named(await organisationIn(org), source);
      const found = { id: row.id, name: row.name };
      try {
        const { kind, settings, ...prepared } = await sources.prepare(row);
        const signal = AbortSignal.timeout(checkMs);
        const opened = openSource(kind, settings, { ...prepared, isShort: true, signal });
        try {
          return { ...found, ...checkView(await opened.source.check()) };
        } catch (error) {
          throw signal.aborted ? tookTooLong(opened.limits()) : error;
        } finally {
          opened.close();
        }
      } catch (error) {
        if (error instanceof SourceProblem) return { ...found, ...unreadable(error.message, error.toDo) };
        throw error;
      }
    },
    async removeSource({ org, source }) {
      const { id, name } = await sources.remove(await changeFor(org), source);
      return { id, name };
    },
    async rotateSecret() {
      return { sources: await rotateSecrets({ store, secrets, now }, actor) };
    },
  };
}

const checkMs = 60_000;

/** A limit that is used up is waited for, which may take an hour. */
export function tookTooLong(limits: readonly KnownLimit[]): SourceProblem {
  const usedUp = limits.find(({ remaining, wholeAt }) => remaining === 0 && wholeAt !== undefined);
  if (usedUp?.wholeAt === undefined) {
    return new SourceProblem(`It took more than ${checkMs / 1_000} seconds`, 'Try again later.', { mayPass: true });
  }
  const until = new Date(usedUp.wholeAt * 1_000).toISOString();
  return new SourceProblem(
    `Its rate limit is used up until ${until}`,
    'Try again then, and see which other tools use the same account. Syncs wait for it by themselves.',
    { mayPass: true },
  );
}

const checkView = ({ account, sees, missing, clockDifferenceSeconds }: Check): Omit<CheckView, 'id' | 'name'> => ({
  ok: true,
  account: account ?? null,
  sees,
  missing,
  clock_difference_seconds: clockDifferenceSeconds ?? null,
  error: null,
  to_do: null,
});

const unreadable = (error: string, toDo: string): Omit<CheckView, 'id' | 'name'> => ({
  ok: false,
  account: null,
  sees: [],
  missing: [],
  clock_difference_seconds: null,
  error,
  to_do: toDo,
});

function lastSyncView(sync: SourceSyncRow | undefined): LastSyncView | null {
  if (!sync?.started_at) return null;
  return {
    started_at: sync.started_at.toISOString(),
    finished_at: sync.finished_at?.toISOString() ?? null,
    outcome: sync.outcome,
    error: sync.error,
    to_do: sync.to_do,
  };
}

const runningView = (source: string, progress: SyncProgress | undefined): SyncProgressView | null =>
  progress && ['listing', 'reading'].includes(progress.phase) ? progressView(source, progress) : null;
