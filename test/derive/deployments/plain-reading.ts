import { repositoriesCopy } from '../../../src/catalogue/directory-copies/directory-copies.ts';
import { deploymentSources } from '../../../src/catalogue/directory-records.ts';
import type { Row } from '../../../src/catalogue/table.ts';
import { type DeploymentRow, deployments } from '../../../src/catalogue/tables/deployments.ts';
import { type IncidentRow, incidents } from '../../../src/catalogue/tables/incidents.ts';
import { pullRequestCommits } from '../../../src/catalogue/tables/pull-request-commits.ts';
import { type PullRequestRow, pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { type ReleaseRow, releaseDetails } from '../../../src/catalogue/tables/release-details.ts';
import { type WorkflowRunRow, workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { branchesOf } from '../../../src/ingest/attribute/rules/branches.ts';
import { isProductionDeploy, isProductionEnvironment } from '../../../src/ingest/attribute/rules/production.ts';
import { readSettings } from '../../../src/ingest/attribute/rules/repository-settings.ts';
import { parseRevertMarks } from '../../../src/ingest/derive/reverts.ts';
import type { MemoryTables } from './memory-warehouse.ts';

/**
 * The definitions of deployments read plainly, one sentence after the other, with everything in memory and no thought
 * for speed: what the stage must come to, however it goes about it.
 */
export function readPlainly(tables: MemoryTables, incidentWindowDays: number): PlainReading {
  return new PlainReading(tables, incidentWindowDays);
}

interface Deploy {
  readonly id: string;
  readonly repository: string;
  readonly at: number;
  readonly status: string;
  readonly environment: string;
  readonly sha: string | null;
  readonly version: string | null;
  readonly names: readonly string[] | null;
  until: number;
  isRollback: boolean;
}

interface Expected {
  readonly pullRequests: Record<string, Row>;
  readonly deployments: Record<string, Row>;
  readonly releases: Record<string, Row>;
}

const before = (a: Deploy, b: Deploy) => a.at < b.at || (a.at === b.at && a.id < b.id);
const sorted = (some: readonly Deploy[]) => [...some].sort((a, b) => (before(a, b) ? -1 : 1));
const span = (from: number | null, to: number | null) => (from === null || to === null ? null : Math.max(0, to - from));
const lower = (sha: string | null) => sha?.toLowerCase() ?? null;
const names = (environment: string | null) => environment?.trim().toLowerCase() || 'production';

class PlainReading {
  readonly #prs: readonly PullRequestRow[];
  readonly #commits: readonly Row[];
  readonly #reported: readonly DeploymentRow[];
  readonly #releases: readonly ReleaseRow[];
  readonly #runs: readonly WorkflowRunRow[];
  readonly #incidents: readonly IncidentRow[];
  readonly #settings: ReadonlyMap<string, ReturnType<typeof readSettings>>;
  readonly #windowSeconds: number;

  constructor(tables: MemoryTables, incidentWindowDays: number) {
    this.#prs = tables.rowsOf(pullRequests) as unknown as PullRequestRow[];
    this.#commits = tables.rowsOf(pullRequestCommits);
    const rows = tables.rowsOf(deployments) as unknown as DeploymentRow[];
    this.#reported = rows.filter(({ origin }) => origin === 'stated');
    this.#releases = tables.rowsOf(releaseDetails) as unknown as ReleaseRow[];
    this.#runs = tables.rowsOf(workflowRuns) as unknown as WorkflowRunRow[];
    this.#incidents = tables.rowsOf(incidents) as unknown as IncidentRow[];
    this.#settings = new Map(
      tables.rowsOf(repositoriesCopy).map((row) => [String(row.repository_key), readSettings(row as never)]),
    );
    this.#windowSeconds = incidentWindowDays * 86_400;
  }

  #of(repository: string) {
    const settings = this.#settings.get(repository) ?? readSettings(undefined);
    const prs = this.#prs.filter(({ repository_key }) => repository_key === repository);
    const merged = prs.filter(({ pr_merged_at }) => pr_merged_at !== null);
    const bases = prs.flatMap(({ base_branch }) => (base_branch === null ? [] : [base_branch]));
    const most = (name: string) => bases.filter((base) => base === name).length;
    const frequent = [...new Set(bases)].sort((a, b) => most(b) - most(a) || (a < b ? -1 : 1))[0];
    const usual = ['main', 'master'].find((name) => bases.includes(name));
    const production = settings.productionBranch ?? settings.defaultBranch ?? usual ?? frequent ?? 'main';
    return { settings, prs, merged, branches: branchesOf(production, settings) };
  }

  /** Source, and whether deployments of it are reported. */
  #source(repository: string): readonly [string, boolean] {
    const { settings } = this.#of(repository);
    const reported = this.#reported.filter((row) => (row.repository_key ?? '') === repository);
    const sourceOf = (row: DeploymentRow) => row.given_deployment_source ?? 'workflow_run';
    const isThere = (source: string) => reported.some((row) => sourceOf(row) === source);
    const toProduction = reported.filter(
      (row) => row.given_is_production ?? isProductionEnvironment(row.environment, settings),
    );
    if (settings.source) return [settings.source, isThere(settings.source)];
    const first =
      deploymentSources.find((source) => toProduction.some((row) => sourceOf(row) === source)) ??
      deploymentSources.find(isThere);
    if (first) return [first, true];
    if (this.#fromReleases(repository).length > 0) return ['github_release', false];
    return [this.#fromRuns(repository).length > 0 ? 'workflow_run' : 'merge_to_default', false];
  }

  #fromReleases(repository: string): Deploy[] {
    return this.#releases.flatMap((row) =>
      row.repository_key === repository && row.release_date !== null && row.is_prerelease !== true
        ? [plain(`release:${row.release_id}`, repository, row.release_date, 'success', null, null, row.version)]
        : [],
    );
  }

  #fromRuns(repository: string): (Deploy & { readonly isUntimed: boolean })[] {
    const { settings } = this.#of(repository);
    return this.#runs.flatMap((row) => {
      const ending = row.run_conclusion ?? '';
      if (row.repository_key !== repository || !isProductionDeploy(row, settings)) return [];
      if (!['success', 'failure', 'timed_out', 'startup_failure', 'cancelled'].includes(ending)) return [];
      const status = ['success', 'cancelled'].includes(ending) ? ending : 'failure';
      const at = row.run_updated_at ?? row.run_started_at ?? row.run_created_at;
      const one = plain(`run:${row.workflow_run_id}`, repository, at ?? 0, status, row.environment, row.head_sha, null);
      return [{ ...one, isUntimed: at === null }];
    });
  }

  /** Production deployments that have a time, in order. */
  #deploys(repository: string): Deploy[] {
    const { settings, merged, branches } = this.#of(repository);
    const [source, isStated] = this.#source(repository);
    if (isStated) {
      return sorted(
        this.#reported.flatMap((row) => {
          if ((row.repository_key ?? '') !== repository || row.deployed_at === null) return [];
          if ((row.given_deployment_source ?? 'workflow_run') !== source) return [];
          if (!(row.given_is_production ?? isProductionEnvironment(row.environment, settings))) return [];
          const { deployment_id, deployed_at, status, environment, sha, version, pr_ids } = row;
          const named = pr_ids === null ? null : (JSON.parse(pr_ids) as string[]);
          return [
            plain(String(deployment_id), repository, deployed_at, status ?? '', environment, sha, version, named),
          ];
        }),
      );
    }
    if (!settings.isActive) return [];
    if (source === 'github_release') return sorted(this.#fromReleases(repository));
    if (source === 'workflow_run') return sorted(this.#fromRuns(repository).filter(({ isUntimed }) => !isUntimed));
    if (source !== 'merge_to_default') return [];
    return sorted(
      merged.flatMap((pr) =>
        pr.base_branch === branches.production
          ? [plain(`merge:${pr.pr_id}`, repository, pr.pr_merged_at ?? 0, 'success', null, pr.merge_commit_sha, null)]
          : [],
      ),
    );
  }

  /** The repository of that name, else the only one of that name without its owner. */
  #called(name: string | null): string | undefined {
    const keys = new Set(
      [...this.#prs, ...this.#reported, ...this.#releases, ...this.#runs].map((row) => row.repository_key ?? ''),
    );
    const isThere = (key: string) => {
      if (this.#of(key).prs.length > 0 || this.#deploys(key).length > 0) return true;
      const [source, isStated] = this.#source(key);
      const untimed = !isStated && source === 'workflow_run' && this.#of(key).settings.isActive;
      return this.#reported.some((row) => row.repository_key === key) || (untimed && this.#fromRuns(key).length > 0);
    };
    const known = [...keys].filter((key) => key !== '' && isThere(key));
    if (name !== null && known.includes(name)) return name;
    const short = known.filter((key) => key.split('/').at(-1) === name);
    return short.length === 1 ? short[0] : undefined;
  }

  /** The pull request whose merge brought another to the production branch, the earliest of all ways. */
  #arrival(pr: PullRequestRow): PullRequestRow | undefined {
    const { merged, branches } = this.#of(pr.repository_key ?? '');
    const seen = new Set<PullRequestRow>();
    const ends: PullRequestRow[] = [];
    const walk = (one: PullRequestRow) => {
      if (seen.has(one)) return;
      seen.add(one);
      if (one.base_branch === branches.production) ends.push(one);
      else if (one.base_branch !== null && branches.isLongLived(one.base_branch)) {
        for (const next of merged) {
          const isOnward = next.base_branch === branches.production || branches.isLongLived(next.base_branch ?? '');
          const isStep = next.head_branch === one.base_branch && next.head_branch !== next.base_branch && isOnward;
          if (isStep && (next.pr_merged_at ?? 0) >= (one.pr_merged_at ?? 0)) walk(next);
        }
      }
    };
    if (pr.pr_merged_at !== null) walk(pr);
    return ends.sort(
      (a, b) => (a.pr_merged_at ?? 0) - (b.pr_merged_at ?? 0) || ((a.pr_id ?? '') < (b.pr_id ?? '') ? -1 : 1),
    )[0];
  }

  #position(deploy: Deploy): number | null {
    if (deploy.sha === null) return null;
    const { merged, branches } = this.#of(deploy.repository);
    const merges = merged.filter((pr) => lower(pr.merge_commit_sha) === lower(deploy.sha));
    const owners = new Set(
      this.#commits.filter(({ sha }) => lower(sha as string) === lower(deploy.sha)).map(({ pr_id }) => pr_id),
    );
    const known = merges.length > 0 ? merges : merged.filter(({ pr_id }) => owners.has(pr_id));
    const onProduction = known.flatMap((pr) => {
      const at = this.#arrival(pr)?.pr_merged_at ?? null;
      if (at === null) return [];
      return at <= deploy.at || (merges.length > 0 && pr.base_branch === branches.production) ? [at] : [];
    });
    if (onProduction.length > 0) return Math.min(...onProduction);
    const others = known.flatMap(({ pr_merged_at }) => ((pr_merged_at ?? 0) <= deploy.at ? [pr_merged_at ?? 0] : []));
    return others.length > 0 ? Math.min(...others) : null;
  }

  /** Successes in order, with what was live with each and whether it was a rollback. */
  #successes(repository: string): Deploy[] {
    const successes = this.#deploys(repository).filter(({ status }) => status === 'success');
    const [source, isStated] = this.#source(repository);
    if (source === 'merge_to_default' && !isStated) return successes;
    const isSame = (a: Deploy, b: Deploy) =>
      a.sha !== null && b.sha !== null ? lower(a.sha) === lower(b.sha) : a.version !== null && a.version === b.version;
    for (const [i, deploy] of successes.entries()) {
      const earlier = successes.slice(0, i);
      const there = earlier.filter(({ environment }) => environment === deploy.environment);
      const replaced = there.at(-1);
      const first = there.find((one) => isSame(one, deploy));
      const replacedFirst = replaced && (there.find((one) => isSame(one, replaced)) ?? replaced);
      if (replaced && first && replacedFirst && !isSame(deploy, replaced)) {
        const place = this.#position(deploy) ?? this.#position(first);
        const replacedPlace = this.#position(replaced) ?? this.#position(replacedFirst);
        const areComparable = place !== null && replacedPlace !== null && place !== replacedPlace;
        deploy.isRollback = areComparable ? place < replacedPlace : before(first, replacedFirst);
      }
      const sameCommit = earlier.find(({ sha }) => sha !== null && lower(sha) === lower(deploy.sha));
      deploy.until =
        this.#position(deploy) ?? sameCommit?.until ?? (deploy.isRollback ? first?.until : undefined) ?? deploy.at;
    }
    return successes;
  }

  #deploymentOf(pr: PullRequestRow): Deploy | undefined {
    const repository = pr.repository_key ?? '';
    if (pr.pr_merged_at === null || pr.repository_key === null) return undefined;
    if (!this.#of(repository).settings.isActive) return undefined;
    const everywhere = new Set([...this.#reported.map((row) => row.repository_key ?? '')]);
    const naming = [...everywhere]
      .filter((key) => this.#of(key).settings.isActive)
      .flatMap((key) => this.#successes(key))
      .filter((deploy) => deploy.names?.includes(pr.pr_id ?? ''));
    const own = this.#ownCarrier(pr);
    if (!this.#source(repository)[1] && naming.length > 0) return sorted(naming)[0];
    return sorted([...naming, ...(own ? [own] : [])])[0];
  }

  #ownCarrier(pr: PullRequestRow): Deploy | undefined {
    const arrival = this.#arrival(pr);
    if (!arrival) return undefined;
    const successes = this.#successes(pr.repository_key ?? '');
    const [source, isStated] = this.#source(pr.repository_key ?? '');
    if (source === 'merge_to_default' && !isStated) return successes.find(({ id }) => id === `merge:${arrival.pr_id}`);
    const [first, ...later] = successes;
    const at = arrival.pr_merged_at ?? 0;
    if (!first) return undefined;
    if (at <= first.until) {
      const isItself = first.sha !== null && lower(first.sha) === lower(pr.merge_commit_sha);
      return source === 'merge_to_default' && isItself && first.names === null ? first : undefined;
    }
    return later.find((deploy) => !deploy.isRollback && deploy.names === null && deploy.until >= at);
  }

  #target(pr: PullRequestRow): PullRequestRow | undefined {
    const marks = parseRevertMarks(pr.revert_marks);
    if (!marks || marks.repository !== undefined) return undefined;
    const order = (one: PullRequestRow) => [
      one.pr_merged_at ?? Number.POSITIVE_INFINITY,
      one.pr_number ?? 0,
      one.pr_id ?? '',
    ];
    const isBefore = (one: PullRequestRow, other: PullRequestRow) => {
      const [a, b] = [order(one), order(other)];
      const i = a.findIndex((part, k) => part !== b[k]);
      return i >= 0 && (a[i] ?? 0) < (b[i] ?? 0);
    };
    const candidates = this.#of(pr.repository_key ?? '')
      .merged.filter((one) => one !== pr && (pr.pr_merged_at === null || isBefore(one, pr)))
      .sort((a, b) => (isBefore(a, b) ? 1 : -1));
    const hasSha = (one: PullRequestRow) => {
      const own = this.#commits.filter(({ pr_id }) => pr_id === one.pr_id).map(({ sha }) => sha as string | null);
      return [one.merge_commit_sha, ...own].some((sha) => marks.sha !== undefined && lower(sha)?.startsWith(marks.sha));
    };
    const inQuote = /^.*\(#([0-9]+)\)$/.exec(marks.title ?? '')?.[1];
    return (
      candidates.find((one) => marks.number !== undefined && one.pr_number === marks.number) ??
      candidates.find((one) => inQuote !== undefined && one.pr_number === Number(inQuote)) ??
      candidates.find((one) => marks.title !== undefined && one.pr_title === marks.title) ??
      candidates.find(hasSha)
    );
  }

  #isRevert(pr: PullRequestRow): boolean {
    if (pr.revert_marks === null) return false;
    const target = this.#target(pr);
    if (target) return !this.#isRevert(target);
    const depth = /^(?:Revert ")*/.exec(parseRevertMarks(pr.revert_marks)?.title ?? '')?.[0].length ?? 0;
    return (depth / 'Revert "'.length) % 2 === 0;
  }

  #failure(deploy: Deploy): Row | null {
    const all = this.#deploys(deploy.repository).filter(({ status }) => ['success', 'failure'].includes(status));
    const successes = this.#successes(deploy.repository);
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
    const opened = this.#incidents
      .filter((row) => {
        if (row.opened_at === null) return false;
        if (row.deployment_id !== null) return row.deployment_id === deploy.id;
        if (deploy.repository === '' || this.#called(row.repository_key) !== deploy.repository) return false;
        const latest = successes.filter(({ at }) => at <= (row.opened_at ?? 0)).at(-1);
        return latest?.id === deploy.id && deploy.at >= (row.opened_at ?? 0) - this.#windowSeconds;
      })
      .sort(
        (a, b) => (a.opened_at ?? 0) - (b.opened_at ?? 0) || ((a.incident_id ?? '') < (b.incident_id ?? '') ? -1 : 1),
      );
    const [incident] = opened;
    if (incident) return failed('incident', incident.opened_at, null, incident.opened_at ?? 0, incident.resolved_at);
    const inOrder = this.#prs
      .filter(
        (pr) => pr.pr_merged_at !== null && pr.repository_key !== null && this.#of(pr.repository_key).settings.isActive,
      )
      .sort((a, b) => (a.pr_merged_at ?? 0) - (b.pr_merged_at ?? 0) || ((a.pr_id ?? '') < (b.pr_id ?? '') ? -1 : 1));
    const revert = inOrder.find((pr) => {
      const target = this.#isRevert(pr) ? this.#target(pr) : undefined;
      if (!target || this.#deploymentOf(target)?.id !== deploy.id) return false;
      const deployment = this.#deploymentOf(pr);
      return !deployment || (deployment.id !== deploy.id && !before(deployment, deploy));
    });
    if (revert)
      return failed(
        'revert_pr',
        revert.pr_created_at,
        revert.pr_merged_at,
        deploy.at,
        this.#deploymentOf(revert)?.at ?? null,
      );
    const hotfix = inOrder.find((pr) => {
      if (pr.is_hotfix !== true || pr.repository_key !== deploy.repository) return false;
      const deployment = this.#deploymentOf(pr);
      const live = successes.filter(({ at, id }) => at < (pr.pr_merged_at ?? 0) && id !== deployment?.id);
      return live.at(-1)?.id === deploy.id;
    });
    if (hotfix)
      return failed(
        'hotfix_pr',
        hotfix.pr_created_at,
        hotfix.pr_merged_at,
        deploy.at,
        this.#deploymentOf(hotfix)?.at ?? null,
      );
    return null;
  }

  expected(): Expected {
    const repositories = new Set(
      [...this.#prs, ...this.#reported, ...this.#releases, ...this.#runs].map(
        ({ repository_key }) => repository_key ?? '',
      ),
    );
    const expected: Expected = { pullRequests: {}, deployments: {}, releases: {} };
    for (const pr of this.#prs)
      if (pr.repository_key !== null) expected.pullRequests[pr.pr_id ?? ''] = this.#readPullRequest(pr);
    for (const repository of repositories) {
      for (const deploy of this.#deploys(repository)) expected.deployments[deploy.id] = this.#readDeployment(deploy);
    }
    for (const release of this.#releases) expected.releases[release.release_id ?? ''] = this.#readRelease(release);
    return expected;
  }

  #readPullRequest(pr: PullRequestRow): Row {
    const repository = pr.repository_key ?? '';
    const { settings, merged, branches } = this.#of(repository);
    const isLong = (name: string | null) => name !== null && branches.isLongLived(name);
    const promotes = (one: PullRequestRow) => one.base_branch === branches.production && isLong(one.head_branch);
    const passesOn =
      promotes(pr) || (isLong(pr.base_branch) && isLong(pr.head_branch) && pr.base_branch !== pr.head_branch);
    const deployment = this.#deploymentOf(pr);
    const arrivedAt = this.#arrival(pr)?.pr_merged_at ?? null;
    const first = this.#successes(repository)[0];
    const end = pr.is_bot === true || passesOn ? null : (deployment?.at ?? null);
    const isSilent = !first || (arrivedAt ?? 0) <= first.until;
    const waiting = isSilent ? 'before_first_signal' : 'awaiting_deploy';
    const fate = deployment ? 'deployed' : arrivedAt === null ? 'non_production_branch' : waiting;
    const unmerged = pr.pr_state === 'closed' ? 'ignored' : null;
    return {
      is_revert: this.#isRevert(pr),
      is_promotion_pr: promotes(pr),
      is_production_merge: pr.pr_merged_at !== null && pr.base_branch === branches.production,
      branching_model: merged.some(promotes) ? 'promotion' : 'trunk',
      production_merged_at: arrivedAt,
      release_id: this.#broughtBy(pr, false),
      prerelease_id: this.#broughtBy(pr, true),
      deployment_source: this.#source(repository)[0],
      deployment_id: deployment?.id ?? null,
      deployed_at: deployment?.at ?? null,
      deployment_attribution_status:
        pr.pr_merged_at === null ? unmerged : !settings.isActive || pr.is_bot === true ? 'ignored' : fate,
      lead_time: span(pr.first_commit_at ?? pr.pr_created_at, end),
      merge_to_deploy: span(pr.pr_merged_at, end),
      open_to_deploy: span(pr.opened_at ?? pr.pr_created_at, end),
    };
  }

  #readDeployment(deploy: Deploy): Row {
    const carried = this.#prs.filter((pr) => this.#deploymentOf(pr)?.id === deploy.id);
    const isChange = (pr: PullRequestRow) => {
      const { branches } = this.#of(pr.repository_key ?? '');
      const isLong = (name: string | null) => name !== null && branches.isLongLived(name);
      const isOnward = pr.base_branch === branches.production || isLong(pr.base_branch);
      return !(isLong(pr.head_branch) && isOnward && pr.head_branch !== pr.base_branch);
    };
    const changes = carried.filter(isChange);
    const success = this.#successes(deploy.repository).find(({ id }) => id === deploy.id);
    return {
      is_production: true,
      status: deploy.status === '' ? null : deploy.status,
      is_rollback: success?.isRollback ?? false,
      prs_included: carried.length,
      is_remediation: changes.length > 0 && changes.every((pr) => this.#isRevert(pr) || pr.is_hotfix === true),
      ...(this.#failure(deploy) ?? {
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
    const releases = this.#releases.filter((one) => (one.is_prerelease === true) === isPrerelease);
    return releases.find((one) => this.#broughtIn(one).includes(pr))?.release_id ?? null;
  }

  #broughtIn(release: ReleaseRow): PullRequestRow[] {
    const at = release.release_date;
    if (at === null || release.repository_key === null) return [];
    const others = this.#releases.filter(
      (one) => one.repository_key === release.repository_key && one.release_date !== null,
    );
    const isEarlier = (one: ReleaseRow) =>
      (one.release_date ?? 0) < at || (one.release_date === at && (one.release_id ?? '') < (release.release_id ?? ''));
    const earlier = others.filter(isEarlier).map((one) => one);
    const relevant = release.is_prerelease === true ? earlier : earlier.filter((one) => one.is_prerelease !== true);
    const latest = Math.max(...relevant.map((one) => one.release_date ?? 0));
    const firstEver = Math.min(at, ...earlier.map((one) => one.release_date ?? 0));
    const after = relevant.length > 0 ? latest : firstEver;
    return this.#prs.filter((pr) => {
      const arrival = pr.repository_key === release.repository_key ? this.#arrival(pr)?.pr_merged_at : undefined;
      return typeof arrival === 'number' && arrival > after && arrival <= at;
    });
  }
}

function plain(
  id: string,
  repository: string,
  at: number,
  status: string,
  environment: string | null,
  sha: string | null,
  version: string | null,
  named: readonly string[] | null = null,
): Deploy {
  return {
    id,
    repository,
    at,
    status,
    environment: names(environment),
    sha,
    version,
    names: named,
    until: at,
    isRollback: false,
  };
}
