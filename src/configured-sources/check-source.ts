import { Refusal } from '../refusal.ts';
import type { KnownLimit } from '../sources/http/host-rate-limits.ts';
import { RetryBudget } from '../sources/http/refused-answers.ts';
import { openSource } from '../sources/open-source.ts';
import { type Check, type OpenSource, type PickableItem, type SourceKind, SourceProblem } from '../sources/source.ts';
import type { SettingTexts } from '../sources/source-settings.ts';
import type { SourceRow, SourceSyncRow } from '../store/source-rows.ts';
import { compareTexts, keyOf } from '../text-comparison.ts';
import type { AddedSource, ConfiguredSources, SourceChange, UsableSource } from './configured-sources.ts';

/** Whether a source can be read, and what of it. */
export interface CheckView {
  readonly id: string;
  readonly name: string;
  readonly ok: boolean;
  readonly account: string | null;
  readonly sees: readonly string[];
  /** What was tried and can be read, by name; empty where `sees` says it all. */
  readonly reads: readonly string[];
  readonly missing: readonly string[];
  readonly clock_difference_seconds: number | null;
  /** Why it cannot be read at all, and what to do about it. */
  readonly error: string | null;
  readonly to_do: string | null;
}

type CheckFindings = Omit<CheckView, 'id' | 'name'>;

/** Asks a source whether it can be read, with the settings that it has now. */
export async function checkSource(sources: Pick<ConfiguredSources, 'prepare'>, row: SourceRow): Promise<CheckView> {
  const found = { id: row.id, name: row.name };
  try {
    return { ...found, ...checkView(await tryOut(await sources.prepare(row))) };
  } catch (error) {
    if (error instanceof SourceProblem) return { ...found, ...unreadable(error.message, error.toDo) };
    throw error;
  }
}

/** A source that was added, and what it can see; without a check where it was not tried. */
export interface CheckedSource extends AddedSource {
  readonly check?: CheckView;
}

/** Adds a source that can be read. One that cannot is refused with the reason, and nothing of it is kept. */
export async function addReadableSource(
  sources: Pick<ConfiguredSources, 'add'>,
  change: SourceChange,
  given: { readonly kind: string; readonly name: string; readonly settings: SettingTexts },
): Promise<CheckedSource> {
  let seen: Check | undefined;
  const added = await sources.add(change, given.kind, given.name, given.settings, async (usable) => {
    try {
      seen = await tryOut(usable());
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error;
      const offline = change.origin === 'command' ? ' With --no-check it is saved without being tried.' : '';
      const [problem, toDo] = [error.message, error.toDo].map((text) => text.replace(/\.$/, ''));
      throw new Refusal('conflict', `It cannot be read: ${problem}. ${toDo}. Nothing was saved.${offline}`);
    }
  });
  return seen ? { ...added, check: { id: added.id, name: given.name.trim(), ...checkView(seen) } } : added;
}

/** What settings give access to: the check, and what can be picked there. */
interface SettingsCheck extends CheckFindings {
  /** Null where nothing is picked, or it cannot be read at all. */
  readonly choices: ChoiceList | null;
}

/** A bounded list of what a setting may name. */
interface ChoiceList {
  readonly setting: string;
  /** How many there are, or fit the search: the list has the first of them. */
  readonly total: number;
  readonly items: readonly PickableItem[];
}

/** No setting takes a longer list. */
const maxChoices = 5_000;

/** Tries settings that are not saved, and saves nothing of them. */
export async function checkSettings(
  sources: Pick<ConfiguredSources, 'unsaved'>,
  change: SourceChange,
  { kind, settings, search }: { readonly kind: string; readonly settings: SettingTexts; readonly search?: string },
): Promise<SettingsCheck> {
  try {
    const usable = await sources.unsaved(change, kind, settings);
    return await asked(usable, async (source) => ({
      ...checkView(await source.check()),
      choices: await choicesIn(usable.kind, source, search),
    }));
  } catch (error) {
    if (error instanceof SourceProblem) return { ...unreadable(error.message, error.toDo), choices: null };
    throw error;
  }
}

/** What can be picked at a source that is saved; null where nothing can. Throws a `SourceProblem`. */
export async function listChoices(
  sources: Pick<ConfiguredSources, 'prepare'>,
  row: SourceRow,
  search?: string,
): Promise<ChoiceList | null> {
  const usable = await sources.prepare(row);
  return asked(usable, (source) => choicesIn(usable.kind, source, search));
}

/** Those whose name has the text that is looked for, by name. */
async function choicesIn(
  kind: Pick<SourceKind, 'settings'>,
  source: OpenSource,
  search = '',
): Promise<ChoiceList | null> {
  const field = kind.settings.find(({ isPicked }) => isPicked);
  const all = field && (await source.choices?.());
  if (!field || !all) return null;
  const wanted = keyOf(search);
  const found = all.filter(({ value, label = '' }) => keyOf(`${value} ${label}`).includes(wanted));
  const sorted = found.toSorted((a, b) => compareTexts(keyOf(a.label ?? a.value), keyOf(b.label ?? b.value)));
  return { setting: field.name, total: found.length, items: sorted.slice(0, maxChoices) };
}

/** Throws a `SourceProblem` where it cannot be read. */
const tryOut = (usable: UsableSource): Promise<Check> => asked(usable, (source) => source.check());

/** Asks a source while somebody waits. */
async function asked<T>(
  { kind, settings, ...prepared }: UsableSource,
  ask: (source: OpenSource) => Promise<T>,
): Promise<T> {
  const signal = AbortSignal.timeout(checkMs);
  const retries = new RetryBudget(maxRetries);
  const opened = openSource(kind, settings, { ...prepared, isShort: true, signal, budget: () => retries });
  try {
    return await ask(opened.source);
  } catch (error) {
    throw signal.aborted ? tookTooLong(opened.limits()) : error;
  } finally {
    opened.close();
  }
}

const checkMs = 60_000;
/** Somebody waits: that an address cannot be reached is said within seconds. */
const maxRetries = 1;

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

const checkView = ({ account, sees, reads = [], missing, clockDifferenceSeconds }: Check): CheckFindings => ({
  ok: true,
  account: account ?? null,
  sees,
  reads,
  missing,
  clock_difference_seconds: clockDifferenceSeconds ?? null,
  error: null,
  to_do: null,
});

const unreadable = (error: string, toDo: string): CheckFindings => ({
  ok: false,
  account: null,
  sees: [],
  reads: [],
  missing: [],
  clock_difference_seconds: null,
  error,
  to_do: toDo,
});

/** How the last sync of a source went. */
export interface LastSyncView {
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly to_do: string | null;
}

export function lastSyncView(sync: SourceSyncRow | undefined): LastSyncView | null {
  if (!sync?.started_at) return null;
  return {
    started_at: sync.started_at.toISOString(),
    finished_at: sync.finished_at?.toISOString() ?? null,
    outcome: sync.outcome,
    error: sync.error,
    to_do: sync.to_do,
  };
}
