import { Refusal } from '../refusal.ts';
import type { KnownLimit } from '../sources/http/host-rate-limits.ts';
import { RetryBudget } from '../sources/http/refused-answers.ts';
import { openSource } from '../sources/open-source.ts';
import { type Check, SourceProblem } from '../sources/source.ts';
import type { SettingTexts } from '../sources/source-settings.ts';
import type { SourceRow, SourceSyncRow } from '../store/source-rows.ts';
import type { AddedSource, ConfiguredSources, SourceChange, UsableSource } from './configured-sources.ts';

/** Whether a source can be read, and what of it. */
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

/** Throws a `SourceProblem` where it cannot be read. */
async function tryOut({ kind, settings, ...prepared }: UsableSource): Promise<Check> {
  const signal = AbortSignal.timeout(checkMs);
  const retries = new RetryBudget(maxRetries);
  const opened = openSource(kind, settings, { ...prepared, isShort: true, signal, budget: () => retries });
  try {
    return await opened.source.check();
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
