import { counted, grouped } from '../../view/format.ts';

/** The numbers behind the tiles, each counted in its own way. */
interface DeliveryCounts {
  /** Successful runs: the tile of deployments. */
  readonly succeeded: number | null;
  /** Runs that succeeded or failed: n of the rework rate. */
  readonly runs: number | null;
  /** Runs that are no remediation: n of the change failures. */
  readonly changes: number | null;
  readonly failureRate: number | null;
  /** Whether only runs that carried the reader's work are counted. */
  readonly isOwn?: boolean;
}

/**
 * Explains why numbers of the page differ: they count the same runs for different questions. Undefined without runs.
 */
export function countsInWords({
  succeeded,
  runs,
  changes,
  failureRate,
  isOwn = false,
}: DeliveryCounts): string | undefined {
  if (succeeded === null || runs === null || changes === null || failureRate === null) return undefined;
  const remediations = runs - changes;
  return [
    `${counted(runs, 'run', 'runs')} to production${isOwn ? ' with work of yours' : ''} ended: ${grouped(succeeded)} succeeded, ${grouped(runs - succeeded)} failed.`,
    remediations > 0
      ? `${grouped(remediations)} carried only reverts and hotfixes. Of the other ${counted(changes, 'change', 'changes')}`
      : `Of ${changes === 1 ? 'this change' : `these ${grouped(changes)} changes`}`,
    `${grouped(Math.round(failureRate * changes))} failed: the run itself, or by an incident, a revert or a hotfix later.`,
  ].join(' ');
}
