import type { KnownLimit } from '../sources/http/rate-limits.ts';
import { openSource } from '../sources/open-source.ts';
import { type Check, SourceProblem } from '../sources/source.ts';
import type { SourceRow } from '../store/sources.ts';
import type { ConfiguredSources } from './configured-sources.ts';

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
