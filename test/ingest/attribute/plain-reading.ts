import type { Row } from '../../../src/catalogue/table.ts';
import type { PullRequestRow } from '../../../src/catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../../src/catalogue/tables/release-details.ts';
import type { MemoryTables } from './memory-warehouse.ts';
import { type Deploy, PlainDeployments } from './plain-deployments.ts';
import { PlainFailures, span } from './plain-failures.ts';
import { PlainReverts } from './plain-reverts.ts';

/**
 * The definitions of deployments read plainly, one sentence after the other, with everything in memory and no thought
 * for speed: what the stage must come to, however it goes about it.
 */
export function readPlainly(tables: MemoryTables, incidentWindowDays: number): PlainReading {
  return new PlainReading(tables, incidentWindowDays);
}

interface Expected {
  readonly pullRequests: Record<string, Row>;
  readonly deployments: Record<string, Row>;
  readonly releases: Record<string, Row>;
}

class PlainReading {
  readonly #deployments: PlainDeployments;
  readonly #reverts: PlainReverts;
  readonly #failures: PlainFailures;

  constructor(tables: MemoryTables, incidentWindowDays: number) {
    this.#deployments = new PlainDeployments(tables);
    this.#reverts = new PlainReverts(this.#deployments);
    this.#failures = new PlainFailures(tables, this.#deployments, this.#reverts, incidentWindowDays);
  }

  expected(): Expected {
    const expected: Expected = { pullRequests: {}, deployments: {}, releases: {} };
    for (const pr of this.#deployments.pullRequests)
      expected.pullRequests[pr.pr_id ?? ''] = pr.repository_key === null ? ownClocks(pr) : this.#readPullRequest(pr);
    for (const repository of this.#deployments.repositories()) {
      for (const deploy of this.#deployments.deploys(repository))
        expected.deployments[deploy.id] = this.#readDeployment(deploy);
    }
    for (const release of this.#deployments.releases)
      expected.releases[release.release_id ?? ''] = this.#readRelease(release);
    return expected;
  }

  #readPullRequest(pr: PullRequestRow): Row {
    const repository = pr.repository_key ?? '';
    const { settings, merged, branches } = this.#deployments.of(repository);
    const isLong = (name: string | null) => name !== null && branches.isLongLived(name);
    const promotes = (one: PullRequestRow) => one.base_branch === branches.production && isLong(one.head_branch);
    const passesOn =
      promotes(pr) || (isLong(pr.base_branch) && isLong(pr.head_branch) && pr.base_branch !== pr.head_branch);
    const deployment = this.#deployments.deploymentOf(pr);
    const arrivedAt = this.#deployments.arrival(pr)?.pr_merged_at ?? null;
    const first = this.#deployments.successes(repository)[0];
    const end = pr.is_bot === true || passesOn ? null : (deployment?.at ?? null);
    const isSilent = !first || (arrivedAt ?? 0) <= first.until;
    const waiting = isSilent ? 'before_first_signal' : 'awaiting_deploy';
    const fate = deployment ? 'deployed' : arrivedAt === null ? 'non_production_branch' : waiting;
    const unmerged = pr.pr_state === 'closed' ? 'ignored' : null;
    return {
      is_revert: this.#reverts.isRevert(pr),
      is_promotion_pr: promotes(pr),
      is_promotion_step: passesOn,
      is_production_merge: pr.pr_merged_at !== null && pr.base_branch === branches.production,
      branching_model: merged.some(promotes) ? 'promotion' : 'trunk',
      production_merged_at: arrivedAt,
      release_id: this.#broughtBy(pr, false),
      prerelease_id: this.#broughtBy(pr, true),
      deployment_source: this.#deployments.source(repository)[0],
      deployment_id: deployment?.id ?? null,
      deployed_at: deployment?.at ?? null,
      deployment_attribution_status:
        pr.pr_merged_at === null ? unmerged : !settings.isActive || pr.is_bot === true ? 'ignored' : fate,
      ...(passesOn ? { coding_time: null, cycle_time: null } : ownClocks(pr)),
      lead_time: span(pr.first_commit_at ?? pr.pr_created_at, end),
      merge_to_deploy: span(pr.pr_merged_at, end),
      open_to_deploy: span(pr.opened_at ?? pr.pr_created_at, end),
    };
  }

  #readDeployment(deploy: Deploy): Row {
    const carried = this.#deployments.pullRequests.filter((pr) => this.#deployments.deploymentOf(pr)?.id === deploy.id);
    const isChange = (pr: PullRequestRow) => {
      const { branches } = this.#deployments.of(pr.repository_key ?? '');
      const isLong = (name: string | null) => name !== null && branches.isLongLived(name);
      const isOnward = pr.base_branch === branches.production || isLong(pr.base_branch);
      return !(isLong(pr.head_branch) && isOnward && pr.head_branch !== pr.base_branch);
    };
    const changes = carried.filter(isChange);
    const success = this.#deployments.successes(deploy.repository).find(({ id }) => id === deploy.id);
    return {
      is_production: true,
      status: deploy.status === '' ? null : deploy.status,
      is_rollback: success?.isRollback ?? false,
      prs_included: carried.length,
      is_remediation: changes.length > 0 && changes.every((pr) => this.#reverts.isRevert(pr) || pr.is_hotfix === true),
      ...(this.#failures.of(deploy) ?? {
        failure_reason: null,
        failure_detected_at: null,
        remediation_merged_at: null,
        restored_at: null,
        time_to_restore: null,
      }),
    };
  }

  #readRelease(release: ReleaseRow): Row {
    const isPublished = release.release_date !== null && release.repository_key !== null;
    return { prs_included: isPublished ? this.#broughtIn(release).length : null };
  }

  #broughtBy(pr: PullRequestRow, isPrerelease: boolean): string | null {
    const releases = this.#deployments.releases.filter((one) => (one.is_prerelease === true) === isPrerelease);
    return releases.find((one) => this.#broughtIn(one).includes(pr))?.release_id ?? null;
  }

  #broughtIn(release: ReleaseRow): PullRequestRow[] {
    const at = release.release_date;
    if (at === null || release.repository_key === null) return [];
    const others = this.#deployments.releases.filter(
      (one) => one.repository_key === release.repository_key && one.release_date !== null,
    );
    const isEarlier = (one: ReleaseRow) =>
      (one.release_date ?? 0) < at || (one.release_date === at && (one.release_id ?? '') < (release.release_id ?? ''));
    const earlier = others.filter(isEarlier);
    const relevant = release.is_prerelease === true ? earlier : earlier.filter((one) => one.is_prerelease !== true);
    const latest = Math.max(...relevant.map((one) => one.release_date ?? 0));
    const firstEver = Math.min(at, ...earlier.map((one) => one.release_date ?? 0));
    const after = relevant.length > 0 ? latest : firstEver;
    return this.#deployments.pullRequests.filter((pr) => {
      const arrival =
        pr.repository_key === release.repository_key ? this.#deployments.arrival(pr)?.pr_merged_at : undefined;
      return typeof arrival === 'number' && arrival > after && arrival <= at;
    });
  }
}

/** The clocks that need nothing but the pull request itself. */
const ownClocks = (pr: PullRequestRow): Row => {
  const isPersons = pr.is_bot !== true;
  return {
    coding_time: isPersons ? span(pr.first_commit_at, pr.opened_at) : null,
    cycle_time: isPersons ? span(pr.first_commit_at ?? pr.pr_created_at, pr.pr_merged_at) : null,
  };
};
