import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { ApiKeys } from './access/api-keys.ts';
import { Authentication } from './access/authentication.ts';
import { LastUsed } from './access/last-used.ts';
import type { OpenidSettings } from './access/openid-provider.ts';
import type { Principal } from './access/principal.ts';
import { SensitiveReads } from './access/sensitive-reads.ts';
import { openSignInMethods, type SignInMethods } from './access/sign-in-methods.ts';
import { type SignedInPerson, signedInPerson } from './access/signed-in-person.ts';
import { defaultMemory, divideMemory, inMebibytes } from './admission/memory-division.ts';
import { Attention } from './attention/needs-attention.ts';
import { PinnedBoards } from './boards/pinned-boards.ts';
import { ConfiguredSources } from './configured-sources/configured-sources.ts';
import { bindSecretsToAddresses } from './configured-sources/reencrypt-secrets.ts';
import { WebhookIntake } from './configured-sources/webhook-intake.ts';
import { DataExtents } from './data-extent/data-extents.ts';
import { type DataQuality, type DataQualityOptions, dataQualityOf } from './data-quality/data-quality.ts';
import { DataStatuses } from './data-quality/data-status.ts';
import { type OpenedNotifications, openNotifications } from './digests/open-notifications.ts';
import { documentsOf, type OrganisationDocuments } from './digests/organisation-documents.ts';
import { noteCalledBots } from './directory/called-bots.ts';
import { codeHostOf } from './directory/code-host/code-host.ts';
import { takeHostDirectory } from './directory/code-host/take-host-directory.ts';
import type { Actor, Directory } from './directory/directory.ts';
import { Listings } from './directory/listings.ts';
import { Roster } from './directory/roster.ts';
import { Goals } from './goals/goal-standings.ts';
import { Ingest } from './ingest/ingest.ts';
import { publishing } from './ingest/publish/published-changes.ts';
import { matchSuggestions, type Suggestion, type SuggestionOptions } from './ingest/resolve/suggestions.ts';
import { Rereads } from './jobs/rereads.ts';
import { Syncs } from './jobs/syncs.ts';
import { type GivenMessageSettings, type OpenedMessages, openMessages } from './messages/open-messages.ts';
import { AnswerMemory } from './query/answer-memory.ts';
import { Metrics } from './query/answer-metric.ts';
import { ResponseCache } from './query/response-cache.ts';
import { auditedBackup, type BackupOptions, backupSource } from './safety/backup.ts';
import { Secrets } from './secrets/secrets.ts';
import { sourceKinds } from './sources/kinds.ts';
import type { HostDirectory, ReportedTeams } from './sources/source.ts';
import { openStore, openStoreWithTables } from './store/open.ts';
import { listBenchmarked } from './store/organisation-rows.ts';
import { endLostLeases, type SourceRow } from './store/source-rows.ts';
import type { Store } from './store/store.ts';
import { type OpenedTables, openTables } from './warehouse/open.ts';
import type { EmbeddedWarehouse, ServedWarehouse } from './warehouse/warehouse.ts';

export interface AppSettings extends GivenMessageSettings {
  readonly folder: string;
  readonly databaseUrl: string | undefined;
  /** Where the tables are, if not in the folder: any number of processes may then use the store and them at once. */
  readonly tablesUrl?: string | undefined;
  readonly querySeconds?: number;
  /** The memory of the whole process, in bytes. */
  readonly memory?: number | undefined;
  readonly threads?: number | undefined;
  /** The memory of answers on their way out. */
  readonly answers?: AnswerLimits | undefined;
  /** The secrets that encrypt the secrets of sources, now and before. */
  readonly secret?: string | undefined;
  readonly secretOld?: string | undefined;
  readonly openid?: OpenidSettings | undefined;
  /** Private hosts that a page or the API may name as the address of a source, or of where messages go. */
  readonly sourceHosts?: readonly string[];
}

/** In bytes, for the whole process. */
export interface AnswerLimits {
  /** The limit of memory, where it is not a share of the whole. */
  readonly memoryBytes?: number;
  /** The limit on the disk that holds the data folder. */
  readonly spoolBytes?: number;
}

/** All modules, built and joined. The process that opens an app owns its data folder, and closes the app again. */
export interface App extends SignInMethods, OpenedMessages, OpenedNotifications {
  readonly store: Store;
  readonly warehouse: ServedWarehouse;
  /** The warehouse where its tables are files in the data folder: for code that copies and checks files. */
  readonly embedded: EmbeddedWarehouse | undefined;
  readonly ingest: Ingest;
  readonly metrics: Metrics;
  readonly answerMemory: AnswerMemory;
  readonly reads: SensitiveReads;
  readonly responses: ResponseCache;
  readonly directory: Directory;
  readonly listings: Listings;
  readonly keys: ApiKeys;
  readonly authentication: Authentication;
  readonly lastUsed: LastUsed;
  readonly signedInPerson: (principal: Principal) => Promise<SignedInPerson>;
  readonly secrets: Secrets;
  readonly sources: ConfiguredSources;
  readonly syncs: Syncs;
  readonly webhooks: WebhookIntake;
  readonly rereads: Rereads;
  readonly dataQuality: (organisationId: string, options?: DataQualityOptions) => Promise<DataQuality>;
  /** From when to when tables are complete. */
  readonly dataExtents: DataExtents;
  readonly dataStatuses: DataStatuses;
  /** What waits or fails now. */
  readonly attention: Attention;
  readonly roster: Roster;
  /** What people write as documents, by kind. */
  readonly documents: OrganisationDocuments;
  readonly pinnedBoards: PinnedBoards;
  /** What goals come to. */
  readonly goals: Goals;
  readonly matchSuggestions: (organisationId: string, options?: SuggestionOptions) => Promise<Suggestion[]>;
  /** A backup of everything, or of one organisation, in a person's name. */
  readonly backUp: (actor: Actor, options: BackupOptions) => AsyncIterable<Uint8Array>;
  readonly now: () => Date;
  close(): Promise<void>;
}

interface AppOptions {
  readonly now?: () => Date;
  /** Called for trouble that no request has to wait for. */
  readonly onError?: (error: unknown) => void;
  /** Who opens it. Others at the same store see it. */
  readonly opener?: 'serve' | 'command';
}

/**
 * The part without tables: who exists and who may do what. It opens beside a server elsewhere that keeps the tables.
 */
export type DirectoryApp = Pick<
  App,
  'store' | 'directory' | 'documents' | 'keys' | 'signIns' | 'secrets' | 'sources' | 'now' | 'close'
>;

export async function openDirectoryApp(
  settings: AppSettings,
  now: () => Date = () => new Date(),
): Promise<DirectoryApp> {
  const { folder, databaseUrl } = settings;
  const store = await openStore({ folder, databaseUrl, limits: limitsOf(settings, 'store') });
  const keys = new ApiKeys(store, now);
  const { signIns } = openSignInMethods(settings, { store, now, onError: () => {} });
  const directory = { store, now };
  const configured = sourcesOf(settings, store, now);
  await bindSecretsToAddresses(store, configured.secrets).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  const { messages } = openMessages(settings, {
    store,
    secrets: configured.secrets,
    now,
    holder: '',
    onError: () => {},
  });
  const documents = documentsOf(store, now, { secrets: configured.secrets, messages });
  return { store, directory, documents, keys, signIns, ...configured, now, close: () => store.close() };
}

function sourcesOf(settings: AppSettings, store: Store, now: () => Date): Pick<App, 'secrets' | 'sources'> {
  const { sourceHosts = [] } = settings;
  const secrets = new Secrets(settings);
  const environment = process.env;
  return {
    secrets,
    sources: new ConfiguredSources({ store, secrets, kinds: sourceKinds, now, sourceHosts, environment }),
  };
}

const limitsOf = ({ querySeconds, memory = defaultMemory(), threads }: AppSettings, engine: 'store' | 'warehouse') => ({
  ...(querySeconds === undefined ? {} : { statementSeconds: querySeconds }),
  memory: inMebibytes(divideMemory(memory)[engine]),
  ...(threads === undefined ? {} : { threads }),
});

/** An app whose tables are files in its data folder. */
export interface EmbeddedApp extends App {
  readonly warehouse: EmbeddedWarehouse;
  readonly embedded: EmbeddedWarehouse;
}

export function openApp(settings: AppSettings & { tablesUrl?: undefined }, options?: AppOptions): Promise<EmbeddedApp>;
export function openApp(settings: AppSettings, options?: AppOptions): Promise<App>;
export async function openApp(
  settings: AppSettings,
  { now = () => new Date(), onError = () => {}, opener = 'command' }: AppOptions = {},
): Promise<App> {
  const { folder, databaseUrl, tablesUrl, answers = {} } = settings;
  const division = divideMemory(settings.memory ?? defaultMemory());
  const notify = (message: string) => onError(new Error(message));
  const limits = limitsOf(settings, 'store');
  const place = { folder, databaseUrl, limits };
  const isShared = tablesUrl !== undefined;
  const kept = await openStoreWithTables(place, { kind: opener, notify, isShared });
  const openBoth = async (): Promise<OpenedTables> => {
    // One process at a time keeps tables beside a store, so every other process that read sources is gone.
    if (!isShared) await endLostLeases(kept);
    await bindSecretsToAddresses(kept, new Secrets(settings));
    const tables = {
      folder,
      limits: {
        ...limitsOf(settings, 'warehouse'),
        ...(answers.spoolBytes === undefined ? {} : { spoolBytes: answers.spoolBytes }),
      },
      openFilesBytes: division.openFiles,
      writerTurns: kept.writerTurns,
    };
    return openTables(tables, tablesUrl);
  };
  const { warehouse, embedded } = await openBoth().catch(async (error: unknown) => {
    await kept.close();
    throw error;
  });
  const ingest = new Ingest(kept, warehouse, {
    spoolFolder: folder,
    sharesTables: isShared,
    now,
    callBots: (organisationId, called) => noteCalledBots({ store: kept, now }, organisationId, called),
    onError,
  });
  const { publisher } = ingest;
  const store = publishing(kept, (organisationId) => publisher.publish(organisationId), onError);
  kept.watch((organisationId) => void publisher.publish(organisationId).catch(onError));
  const answerMemory = new AnswerMemory(answers.memoryBytes ?? division.answers);
  const responses = new ResponseCache(() => now().getTime(), division.responses);
  const keys = new ApiKeys(store, now);
  const lastUsed = new LastUsed(store, onError);
  const reads = new SensitiveReads(store, now);
  const signInMethods = openSignInMethods(settings, { store, now, onError });
  const configured = sourcesOf(settings, store, now);
  const dataExtents = new DataExtents({ store, warehouse, now });
  const dataStatuses = new DataStatuses({ store, warehouse, extents: dataExtents, now });
  const reading = {
    directory: { store, now },
    ingest,
    prepare: (source: SourceRow) => configured.sources.prepare(source),
    takeHostDirectory: async (source: SourceRow, members: HostDirectory | ReportedTeams) => {
      const { settings } = await configured.sources.prepare(source);
      const { id: sourceId, organisation_id: organisationId } = source;
      const context = { organisationId, actor: { via: 'source', sourceId } } as const;
      return (await takeHostDirectory({ store, now }, context, codeHostOf(source, settings), members)).rows;
    },
    onError,
  };
  const rereads = new Rereads(reading);
  const holder = `${hostname()}/${process.pid}/${randomUUID()}`;
  const syncs = new Syncs({ ...reading, holder });
  syncs.watch(({ organisation_id }) => dataExtents.forgetReads(organisation_id));
  const metrics = new Metrics({
    tables: warehouse,
    directory: publisher,
    benchmarks: { organisations: (ticket) => store.read(listBenchmarked, { ticket }), onError },
    reads,
    extents: dataExtents,
    now,
    memory: answerMemory,
    responses,
  });
  const { secrets } = configured;
  const opened = openMessages(settings, { store, secrets, now, holder, onError });
  const { messages } = opened;
  const documents = documentsOf(store, now, { secrets, messages });
  const attention = new Attention({ tables: warehouse, directory: publisher, dataStatuses, now });
  const extents = dataExtents;
  const told = { store, warehouse, metrics, attention, extents, documents, messages, secrets, holder, now, onError };
  return {
    store,
    warehouse,
    embedded,
    ingest,
    metrics,
    answerMemory,
    reads,
    responses,
    directory: { store, now },
    listings: new Listings(store),
    keys,
    authentication: new Authentication(store, now),
    lastUsed,
    ...signInMethods,
    signedInPerson: (principal) => signedInPerson(store, principal),
    ...configured,
    syncs,
    webhooks: new WebhookIntake({
      store,
      sources: configured.sources,
      now,
      kept: (sourceId) => rereads.nudge(sourceId),
    }),
    rereads,
    ...opened,
    ...openNotifications(told),
    dataQuality: (organisationId, options) =>
      dataQualityOf({ store, warehouse, dataStatuses, now }, organisationId, options),
    dataExtents,
    dataStatuses,
    attention,
    roster: new Roster(store),
    documents,
    pinnedBoards: new PinnedBoards({ store, boards: documents.board, now }),
    goals: new Goals({ documents: documents.goal, metrics, now }),
    matchSuggestions: (organisationId, options) => matchSuggestions({ warehouse, ingest }, organisationId, options),
    backUp: (actor, options) => auditedBackup(backupSource({ store, embedded }), actor, options),
    now,
    async close() {
      publisher.close();
      try {
        await rereads.close();
        await lastUsed.close();
        await signInMethods.failedLog.written();
        await warehouse.close();
      } finally {
        await store.close();
      }
    },
  };
}
