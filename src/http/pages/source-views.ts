import { type LastSyncView, lastSyncView } from '../../configured-sources/check-source.ts';
import type { ListedSource } from '../../configured-sources/configured-sources.ts';
import { lockedSetting } from '../../configured-sources/stored-settings.ts';
import type { SourceHealth } from '../../data-quality/source-health.ts';
import { runningView, type SyncProgress, type SyncProgressView } from '../../jobs/sync-progress.ts';
import { isReference } from '../../sources/setting-references.ts';
import { settingFields } from '../../sources/settings.ts';
import type { SourceKind } from '../../sources/source.ts';

/** A kind of source for a form: what it needs to know, as data. */
export const kindView = (kind: SourceKind) => ({
  kind: kind.kind,
  label: kind.label,
  meaning: kind.meaning,
  /** It reads files of the machine that the server runs on: only the command line adds it. */
  needs_command_line: kind.isLocal === true,
  has_webhooks: kind.webhook !== undefined,
  settings: settingFields(kind).map(({ name, label, meaning, type, isSecret, isRequired, most, usual }) => ({
    name,
    label,
    meaning,
    type,
    is_secret: isSecret === true,
    is_required: isRequired === true && usual === undefined,
    usual: usual ?? null,
    most: most ?? null,
  })),
});

/** Of a secret, and of what the operator keeps elsewhere, only that it is set. */
type ShownSetting = string | { readonly set: true; readonly by_operator?: true; readonly problem?: string };

export interface SourceOnPage {
  readonly id: string;
  readonly kind: string;
  readonly label: string;
  readonly name: string;
  readonly settings: Readonly<Record<string, ShownSetting>>;
  readonly webhook_url: string | null;
  readonly created_at: string;
  readonly state: 'waiting' | 'syncing' | 'complete' | 'partial' | 'failed';
  readonly last_sync: LastSyncView | null;
  readonly progress: SyncProgressView | null;
  readonly problems: readonly SourceProblemOnPage[];
  readonly no_longer_listed: SourceHealth['no_longer_listed'];
  readonly streams: SourceHealth['streams'];
}

interface SourceProblemOnPage {
  /** `acme/web`; empty where it is of the whole source. */
  readonly scope: string;
  readonly stream: string | null;
  readonly at: string | null;
  readonly message: string;
  readonly to_do: string | null;
}

interface SourceViewParts {
  readonly kind: SourceKind | undefined;
  readonly health: SourceHealth | undefined;
  readonly progress: SyncProgress | undefined;
  readonly publicUrl: string;
  readonly now: Date;
}

export function sourceView({ row, settings, sync }: ListedSource, parts: SourceViewParts): SourceOnPage {
  const { kind, health, publicUrl, now } = parts;
  const isSyncing = sync?.holder != null && (sync.lease_until?.getTime() ?? 0) > now.getTime();
  const progress = isSyncing ? runningView(row.name, parts.progress) : null;
  return {
    id: row.id,
    kind: row.kind,
    label: kind?.label ?? row.kind,
    name: row.name,
    settings: shownSettings(settings, kind),
    webhook_url: kind?.webhook ? `${publicUrl}/webhooks/${row.kind}/${row.id}` : null,
    created_at: row.created_at.toISOString(),
    state: isSyncing ? 'syncing' : ((sync?.outcome as SourceOnPage['state'] | null | undefined) ?? 'waiting'),
    last_sync: lastSyncView(sync),
    progress,
    problems: health ? problemsOf(health) : [],
    no_longer_listed: health?.no_longer_listed ?? [],
    streams: health?.streams ?? [],
  };
}

function shownSettings(texts: ListedSource['settings'], kind: SourceKind | undefined): Record<string, ShownSetting> {
  const fields = kind ? settingFields(kind) : [];
  const shown = Object.entries(texts).map(([name, text]): [string, ShownSetting] => {
    // Where the operator keeps something is no business of an Owner.
    if (isReference(text)) return [name, { set: true, by_operator: true }];
    // Of a kind that this version does not know, nobody can say what is secret.
    const isSecret = fields.find((field) => field.name === name)?.isSecret ?? kind === undefined;
    if (!isSecret) return [name, text];
    return [
      name,
      text === lockedSetting ? { set: true, problem: `It is ${lockedSetting}. Set it again.` } : { set: true },
    ];
  });
  return Object.fromEntries(shown);
}

function problemsOf({ last_error, streams }: SourceHealth): SourceProblemOnPage[] {
  const whole = last_error ? [{ scope: '', stream: null, ...last_error }] : [];
  const each = streams.flatMap(({ scope, stream, last_error: error }) => (error ? [{ scope, stream, ...error }] : []));
  return [...whole, ...each];
}
