import { duration } from '../charts/shown-value.ts';
import type { ResultRow } from './compared.ts';
import { counted } from './number-words.ts';

/** What `GET /app/attention` answers. */
export interface AttentionAnswer {
  readonly at: string;
  readonly hours: number;
  readonly waiting: readonly {
    readonly for: AttentionStep;
    readonly count: number;
    readonly older_than_90_days: number;
    readonly longest_since: string | null;
    readonly pull_requests: readonly ResultRow[];
  }[];
  readonly failures: { readonly count: number; readonly deployments: readonly ResultRow[] };
  readonly stale_sources: readonly { readonly source: string; readonly since: string }[];
}

type AttentionStep = 'review' | 'merge' | 'deploy';
export type AttentionKind = AttentionStep | 'failures' | 'goals' | 'sources';

/** One entry of the strip: how many there are, what they are, and the worst or the first of them. */
export interface AttentionEntry {
  readonly kind: AttentionKind;
  readonly count: number;
  readonly label: string;
  readonly more: string;
  /** The meaning of the number, for the list behind it. */
  readonly meaning: string;
  readonly records: readonly ResultRow[];
  /** Why the list has fewer records than there are. */
  readonly unlisted: string | undefined;
}

const waitingWords: Readonly<Record<AttentionStep, { readonly label: string; readonly meaning: string }>> = {
  review: {
    label: 'Waiting for a first review',
    meaning: 'Open and not reviewed by another person, since it was opened or became ready.',
  },
  merge: {
    label: 'Approved, not merged',
    meaning: 'Open, approved, and no reviewer asks for changes, since the last approval.',
  },
  deploy: {
    label: 'Merged, not deployed',
    meaning: 'Merged to the production branch and in no deployment yet, since the merge.',
  },
};

/**
 * The entries that have something, in the order of the work: review, merge, deployment, failures, goals, sources. `missed`
 * are goals with their titles. A digest leaves them out: it tells of every goal by itself.
 */
export function attentionEntries(
  answer: AttentionAnswer,
  missed: readonly (ResultRow & { readonly title: string })[] = [],
): readonly AttentionEntry[] {
  const { at, hours, waiting, failures, stale_sources: stale } = answer;
  const all: readonly AttentionEntry[] = [
    ...waiting.map((one): AttentionEntry => {
      const { label, meaning } = waitingWords[one.for];
      return {
        kind: one.for,
        count: one.count,
        label,
        more: one.longest_since === null ? '' : `longest ${waited(one.longest_since, at)}`,
        meaning: `${meaning} Longer than ${hours} hours, without drafts and bots.`,
        records: one.pull_requests,
        unlisted: unlisted(one.count - one.older_than_90_days - one.pull_requests.length, one.older_than_90_days),
      };
    }),
    {
      kind: 'failures',
      count: failures.count,
      label: 'Failures not restored',
      more: few(failures.deployments.map(({ repository_name }) => String(repository_name ?? 'unknown'))),
      meaning: 'Failed changes to production in the last 90 days without a known recovery.',
      records: failures.deployments,
      unlisted: unlisted(failures.count - failures.deployments.length, 0),
    },
    {
      kind: 'goals',
      count: missed.length,
      label: 'Goals missed',
      more: few(missed.map(({ title }) => title)),
      meaning: 'In the last whole period with enough values, and not on the way to being met.',
      records: missed,
      unlisted: undefined,
    },
    {
      kind: 'sources',
      count: stale.length,
      label: 'Sources without new data',
      more: few(stale.map(({ source }) => source)),
      meaning: 'Nothing has arrived for longer than twice the schedule, or three days for daily reports.',
      records: stale.map(({ source, since }) => ({ source, since })),
      unlisted: undefined,
    },
  ];
  return all.filter(({ count }) => count > 0);
}

/** How long something has waited: `3d 6h`. */
export const waited = (since: string, at: string): string =>
  duration(Math.max(0, (Date.parse(at) - Date.parse(since)) / 1_000));

/** Up to two names, and how many more there are. */
function few(names: readonly string[]): string {
  const different = [...new Set(names)];
  const more = different.length - 2;
  return more > 0 ? `${different.slice(0, 2).join(', ')} and ${more} more` : different.join(', ');
}

function unlisted(tooMany: number, tooOld: number): string | undefined {
  const parts = [
    ...(tooMany > 0 ? [`${counted(tooMany, 'more isn’t', 'more aren’t')} listed here.`] : []),
    ...(tooOld > 0 ? [`${counted(tooOld, 'more has', 'more have')} waited for over 90 days.`] : []),
  ];
  return parts.length > 0 ? parts.join(' ') : undefined;
}
