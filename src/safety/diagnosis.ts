import { durationText } from '../duration-text.ts';

/** The diagnosis of one thing for an operator: its state and, unless it is well, what to do. */
export interface Diagnosis {
  readonly name: string;
  readonly status: 'ok' | 'warning' | 'problem';
  /** How it is, or what to do about it. */
  readonly detail: string;
  /** For a finding that counts something: the amount in a few words. */
  readonly summary?: string;
  readonly findings?: readonly OrganisationFindings[];
}

/** The findings of a check: how many, and examples in a few words each, the most important first. */
export interface CountedExamples {
  readonly count: number;
  readonly examples: readonly string[];
  /** Examples beyond these. */
  readonly more: number;
}

/** The findings of a check in one organisation or, where none is named, in all of them. */
export interface OrganisationFindings extends CountedExamples {
  readonly organisation?: string;
}

export type Judgement = Pick<Diagnosis, 'status' | 'detail'>;

export const ok = (detail: string): Judgement => ({ status: 'ok', detail });
export const warning = (detail: string): Judgement => ({ status: 'warning', detail });
export const problem = (detail: string): Judgement => ({ status: 'problem', detail });

const minNode = 20;
const minThreads = 8;
const gibibyte = 2 ** 30;
const maxOrganisations = 500;
/** Measured with 120 empty ones, each of them asked once. */
const organisationMegabytes = 3;
const diskProblemBytes = gibibyte / 4;
const diskWarningBytes = 2 * gibibyte;
const minStoreVersion = 13;
/** No machine that runs this version has a right clock that shows less. */
const releasedAfter = Date.UTC(2025, 0, 1);
const maxSkewMs = 60_000;

export function judgeNode(version: string): Judgement {
  const major = Number(/^v?(\d+)/.exec(version)?.[1]);
  return major >= minNode
    ? ok(`Node.js ${version}`)
    : problem(`Node.js ${version} is too old. Install version ${minNode} or newer.`);
}

export function judgeThreadPool(size: string | undefined): Judgement {
  const threads = Number(size ?? 4);
  return threads >= minThreads
    ? ok(`${threads} threads`)
    : warning(
        `${size === undefined ? 'UV_THREADPOOL_SIZE is not set' : `UV_THREADPOOL_SIZE is ${size}`}: heavy queries can make light ones wait. Start with UV_THREADPOOL_SIZE=16.`,
      );
}

export function judgeDisk(freeBytes: number): Judgement {
  const free = `${(freeBytes / gibibyte).toFixed(1)} GiB free`;
  if (freeBytes < diskProblemBytes) return problem(`${free}: writes will fail soon. Make room on the disk.`);
  return freeBytes < diskWarningBytes ? warning(`${free}. Make room before it runs out.`) : ok(free);
}

/** Only the owner may use the data folder. */
export function judgePermissions(path: string, mode: number, isClosedWhenOpened: boolean): Judgement {
  const shown = (mode & 0o777).toString(8).padStart(3, '0');
  if ((mode & 0o077) === 0) return ok(shown);
  return (mode & 0o007) === 0
    ? warning(
        `${path} can be read by its group (mode ${shown}). If no one there needs it, run \`chmod g-rwx '${path}'\`.`,
      )
    : problem(
        `${path} can be read by everyone (mode ${shown}). ${isClosedWhenOpened ? 'The next command or server that opens it closes it to others. To close it at once' : 'Plumb does not start on it. To close it to others'}, run \`chmod o-rwx '${path}'\`.`,
      );
}

export function judgeStoreVersion(version: string): Judgement {
  const major = Number(/^\d+/.exec(version)?.[0]);
  return major >= minStoreVersion
    ? ok(`PostgreSQL ${version}`)
    : warning(`PostgreSQL ${version} is older than any version that is tested. Use ${minStoreVersion} or newer.`);
}

export function judgeOrganisations(count: number): Judgement {
  if (count === 0) return warning('There is none yet. Make one with `plumb org create`, or see `plumb demo`.');
  return count <= maxOrganisations
    ? ok(String(count))
    : warning(
        `${count}: once asked about, each takes about ${organisationMegabytes} MB of memory, ${count * organisationMegabytes} MB together. See that the machine has it, or spread them over several.`,
      );
}

/** A clock that is behind what the store has seen would let expired keys work again. */
export function judgeClock(now: Date, newestEntry: Date | undefined): Judgement {
  if (now.getTime() < releasedAfter) return problem(`The clock shows ${now.toISOString()}. Set it.`);
  if (newestEntry && newestEntry.getTime() > now.getTime() + maxSkewMs) {
    return problem(
      `The clock shows ${now.toISOString()}, but the audit log has an entry of ${newestEntry.toISOString()}. Set the clock.`,
    );
  }
  return ok(now.toISOString());
}

/** Differences up to the first are those of networks and busy machines. */
const [apartWarningMs, apartProblemMs] = [5_000, 60_000];

/** Keys, sessions and what is due go by the clock of each server: two that differ do not agree on what has ended. */
export function judgeClockBeside(whose: string, aheadMs: number): Judgement {
  const apartMs = Math.abs(aheadMs);
  if (apartMs <= apartWarningMs) return ok('as here');
  const [where, harm] =
    aheadMs > 0
      ? ['ahead of', 'keys and sessions end too early on this server, and sources are read before they are due']
      : ['behind', 'keys and sessions that have ended still work on this server, and sources are read late'];
  const judge = apartMs > apartProblemMs ? problem : warning;
  return judge(
    `The clock here is ${durationText(apartMs / 1_000)} ${where} that of ${whose}: ${harm}. Set the one that is wrong, and keep both by a time service (NTP).`,
  );
}

/** A Node.js built without its time zones knows only UTC, and would put every day's edge in the wrong place. */
export function judgeTimeZones(hourInVienna: string | undefined): Judgement {
  return hourInVienna === '13'
    ? ok('known')
    : problem('This Node.js does not know the time zones of the world. Install one with full international data.');
}

export function judgeSchema(version: number, known: number): Judgement {
  return version === known ? ok(`version ${version}`) : problem(`version ${version}, but this Plumb needs ${known}.`);
}
