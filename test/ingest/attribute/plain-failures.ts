import type { Row } from '../../../src/catalogue/table.ts';
import { type IncidentRow, incidents } from '../../../src/catalogue/tables/incidents.ts';
import type { MemoryTables } from './memory-warehouse.ts';
import { before, type Deploy, type PlainDeployments } from './plain-deployments.ts';
import type { PlainReverts } from './plain-reverts.ts';

/** Seconds from one time to another; null while either is unknown. */
export const span = (from: number | null, to: number | null) =>
  from === null || to === null ? null : Math.max(0, to - from);

/** Which deployments failed, why, and how long it took to restore, by the definitions read plainly. */
export class PlainFailures {
  readonly #deployments: PlainDeployments;
  readonly #reverts: PlainReverts;
  readonly #incidents: readonly IncidentRow[];
  readonly #windowSeconds: number;

  constructor(tables: MemoryTables, deployments: PlainDeployments, reverts: PlainReverts, incidentWindowDays: number) {
    this.#deployments = deployments;
    this.#reverts = reverts;
    this.#incidents = tables.rowsOf(incidents) as unknown as IncidentRow[];
    this.#windowSeconds = incidentWindowDays * 86_400;
  }

  /** Null for a deployment that did not fail. */
  of(deploy: Deploy): Row | null {
    const all = this.#deployments
      .deploys(deploy.repository)
      .filter(({ status }) => ['success', 'failure'].includes(status));
    const successes = this.#deployments.successes(deploy.repository);
    const there = successes.filter(({ environment }) => environment === deploy.environment);
    const failed = (
      reason: string,
      detected: number | null,
      mergedAt: number | null,
      from: number,
      to: number | null,
    ) => ({
      failure_reason: reason,
      failure_detected_at: detected,
      remediation_merged_at: mergedAt,
      restored_at: to,
      time_to_restore: span(from, to),
    });
    const next = there.find((one) => before(deploy, one));
    if (deploy.status === 'failure') return failed('failed_deployment', deploy.at, null, deploy.at, next?.at ?? null);
    if (!all.some(({ id }) => id === deploy.id) || deploy.status !== 'success') return null;
    if (next?.isRollback) return failed('failed_deployment', next.at, null, deploy.at, next.at);
    const linked = this.#incidents.filter((row) => {
      if (row.opened_at === null) return false;
      if (row.deployment_id !== null) return row.deployment_id === deploy.id;
      if (deploy.repository === '' || this.#deployments.called(row.repository_key) !== deploy.repository) return false;
      const latest = successes.filter(({ at }) => at <= (row.opened_at ?? 0)).at(-1);
      return latest?.id === deploy.id && deploy.at >= (row.opened_at ?? 0) - this.#windowSeconds;
    });
    if (linked.length > 0) {
      const firstOpened = Math.min(...linked.map((row) => row.opened_at ?? 0));
      const isOver = linked.every((row) => row.resolved_at !== null);
      const lastResolved = isOver ? Math.max(...linked.map((row) => row.resolved_at ?? 0)) : null;
      return failed('incident', firstOpened, null, firstOpened, lastResolved);
    }
    const inOrder = this.#deployments.pullRequests
      .filter(
        (pr) =>
          pr.pr_merged_at !== null &&
          pr.repository_key !== null &&
          this.#deployments.of(pr.repository_key).settings.isActive,
      )
      .sort((a, b) => (a.pr_merged_at ?? 0) - (b.pr_merged_at ?? 0) || ((a.pr_id ?? '') < (b.pr_id ?? '') ? -1 : 1));
    const revert = inOrder.find((pr) => {
      const target = this.#reverts.isRevert(pr) ? this.#reverts.targetOf(pr) : undefined;
      if (!target || this.#deployments.deploymentOf(target)?.id !== deploy.id) return false;
      const deployment = this.#deployments.deploymentOf(pr);
      return !deployment || (deployment.id !== deploy.id && !before(deployment, deploy));
    });
    if (revert)
      return failed(
        'revert_pr',
        revert.pr_created_at,
        revert.pr_merged_at,
        deploy.at,
        this.#deployments.deploymentOf(revert)?.at ?? null,
      );
    const hotfix = inOrder.find((pr) => {
      if (pr.is_hotfix !== true || pr.repository_key !== deploy.repository) return false;
      const deployment = this.#deployments.deploymentOf(pr);
      const live = successes.filter(({ at, id }) => at < (pr.pr_merged_at ?? 0) && id !== deployment?.id);
      return live.at(-1)?.id === deploy.id;
    });
    if (hotfix)
      return failed(
        'hotfix_pr',
        hotfix.pr_created_at,
        hotfix.pr_merged_at,
        deploy.at,
        this.#deployments.deploymentOf(hotfix)?.at ?? null,
      );
    return null;
  }
}
