import { type CheckView, type LastSyncView, lastSyncView } from '../../configured-sources/check-source.ts';
import type { ListedSource } from '../../configured-sources/configured-sources.ts';
import { inLabels } from '../../configured-sources/setting-labels.ts';
import { lockedSetting } from '../../configured-sources/stored-settings.ts';
import type { SourceHealth } from '../../data-quality/source-health.ts';
import { runningView, type SyncProgress, type SyncProgressView } from '../../jobs/sync-progress.ts';
import { isReference } from '../../sources/setting-references.ts';
import type { SourceKind } from '../../sources/source.ts';
import { replacementsOf, settingFields, settingStep } from '../../sources/source-settings.ts';

/** A kind of source for a form: what it needs to know, as data. */
export const kindView = (kind: SourceKind) => ({
  kind: kind.kind,
  label: kind.label,
  meaning: kind.meaning,
  /** The kind reads files of the machine that the server runs on: only the command line adds it. */
  needs_command_line: kind.isLocal === true,
  has_webhooks: kind.webhook !== undefined,
  settings: settingFields(kind).map((field, _, fields) => ({
    name: field.name,
    label: field.label,
    meaning: field.meaning,
    type: field.type,
    is_secret: field.isSecret === true,
    // Of two ways neither is required by itself: the answer to settings that lack both says what is missing.
    is_required:
      field.isRequired === true &&
      field.usual === undefined &&
      field.insteadOf === undefined &&
      replacementsOf(field, fields).length === 0,
    usual: field.usual ?? null,
    most: field.most ?? null,
    step: settingStep(field),
    instead_of: field.insteadOf ?? null,
    one_of: field.oneOf ?? null,
  })),
});

/** For a secret, and a value that the operator keeps elsewhere, only that it is set. */
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
  readonly not_seen: SourceHealth['not_seen'];
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
  const fields = kind ? settingFields(kind) : [];
  const shown = <P extends { error?: string | null; message?: string; to_do: string | null }>(problem: P): P => ({
    ...problem,
    ...(problem.error != null && { error: inLabels(problem.error, fields) }),
    ...(problem.message !== undefined && { message: inLabels(problem.message, fields) }),
    to_do: problem.to_do && inLabels(problem.to_do, fields),
  });
  const lastSync = lastSyncView(sync);
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
    last_sync: lastSync && shown(lastSync),
    progress,
    problems: health ? problemsOf(health).map(shown) : [],
    no_longer_listed: health?.no_longer_listed ?? [],
    not_seen: health?.not_seen ?? [],
    streams: health?.streams ?? [],
  };
}

function shownSettings(texts: ListedSource['settings'], kind: SourceKind | undefined): Record<string, ShownSetting> {
  const fields = kind ? settingFields(kind) : [];
  const shown = Object.entries(texts).map(([name, text]): [string, ShownSetting] => {
    // An Owner does not need to know where the operator keeps a value.
    if (isReference(text)) return [name, { set: true, by_operator: true }];
    // For a kind that this version does not know, nobody can say which settings are secret.
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

/** A check in the words of the page's form. */
export function checkOnPage<C extends Pick<CheckView, 'missing' | 'error' | 'to_do'>>(check: C, kind: SourceKind): C {
  const fields = settingFields(kind);
  const shown = (text: string) => inLabels(text, fields);
  return {
    ...check,
    missing: check.missing.map(shown),
    error: check.error && shown(check.error),
    to_do: check.to_do && shown(check.to_do),
  };
}
