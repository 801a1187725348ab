import { repositoriesCopy } from '../../../src/catalogue/directory-copies.ts';
import { deploymentSources } from '../../../src/catalogue/directory-records.ts';
import type { Row } from '../../../src/catalogue/table.ts';
import { type DeploymentRow, deployments, reportedOrigin } from '../../../src/catalogue/tables/deployments.ts';
import { pullRequestCommits } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { type PullRequestRow, pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { type ReleaseRow, releaseDetails } from '../../../src/catalogue/tables/release-details.ts';
import { type WorkflowRunRow, workflowRuns } from '../../../src/catalogue/tables/workflow-runs.ts';
import { branchesOf } from '../../../src/ingest/attribute/rules/branches.ts';
import { isProductionDeploy, isProductionEnvironment } from '../../../src/ingest/attribute/rules/deployment-source.ts';
import { readSettings } from '../../../src/ingest/attribute/rules/repository-settings.ts';
import type { MemoryTables } from './memory-warehouse.ts';

export interface Deploy {
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

export const before = (a: Deploy, b: Deploy) => a.at < b.at || (a.at === b.at && a.id < b.id);
const sorted = (some: readonly Deploy[]) => [...some].sort((a, b) => (before(a, b) ? -1 : 1));
export const lower = (sha: string | null) => sha?.toLowerCase() ?? null;
const names = (environment: string | null) => environment?.trim().toLowerCase() || 'production';

/** The deployments of every repository, and which of them carried a pull request, by the definitions read plainly. */
export class PlainDeployments {
  readonly pullRequests: readonly PullRequestRow[];
  readonly commits: readonly Row[];
  readonly releases: readonly ReleaseRow[];
  readonly #reported: readonly DeploymentRow[];
  readonly #runs: readonly WorkflowRunRow[];
  readonly #settings: ReadonlyMap<string, ReturnType<typeof readSettings>>;

  constructor(tables: MemoryTables) {
    this.pullRequests = tables.rowsOf(pullRequests) as unknown as PullRequestRow[];
    this.commits = tables.rowsOf(pullRequestCommits);
    const rows = tables.rowsOf(deployments) as unknown as DeploymentRow[];
    this.#reported = rows.filter(({ origin }) => origin === reportedOrigin);
    this.releases = tables.rowsOf(releaseDetails) as unknown as ReleaseRow[];
    this.#runs = tables.rowsOf(workflowRuns) as unknown as WorkflowRunRow[];
    this.#settings = new Map(
      tables.rowsOf(repositoriesCopy).map((row) => [String(row.repository_key), readSettings(row as never)]),
    );
  }

  /** Every repository that a row is in; '' stands for none. */
  repositories(): Set<string> {
    return new Set(
      [...this.pullRequests, ...this.#reported, ...this.releases, ...this.#runs].map((row) => row.repository_key ?? ''),
    );
  }

  of(repository: string) {
    const settings = this.#settings.get(repository) ?? readSettings(undefined);
    const prs = this.pullRequests.filter(({ repository_key }) => repository_key === repository);
    const merged = prs.filter(({ pr_merged_at }) => pr_merged_at !== null);
    const bases = prs.flatMap(({ base_branch }) => (base_branch === null ? [] : [base_branch]));
    const most = (name: string) => bases.filter((base) => base === name).length;
    const frequent = [...new Set(bases)].sort((a, b) => most(b) - most(a) || (a < b ? -1 : 1))[0];
    const usual = ['main', 'master'].find((name) => bases.includes(name));
    const production = settings.productionBranch ?? settings.defaultBranch ?? usual ?? frequent ?? 'main';
    return { settings, prs, merged, branches: branchesOf(production, settings) };
  }

  /** Source, and whether deployments of it are reported. */
  source(repository: string): readonly [string, boolean] {
    const { settings } = this.of(repository);
    const reported = this.#reported.filter((row) => (row.repository_key ?? '') === repository);
    const sourceOf = (row: DeploymentRow) => row.given_deployment_source ?? 'workflow_run';
    const isThere = (source: string) => reported.some((row) => sourceOf(row) === source);
    const toProduction = reported.filter((row) => row.production ?? isProductionEnvironment(row.environment, settings));
    if (settings.source) return [settings.source, isThere(settings.source)];
    const first =
      deploymentSources.find((source) => toProduction.some((row) => sourceOf(row) === source)) ??
      deploymentSources.find(isThere);
    if (first) return [first, true];
    if (this.#fromReleases(repository).length > 0) return ['github_release', false];
    return [this.#fromRuns(repository).length > 0 ? 'workflow_run' : 'merge_to_default', false];
  }

  #fromReleases(repository: string): Deploy[] {
    return this.releases.flatMap((row) =>
      row.repository_key === repository && row.release_date !== null && row.is_prerelease !== true
        ? [plain(`release:${row.release_id}`, repository, row.release_date, 'success', null, null, row.version)]
        : [],
    );
  }

  #fromRuns(repository: string): (Deploy & { readonly isUntimed: boolean })[] {
    const { settings } = this.of(repository);
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
  deploys(repository: string): Deploy[] {
    const { settings, merged, branches } = this.of(repository);
    const [source, isReported] = this.source(repository);
    if (isReported) {
      return sorted(
        this.#reported.flatMap((row) => {
          if ((row.repository_key ?? '') !== repository || row.deployed_at === null) return [];
          if ((row.given_deployment_source ?? 'workflow_run') !== source) return [];
          if (!(row.production ?? isProductionEnvironment(row.environment, settings))) return [];
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
  called(name: string | null): string | undefined {
    const isThere = (key: string) => {
      if (this.of(key).prs.length > 0 || this.deploys(key).length > 0) return true;
      const [source, isReported] = this.source(key);
      const untimed = !isReported && source === 'workflow_run' && this.of(key).settings.isActive;
      return this.#reported.some((row) => row.repository_key === key) || (untimed && this.#fromRuns(key).length > 0);
    };
    const known = [...this.repositories()].filter((key) => key !== '' && isThere(key));
    if (name !== null && known.includes(name)) return name;
    const short = known.filter((key) => key.split('/').at(-1) === name);
    return short.length === 1 ? short[0] : undefined;
  }

  /** The pull request whose merge brought another to the production branch, the earliest of all ways. */
  arrival(pr: PullRequestRow): PullRequestRow | undefined {
    const { merged, branches } = this.of(pr.repository_key ?? '');
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
    const { merged, branches } = this.of(deploy.repository);
    const merges = merged.filter((pr) => lower(pr.merge_commit_sha) === lower(deploy.sha));
    const owners = new Set(
      this.commits.filter(({ sha }) => lower(sha as string) === lower(deploy.sha)).map(({ pr_id }) => pr_id),
    );
    const known = merges.length > 0 ? merges : merged.filter(({ pr_id }) => owners.has(pr_id));
    const onProduction = known.flatMap((pr) => {
      const at = this.arrival(pr)?.pr_merged_at ?? null;
      if (at === null) return [];
      return at <= deploy.at || (merges.length > 0 && pr.base_branch === branches.production) ? [at] : [];
    });
    if (onProduction.length > 0) return Math.min(...onProduction);
    const others = known.flatMap(({ pr_merged_at }) => ((pr_merged_at ?? 0) <= deploy.at ? [pr_merged_at ?? 0] : []));
    return others.length > 0 ? Math.min(...others) : null;
  }

  /** Successes in order, with what was live with each and whether it was a rollback. */
  successes(repository: string): Deploy[] {
    const successes = this.deploys(repository).filter(({ status }) => status === 'success');
    const [source, isReported] = this.source(repository);
    if (source === 'merge_to_default' && !isReported) return successes;
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

  deploymentOf(pr: PullRequestRow): Deploy | undefined {
    const repository = pr.repository_key ?? '';
    if (pr.pr_merged_at === null || pr.repository_key === null) return undefined;
    if (!this.of(repository).settings.isActive) return undefined;
    const everywhere = new Set([...this.#reported.map((row) => row.repository_key ?? '')]);
    const naming = [...everywhere]
      .filter((key) => this.of(key).settings.isActive)
      .flatMap((key) => this.successes(key))
      .filter((deploy) => deploy.names?.includes(pr.pr_id ?? ''));
    const own = this.#ownDeployment(pr);
    if (!this.source(repository)[1] && naming.length > 0) return sorted(naming)[0];
    return sorted([...naming, ...(own ? [own] : [])])[0];
  }

  #ownDeployment(pr: PullRequestRow): Deploy | undefined {
    const arrival = this.arrival(pr);
    if (!arrival) return undefined;
    const successes = this.successes(pr.repository_key ?? '');
    const [source, isReported] = this.source(pr.repository_key ?? '');
    if (source === 'merge_to_default' && !isReported)
      return successes.find(({ id }) => id === `merge:${arrival.pr_id}`);
    const [first, ...later] = successes;
    const at = arrival.pr_merged_at ?? 0;
    if (!first) return undefined;
    if (at <= first.until) {
      const isItself = first.sha !== null && lower(first.sha) === lower(pr.merge_commit_sha);
      return source === 'merge_to_default' && isItself && first.names === null ? first : undefined;
    }
    return later.find((deploy) => !deploy.isRollback && deploy.names === null && deploy.until >= at);
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
