import type { Json } from '../catalogue/record.ts';
import type { CodeHostName } from '../catalogue/record-ids.ts';
import type { RecordTable } from '../catalogue/record-tables.ts';
import type { FactTable } from '../catalogue/tables/all-tables.ts';
import type { Requests } from './host-port.ts';
import type { NotSeen } from './not-seen.ts';
import type { TokenIssuer } from './token-issuer.ts';

/**
 * A kind of source, such as GitHub: what it needs to know, and how it is read. A source reads and converts; it never
 * writes. Everything hard about reading (limits, retries, budgets, resuming, progress) is the sync's.
 *
 *     open ─▸ check
 *          ─▸ streams ─▸ read page after page ─▸ convert (pure) ─▸ records
 */
export interface SourceKind {
  /** As in `plumb source add KIND` and `/webhooks/KIND/…`. */
  readonly kind: string;
  /** The name of the kind in the words of its users: "GitHub". */
  readonly label: string;
  readonly meaning: string;
  /** The accounts that members and records of the kind name: those of a code host, or its own, as a tracker's. */
  readonly accounts: CodeHostName | 'own';
  /** It reads the repositories of the host that its `accounts` name: ids are made of their names, and of the host where that has to be said. */
  readonly isCodeHost?: true;
  /** Command line, pages and documentation derive from these. */
  readonly settings: readonly SettingField[];
  /** Whether the kind reads files of this machine: only the command line adds it. */
  readonly isLocal?: true;
  /** Hosts beside that of `base_url` that its answers may lead to. They never get the token. */
  readonly allowedHosts?: readonly string[];
  readonly webhook?: WebhookKind;
  /** Where its GraphQL is, below `base_url`. */
  readonly graphqlPath?: string;
  /** Each of its endpoints has a limit of its own: one that is used up says nothing of the others. */
  readonly hasEndpointLimits?: true;
  /** Headers that carry the token, to `base_url` only. Absent: `Authorization: Bearer` with the setting `token`. */
  authorization?(settings: SettingValues): Readonly<Record<string, string>>;
  /** The issuer of the tokens that requests carry, where the settings have none that lasts. Undefined where they have. */
  tokenIssuer?(settings: SettingValues): TokenIssuer | undefined;
  open(opening: SourceOpening): OpenSource;
}

export interface SettingField {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly type: 'text' | 'list' | 'date' | 'boolean' | 'integer' | 'address' | 'private-key';
  /** Encrypted at rest, never shown. */
  readonly isSecret?: true;
  readonly isRequired?: true;
  /** A setting whose place it takes, with all others that say so: the key of an app that of a token. Never both are given. */
  readonly insteadOf?: string;
  /** Pages ask for it beside the address and the token, though it need not be given: it says whose records are read. */
  readonly isAccess?: true;
  /** Of a list: pages let its items be picked, after a check, from what `choices` of the open source names. */
  readonly isPicked?: true;
  /** The texts that it may be, where not any will do. */
  readonly oneOf?: readonly string[];
  /** The largest whole number that it may be. */
  readonly most?: number;
  /** Of a list: its items are names of hosts, in which `*` may stand for a part. */
  readonly isHosts?: true;
  /** Of a list: its items say which repository something belongs to, each `Name=owner/name`. */
  readonly isRepositoryMap?: true;
  /** As it would be written by hand. */
  readonly usual?: string;
}

/** Settings after reading, secrets in clear. What is unset and has no usual value is absent. */
export type SettingValues = Readonly<Record<string, string | readonly string[] | boolean | number>>;

export interface SourceOpening {
  readonly settings: SettingValues;
  /** The host of `base_url`, with its port where that is unusual; empty for a kind without one. Ids of records hold it. */
  readonly host: string;
  /** Asks the source's host: waits for its limits, tries again, refuses what leads elsewhere. */
  readonly requests: Requests;
  readonly signal: AbortSignal;
  /** The memory of the source from sync to sync. Absent: it begins each time as if it were new. */
  readonly memory?: SourceMemory;
  /** The repositories that the organisation already knows from any source. */
  readonly repositories?: KnownRepositories;
}

/** Repositories of which there are records: ids are made of the name under which a repository was first seen. */
export interface KnownRepositories {
  /** The names that each has and had, as they are known now. */
  names(): Promise<RepositoryNaming>;
  /** The names in records of a code host, such as those of an import. */
  inRecordsOf(host: string): Promise<readonly string[]>;
}

export interface RepositoryNaming {
  firstNameOf(host: string, name: string): string;
  presentNameOf(host: string, name: string): string;
}

/**
 * Small facts that outlive a sync, such as the name under which a repository was first seen, which its ids are made of.
 * Kept for the organisation and the kind of source, so that a source that is added again goes on with the ids of the one before.
 */
export interface SourceMemory {
  get(key: string): Promise<Json | undefined>;
  /** Durable when it resolves. */
  set(key: string, value: Json): Promise<void>;
}

export interface OpenSource {
  /** Whether it can be read, what of it, and what is missing. Throws a `SourceProblem` where it cannot be read at all. */
  check(): Promise<Check>;
  /** What the setting with `isPicked` may name, as the token sees it. Absent where the provider has no list of it. */
  choices?(): Promise<readonly PickableItem[]>;
  /** Everything that there is to read, the most important first. Asked again at the beginning of each sync. */
  streams(): AsyncIterable<Stream> | Iterable<Stream>;
  /** Reads the objects that a webhook named as changed, as they are now. An object that is gone is removed. */
  reread?(object: ChangedObject): Promise<Page>;
}

export interface Check {
  /** As whom the token is known, where it says so. */
  readonly account?: string;
  /** The visible part: "3 of 40 repositories". */
  readonly sees: readonly string[];
  /** What was tried and can be read, each in the provider's word: "Pull requests". Absent where `sees` says it all. */
  readonly reads?: readonly string[];
  /** The missing part, and what to do about it: "read:org is missing: members and teams stay unknown". */
  readonly missing: readonly string[];
  /** The provider's clock minus ours. */
  readonly clockDifferenceSeconds?: number;
}

/** Something that can be read and be left out: a repository, a project, a service. */
export interface PickableItem {
  /** As the setting names it. */
  readonly value: string;
  /** The name that people know it by, where that is another one. */
  readonly label?: string;
  /** Why it is only read where the setting names it. */
  readonly leftOut?: 'archived' | 'fork';
  /** When something of it last changed. */
  readonly changedAt?: string;
}

/** One kind of thing of one scope, such as the pull requests of one repository, read newest first. */
export interface Stream {
  /** The key of the stream, stable from sync to sync, also after a rename: `pull_requests@R_1234`. */
  readonly id: string;
  /** The things that the stream reads, for people: "pull requests". */
  readonly name: string;
  /** Of what: `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  /** The tables of what happened that its pages may have records of: they are complete up to its last complete read. */
  readonly feeds: readonly FactTable[];
  /**
   * Whether the stream brings reports of whole days, which come long after the day: it is complete up to its newest
   * day.
   */
  readonly isDaily?: true;
  /** Whether the pages hold members and teams: only such a stream is read for a preview of them. */
  readonly isDirectory?: true;
  /**
   * How far before the last complete read the next one goes back, for what arrives late. Absent: the whole stream is read
   * each time (members, teams).
   */
  readonly rereadSeconds?: number;
  /** What is known before it is read: a window that settings ask for, a right that is missing. Said again by each sync. */
  readonly notSeen?: readonly NotSeen[];
  /** The page at a position, the newest first where there is none. */
  read(from: StreamPosition): Promise<Page>;
}

export interface StreamPosition {
  /** The position that the page before named as its next; absent at the beginning. */
  readonly next?: Json;
  /** Nothing older than this (seconds since 1970) is wanted: older pages need not be read. */
  readonly downTo?: number;
  /** The mark of the first page of the last complete read. Where nothing is new, the page says `isUnchanged`. */
  readonly mark?: Json;
}

export interface Page {
  readonly records: readonly SourceRecords[];
  /** People and groups of a code host. Whole only in streams that read them whole. */
  readonly directory?: HostDirectory | ReportedTeams;
  /** Where the next page begins; absent at the end. JSON, kept in the store. */
  readonly next?: Json;
  /** Everything that changed after this moment (seconds since 1970, the provider's clock) has been read. */
  readonly reachedDownTo?: number;
  /** Things of the stream on this page, and in all as far as the provider says. */
  readonly count: number;
  readonly total?: number;
  /** The provider's clock when it answered, in seconds since 1970. */
  readonly at: number;
  /** For the first page of the next read: an ETag, an update time. */
  readonly mark?: Json;
  /** Nothing has changed since `mark`. */
  readonly isUnchanged?: true;
  /** The items that could not be converted, each with its field. A page of nothing else is an error of its stream. */
  readonly problems?: readonly string[];
  /** What could not be seen of what the page is about. It is remembered: a later page need not say it again. */
  readonly notSeen?: readonly NotSeen[];
}

/** Records of one table as they would be imported. */
export interface SourceRecords {
  readonly table: RecordTable;
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Parents of which all children are here: what else was known of them goes. */
  readonly wholeSetsOf?: readonly string[];
}

/** Members and teams of a code host, complete. */
export interface HostDirectory {
  /** Owner on the host, such as an organisation's name. */
  readonly owner: string;
  readonly people: readonly HostPerson[];
  readonly teams: readonly HostTeam[];
}

export interface HostPerson {
  readonly login: string;
  readonly name?: string;
  /** Only where the host has verified it. */
  readonly verifiedEmail?: string;
  readonly isBot?: boolean;
}

export interface HostTeam {
  readonly name: string;
  /** The name of the team above it. */
  readonly parent?: string;
  readonly logins: readonly string[];
}

/** Who was in which team of a code host on a day, as a report says that leaves out some people and some teams. */
export interface ReportedTeams {
  readonly owner: string;
  readonly reported: readonly ReportedTeam[];
}

export interface ReportedTeam {
  /** As in its address on the host, made of its name. */
  readonly slug: string;
  /** Absent where the host does not show it. */
  readonly name?: string;
  readonly logins: readonly string[];
}

/** How a provider calls. A call is proven by a signature, or by the secret itself; headers are in lower case. */
export interface WebhookKind {
  /**
   * HMAC-SHA256 of the body, hexadecimal, behind a prefix such as `sha256=`. One header may hold several, with commas
   * between them. Kinds that sign have the setting `webhook_secret`; for others Plumb makes the secret.
   */
  readonly signature?: {
    readonly header: string;
    readonly prefix: string;
    /** The provider makes the secret: Plumb makes none, and takes calls once it is set. */
    readonly isMadeByProvider?: true;
  };
  /** The secret itself: in this header, or in the address as `?token=…`. */
  readonly token?: { readonly header: string } | 'in the address';
  /** Absent where deliveries have no name: then what a delivery says is its name. */
  readonly deliveryHeader?: string;
  /** Absent where the body says what has happened. */
  readonly eventHeader?: string;
  /**
   * The objects that a delivery is about; none where it changes nothing that is kept. Its content is trusted for
   * nothing else.
   */
  objectsOf(event: string, payload: unknown): readonly ChangedObject[];
}

/** An object that a webhook names, so that it is read as it is now instead of trusting an old payload. */
export interface ChangedObject {
  /** Two deliveries about the same object are one re-read. */
  readonly id: string;
  readonly kind: string;
  readonly scope: string;
  readonly reference: Json;
}

/** A problem that an owner can put right, with what to do about it. It never quotes what the provider answered. */
export class SourceProblem extends Error {
  readonly toDo: string;
  /** Whether trying again later may help. */
  readonly mayPass: boolean;
  /** Whether the host says that it is gone, or nothing for this token: nobody waits for it then. */
  readonly isRefused: boolean;

  constructor(message: string, toDo: string, { mayPass = false, isRefused = false } = {}) {
    super(message);
    this.toDo = toDo;
    this.mayPass = mayPass;
    this.isRefused = isRefused;
  }
}
