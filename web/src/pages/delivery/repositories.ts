import { numberIn } from '../../ask/figure-question.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';

/** One repository with what is known of its deployments; two rows where it has two sources. */
export interface RepositoryLine {
  readonly repository: string | null;
  readonly source: string | null;
  readonly deployments: number | null;
  readonly leadTime: number | null;
  readonly leadTimeN: number | null;
  readonly failureRate: number | null;
  readonly failureN: number | null;
  readonly restore: number | null;
  readonly restoreN: number | null;
  readonly successRate: number | null;
  readonly successN: number | null;
}

/** Deployments with the lead times of the same repository. Repositories with pull requests alone come last. */
export function repositoryLines(deployments: readonly Row[], leadTimes: readonly Row[]): RepositoryLine[] {
  const times = new Map(leadTimes.map((row) => [textOf(row.repository), row]));
  const deployed = deployments.map((row) => {
    const repository = textOf(row.repository);
    const time = times.get(repository);
    times.delete(repository);
    return lineOf(row, time);
  });
  const others = [...times.values()].map((row) => lineOf({ repository: row.repository ?? null }, row));
  const withTime = others.filter(({ leadTime }) => leadTime !== null);
  return [...deployed.toSorted((a, b) => (b.deployments ?? 0) - (a.deployments ?? 0)), ...withTime];
}

/** Names without their owner, where all repositories have the same. */
export function shortNames(lines: readonly RepositoryLine[]): ReadonlyMap<string | null, string> {
  const names = lines.flatMap(({ repository }) => (repository === null ? [] : [repository]));
  const owners = new Set(names.map((name) => name.slice(0, name.lastIndexOf('/') + 1)));
  return new Map(names.map((name) => [name, owners.size > 1 ? name : name.slice(name.lastIndexOf('/') + 1)]));
}

const lineOf = (row: Row, time: Row | undefined): RepositoryLine => ({
  repository: textOf(row.repository),
  source: textOf(row.deployment_source),
  deployments: numberIn(row, 'deployment_frequency'),
  leadTime: time ? numberIn(time, 'lead_time_for_changes_p50') : null,
  leadTimeN: time ? numberIn(time, 'n_lead_time_for_changes_p50') : null,
  failureRate: numberIn(row, 'change_failure_rate'),
  failureN: numberIn(row, 'n_change_failure_rate'),
  restore: numberIn(row, 'time_to_restore_p50'),
  restoreN: numberIn(row, 'n_time_to_restore_p50'),
  successRate: numberIn(row, 'deployment_success_rate'),
  successN: numberIn(row, 'n_deployment_success_rate'),
});
