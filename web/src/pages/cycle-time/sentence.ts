import { changeOf, counted, duration, shown } from '../../view/format.ts';
import type { SaidPart } from '../../view/said-text.ts';

/** A number now and in the window before. */
export interface NowAndBefore {
  readonly name: string;
  readonly now: number | null;
  readonly before: number | null;
  readonly n: number;
}

export interface CycleFindings {
  readonly median: number | null;
  readonly medianBefore: number | null | undefined;
  readonly n: number;
  /** Medians of the phases up to the merge. */
  readonly phases: readonly NowAndBefore[];
  readonly repositories: readonly NowAndBefore[];
  /** `the 90 days before`. */
  readonly before: string;
  readonly isOwn: boolean;
}

/** Fewer pull requests than this change by chance. */
const repositoryLeast = 5;

/** Is it better or worse, in which phase and where. */
export function cycleSentence(found: CycleFindings): SaidPart[] {
  const { median, medianBefore, n, before, isOwn } = found;
  const whose = isOwn ? 'Your cycle time' : 'Cycle time';
  if (median === null) return [isOwn ? 'None of your pull requests' : 'No pull request', ' was merged in this window.'];
  const change = changeOf(median, medianBefore, 'duration', 'lower');
  if (!change) {
    const longest = found.phases.toSorted((a, b) => (b.now ?? 0) - (a.now ?? 0))[0];
    return [
      `Half of ${counted(n, 'pull request', 'pull requests')} took less than `,
      { strong: duration(median) },
      ' from first commit to merge',
      ...(longest?.now ? [`; ${longest.name} takes the longest, ${duration(longest.now)} at the median`] : []),
      '.',
    ];
  }
  if (change.direction === 'same') {
    return [`${whose} stayed at `, { strong: duration(median) }, `, as in ${before}.`];
  }
  const sign = change.direction === 'up' ? 1 : -1;
  const phase = mostMoved(found.phases, sign);
  const place = mostMoved(
    found.repositories.filter((one) => one.n >= repositoryLeast),
    sign,
  );
  return [
    `${whose} `,
    { strong: `${sign > 0 ? 'rose' : 'fell'} by ${shown(Math.abs(change.size), 'percent')} to ${duration(median)}` },
    ` against ${before}`,
    ...(phase ? [', mostly in ', { strong: phase.name }] : []),
    ...(place ? [` (${place.name})`] : []),
    '.',
  ];
}

/** Which moved most in a direction, for all its rows together. */
function mostMoved(all: readonly NowAndBefore[], sign: number): NowAndBefore | undefined {
  const moved = ({ now, before, n }: NowAndBefore): number =>
    now === null || before === null ? 0 : sign * (now - before) * n;
  const best = all.toSorted((a, b) => moved(b) - moved(a))[0];
  return best && moved(best) > 0 ? best : undefined;
}
