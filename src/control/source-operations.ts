import {
  addReadableSource,
  type CheckedSource,
  checkSource,
  lastSyncView,
} from '../configured-sources/check-source.ts';
import type { ConfiguredSources, ListedSource } from '../configured-sources/configured-sources.ts';
import { rotateSecrets } from '../configured-sources/reencrypt-secrets.ts';
import { type SourceHealth, sourceHealth } from '../data-quality/source-health.ts';
import type { Actor, Directory } from '../directory/directory.ts';
import { resolveOrganisation } from '../directory/organisations.ts';
import { runningView, type SyncProgress } from '../jobs/sync-progress.ts';
import { Refusal } from '../refusal.ts';
import type { Secrets } from '../secrets/secrets.ts';
import { webhookAddress } from '../sources/webhooks.ts';

type SourceSettings = Readonly<Record<string, string>>;

export interface NamedSource {
  readonly org: string;
  readonly source: string;
}

interface NewSource {
  readonly org: string;
  readonly kind: string;
  readonly name: string;
  readonly settings: SourceSettings;
  /** Adds the source without trying whether it can be read. */
  readonly unchecked?: boolean;
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

/** The operations on sources. Settings are texts, as typed on the command line; an empty one clears. */
export function sourceOperationsOf(parts: SourceOperationParts, actor: Actor) {
  const { directory, sources, secrets, progressOf, baseUrl } = parts;
  const { store, now } = directory;
  const organisationIn = async (org: string) => (await store.read((session) => resolveOrganisation(session, org))).id;
  const changeFor = async (org: string) => ({
    organisationId: await organisationIn(org),
    actor,
    origin: actor.via === 'command' ? ('command' as const) : ('api' as const),
  });
  const webhookUrl = (kind: string, id: string, secret?: string) => {
    const webhook = sources.kinds.find((known) => known.kind === kind)?.webhook;
    return webhook ? webhookAddress(webhook, { url: `${baseUrl()}/webhooks/${kind}/${id}`, secret }) : null;
  };
  const view = ({ row, settings, sync }: ListedSource, health: readonly SourceHealth[]) => ({
    id: row.id,
    kind: row.kind,
    name: row.name,
    /** Of secrets only that they are set. */
    settings,
    webhook_url: webhookUrl(row.kind, row.id),
    created_at: row.created_at.toISOString(),
    last_sync: lastSyncView(sync),
    /** How far a sync is that runs now; null where none does. */
    progress: runningView(row.name, progressOf(row.id)),
    /** What it could not see, however often it is read. */
    not_seen: health.find(({ id }) => id === row.id)?.not_seen ?? [],
  });
  const viewsIn = async (organisationId: string) => {
    const health = await store.read((session) => sourceHealth(session, organisationId));
    return (await sources.list(organisationId)).map((listed) => view(listed, health));
  };

  return {
    async addSource({ org, kind, name, settings, unchecked = false }: NewSource) {
      const change = await changeFor(org);
      const added: CheckedSource = unchecked
        ? await sources.add(change, kind, name, settings)
        : await addReadableSource(sources, change, { kind, name, settings });
      return {
        id: added.id,
        kind: added.kind,
        name: name.trim(),
        /** The address that its provider calls; null where the kind has no webhooks. */
        webhook_url: webhookUrl(added.kind, added.id, added.webhookSecret),
        /** Shown now and never again; null where it was given. */
        webhook_secret: added.webhookSecret ?? null,
        /** The result of the check of the source; absent where it was not tried. */
        ...(added.check ? { check: added.check } : {}),
      };
    },
    async setSource({ org, source, settings }: NamedSource & { settings: SourceSettings }) {
      const change = await changeFor(org);
      const { id } = await sources.set(change, source, settings);
      const listed = (await viewsIn(change.organisationId)).find((one) => one.id === id);
      if (!listed) throw new Refusal('conflict', `The source '${source}' was removed meanwhile.`);
      return listed;
    },
    async listSources({ org }: { org: string }) {
      return viewsIn(await organisationIn(org));
    },
    /** Whether a source can be read, and what of it. */
    async checkSource({ org, source }: NamedSource) {
      return checkSource(sources, await sources.named(await organisationIn(org), source));
    },
    async removeSource({ org, source }: NamedSource) {
      const { id, name } = await sources.remove(await changeFor(org), source);
      return { id, name };
    },
    /** Encrypts the secrets of all sources, and the addresses of alerts and digests, with another key. */
    async rotateSecret(_: Readonly<Record<string, never>>) {
      return rotateSecrets({ store, secrets, now }, actor);
    },
  };
}

type SourceOperations = ReturnType<typeof sourceOperationsOf>;
export type AddedSourceView = Awaited<ReturnType<SourceOperations['addSource']>>;
export type SourceView = Awaited<ReturnType<SourceOperations['setSource']>>;
