import type { SyncNews } from './status-answer.ts';

/** A setting of a kind of connection, as data: the pages make the form from it. */
export interface SettingLine {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly type: 'text' | 'list' | 'date' | 'boolean' | 'integer' | 'address' | 'private-key';
  readonly is_secret: boolean;
  readonly is_required: boolean;
  readonly usual: string | null;
  readonly most: number | null;
  /** Where a form asks for it. */
  readonly step: 'access' | 'choice' | 'history' | 'advanced';
  /** The setting whose place it takes, with all others that say so. */
  readonly instead_of: string | null;
  readonly one_of: readonly string[] | null;
}

/** A repository, a project or a service that can be read and be left out. */
export interface PickableItem {
  readonly value: string;
  readonly label?: string;
  readonly leftOut?: 'archived' | 'fork';
  readonly changedAt?: string;
}

/** What can be picked: the first of `total`. */
export interface Choices {
  readonly setting: string;
  readonly total: number;
  readonly items: readonly PickableItem[];
}

export interface ConnectionKind {
  readonly kind: string;
  readonly label: string;
  readonly meaning: string;
  /** The kind reads files of the server's machine, so that only the command line adds it. */
  readonly needs_command_line: boolean;
  readonly has_webhooks: boolean;
  readonly settings: readonly SettingLine[];
}

/** Of a secret the server says only that it is set. */
export type KnownSetting = string | { readonly set: true; readonly by_operator?: true; readonly problem?: string };

/** What streams of a connection could not see, however often it is read. */
export interface NotSeen {
  readonly what: string;
  /** History begins at this moment. */
  readonly since: string | null;
  readonly to_do: string | null;
  readonly stream: string;
  readonly scopes: readonly string[];
}

export interface Connection {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, KnownSetting>>;
  readonly webhook_url: string | null;
  readonly created_at: string;
  readonly state: 'waiting' | 'syncing' | 'complete' | 'partial' | 'failed';
  readonly last_sync: {
    readonly started_at: string;
    readonly finished_at: string | null;
    readonly outcome: string | null;
    readonly error: string | null;
    readonly to_do: string | null;
  } | null;
  readonly progress: SyncNews | null;
  readonly problems: readonly {
    readonly scope: string;
    readonly stream: string | null;
    readonly at: string | null;
    readonly message: string;
    readonly to_do: string | null;
  }[];
  /** Repositories and the like that earlier syncs read and the last one did not find. */
  readonly no_longer_listed: readonly string[];
  readonly not_seen: readonly NotSeen[];
  readonly streams: readonly {
    readonly stream: string;
    readonly scope: string;
    readonly read: number;
    readonly estimated: number | null;
    readonly last_success_at: string | null;
    readonly newest_record_at: string | null;
  }[];
}

/** The result of checking whether a connection can be read. */
export interface ConnectionCheck {
  readonly ok: boolean;
  readonly account: string | null;
  readonly sees: readonly string[];
  /** The rights that were tried and are there. */
  readonly reads?: readonly string[];
  readonly missing: readonly string[];
  readonly clock_difference_seconds: number | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

/** A check of settings that are not saved. */
export interface SettingsCheck extends ConnectionCheck {
  readonly choices: Choices | null;
}

export const sourcesPath = '/app/sources';
