import { type DeploymentRow, inferredId, reportedOrigin } from '../../catalogue/tables/deployments.ts';
import type { IncidentRow } from '../../catalogue/tables/incidents.ts';
import type { CommitRow } from '../../catalogue/tables/pull-request-parts.ts';
import { type PullRequestRow, pullRequests } from '../../catalogue/tables/pull-requests.ts';
import type { ReleaseRow } from '../../catalogue/tables/release-details.ts';
import type { WorkflowRunRow } from '../../catalogue/tables/workflow-runs.ts';
import { listsByKey } from '../../lists-by-key.ts';
import { rowComparison } from '../../warehouse/row-shapes.ts';
import type { Batch } from '../apply/batch.ts';
import { parseRevertMarks, type RevertMarks } from '../derive/reverts.ts';
import {
  type AttributionReader,
  all,
  any,
  attributedColumns,
  inRepositories,
  isNull,
  notNull,
  since,
} from './attribution-reader.ts';
import { environmentKey, isProductionDeploy } from './rules/deployment-source.ts';
import { pullRequestFacts } from './rules/repository-facts.ts';
import { noRepository, type SettingsOf } from './rules/repository-settings.ts';
import { allTime, Spans, theBeginning, theEnd } from './spans.ts';

/** A row as far as it was read. A column that was not read has not changed. */
type Seen<R> = { readonly [C in keyof R]?: R[C] } | undefined;

/** A record must not change an inferred deployment, so every column that a record could change is compared. */
const inferredDeploymentColumns = [...attributedColumns.deployments, 'started_at', 'workflow_name', 'run_url'] as const;

const differ = <R>(before: Seen<R>, after: Seen<R>, columns: readonly (keyof R & string)[]): boolean =>
  !before || !after ? before !== after : rowComparison<string>(columns)(before, after);

/** What the rows of a batch touch, by how they were before it and how they are after it. */
export class TouchedRows {
  /** The repositories to attribute, each where its touched rows stand, until what follows from them stands again. */
  readonly spans = new Spans();
  /** Those of them whose rows are all compared, not only the rows of the batch. */
  readonly wholeRepositories = new Set<string>();
  /** Where pull requests came, went, or stand elsewhere now: later deployments and releases may follow from that. */
  readonly moved = new Spans();
  /** Where a deployment is touched, or something that one is inferred from other than a merge. */
  readonly signalled = new Spans();
  /** Repositories of touched releases. */
  readonly released = new Set<string>();
  /** Ids of deployments that are inferred from rows of the batch. */
  readonly inferredDeployments = new Set<string>();
  /** Ids of pull requests of which another person is known, or another address. */
  readonly deployers = new Set<string>();
  /** Ids of pull requests that are not merged: they stand at no moment. */
  readonly unmerged = new Set<string>();
  /** Merge commits that pull requests have or had. */
  readonly mergeShas = new Set<string>();
  /** What pull requests take back, or took back. */
  readonly reverted = new Set<string>();
  /** What reverts may call touched pull requests by. */
  readonly named: NamedByReverts;
  /** Environments that deployments have or had. */
  readonly environments = new Set<string>();
  /** Ids of reported deployments that name pull requests, or did. */
  readonly namingDeployments = new Set<string>();
  /** Ids of deployments whose failures or counts may be others: incidents name them, or a carried row has gone. */
  readonly deploymentsToJudge = new Set<string>();
  /** Names that incidents give to their repositories, and when these were opened. */
  readonly incidentNames = new Spans();
  /** A part that is read costs about as much as so many rows more in another one. */
  readonly rowsForPart: number;
  readonly #maxIds: number;
  #remembered = 0;

  /** Beyond `maxIds` ids repositories are attributed as a whole: a change of any size is held in bounded memory. */
  constructor({ maxIds = 200_000, rowsForPart = 1_500 } = {}) {
    this.rowsForPart = rowsForPart;
    this.#maxIds = maxIds;
    this.named = new NamedByReverts(maxIds);
  }

  get isEmpty(): boolean {
    return [this.spans, this.named, this.deployers, this.deploymentsToJudge, this.incidentNames].every(
      ({ size }) => size === 0,
    );
  }

  /** Everything that has changed in the tables of a batch. */
  collect(tables: Batch['tables'], settingsOf: SettingsOf): void {
    // The pull requests of touched commits have been read: their clocks follow from commits.
    const pullRequestOf = (id: string) => tables.pull_requests.entries.get(id)?.after;
    for (const { before, after } of tables.pull_requests.changed()) this.pullRequest(before, after);
    for (const { before, after } of tables.pull_request_commits.changed()) this.commit(before, after, pullRequestOf);
    for (const { before, after } of tables.deployments.changed()) this.deployment(before, after);
    for (const { before, after } of tables.release_details.changed()) this.release(before, after);
    for (const { before, after } of tables.workflow_runs.changed()) this.run(before, after, settingsOf);
    for (const { before, after } of tables.incidents.changed()) this.incident(before, after);
  }

  pullRequest(before: Seen<PullRequestRow>, after: Seen<PullRequestRow>): void {
    if (!differ(before, after, attributedColumns.pull_requests)) return;
    const rows = [before, after].flatMap((row) => row ?? []);
    const id = (before ?? after)?.pr_id ?? '';
    if (differ(before, after, revertColumns)) for (const row of rows) this.named.add(row.repository_key, row);
    // A title matters only to reverts that quote it, and a person to the deployment that a merge stands for.
    if (!differ(before, after, factsAndNumber)) {
      if (after?.pr_merged_at !== null) this.deployers.add(id);
      return;
    }
    this.#remember(this.inferredDeployments, inferredId('merge', id));
    const isMoved = differ(before, after, placeColumns);
    for (const [key, some] of listsByKey(rows, (row) => row.repository_key ?? noRepository)) {
      const span = spanOf(some);
      this.spans.touch(key, ...span);
      if (isMoved) this.moved.touch(key, ...span);
      // The bases of stored merges into the production branch show what it was.
      if (isMoved && before?.is_production_merge && before.base_branch !== after?.base_branch)
        this.spans.add(key, allTime);
      if (isMoved && before?.is_promotion_step) this.spans.touch(key, span[0], theEnd);
    }
    for (const row of rows) {
      if (row.merge_commit_sha) this.#remember(this.mergeShas, row.merge_commit_sha);
      if (row.reverts_pr_id) this.#remember(this.reverted, row.reverts_pr_id);
    }
    if (after && !after.pr_merged_at) this.#remember(this.unmerged, id);
    const isElsewhere = before?.repository_key !== after?.repository_key;
    if (isElsewhere && before?.deployment_id) this.deploymentsToJudge.add(before.deployment_id);
  }

  /** `pullRequestOf` finds the pull request of a commit by its id. */
  commit(
    before: Seen<CommitRow>,
    after: Seen<CommitRow>,
    pullRequestOf: (id: string) => Seen<Pick<PullRequestRow, 'repository_key' | 'pr_merged_at'>>,
  ): void {
    if (!differ(before, after, attributedColumns.pull_request_commits)) return;
    for (const row of [before, after]) {
      const pr = row?.pr_id ? pullRequestOf(row.pr_id) : undefined;
      if (!pr?.repository_key) continue;
      this.spans.touch(pr.repository_key, pr.pr_merged_at);
      this.moved.touch(pr.repository_key, pr.pr_merged_at);
      this.named.add(pr.repository_key, { pr_merged_at: pr.pr_merged_at });
    }
  }

  deployment(before: Seen<DeploymentRow>, after: Seen<DeploymentRow>): void {
    const isReported = before?.origin === reportedOrigin || after?.origin === reportedOrigin;
    if (!differ(before, after, isReported ? attributedColumns.deployments : inferredDeploymentColumns)) return;
    for (const row of [before, after]) {
      if (!row) continue;
      // A record cannot change or remove an inferred deployment: it is inferred again from the rows it comes from.
      if (isReported) this.#signal(row.repository_key, row.deployed_at);
      else if (typeof row.repository_key === 'string') this.repository(row.repository_key);
      this.environments.add(environmentKey(row.environment ?? null));
    }
    const id = (before ?? after)?.deployment_id;
    if (isReported && id && (before?.pr_ids || after?.pr_ids)) this.namingDeployments.add(id);
  }

  release(before: Seen<ReleaseRow>, after: Seen<ReleaseRow>): void {
    if (!differ(before, after, attributedColumns.release_details)) return;
    for (const row of [before, after]) {
      if (!row) continue;
      this.#signal(row.repository_key, row.release_date);
      this.released.add(row.repository_key ?? noRepository);
    }
    this.environments.add(environmentKey(null));
    this.#remember(this.inferredDeployments, inferredId('release', (before ?? after)?.release_id ?? ''));
  }

  /** Most runs deploy nothing, and touch no repository. */
  run(before: Seen<WorkflowRunRow>, after: Seen<WorkflowRunRow>, settingsOf: SettingsOf): void {
    if (!differ(before, after, attributedColumns.workflow_runs)) return;
    let isDeploying = false;
    for (const row of [before, after]) {
      if (!row?.repository_key) continue;
      const { workflow_name = null, environment = null, repository_key } = row;
      if (!isProductionDeploy({ workflow_name, environment }, settingsOf(repository_key))) continue;
      isDeploying = true;
      this.#signal(repository_key, row.run_updated_at ?? row.run_started_at ?? row.run_created_at);
      this.environments.add(environmentKey(environment));
    }
    if (!isDeploying) return;
    this.#remember(this.inferredDeployments, inferredId('run', (before ?? after)?.workflow_run_id ?? ''));
  }

  incident(before: Seen<IncidentRow>, after: Seen<IncidentRow>): void {
    if (!differ(before, after, attributedColumns.incidents)) return;
    for (const row of [before, after]) {
      if (row?.deployment_id) this.deploymentsToJudge.add(row.deployment_id);
      if (row?.repository_key) this.incidentNames.touch(row.repository_key, row.opened_at);
    }
  }

  /** Everything about a repository: its settings have changed, or all of it is derived again. */
  repository(key: string): void {
    this.spans.add(key, allTime);
    this.wholeRepositories.add(key);
  }

  #signal(key: string | null | undefined, at: number | null | undefined): void {
    this.spans.touch(key ?? noRepository, at, theEnd);
    this.signalled.touch(key ?? noRepository, at);
  }

  /** Too many ids to hold are forgotten, and the repositories that they may belong to are attributed as a whole. */
  #remember(ids: Set<string>, id: string): void {
    ids.add(id);
    this.#remembered += 1;
    if (this.#remembered <= this.#maxIds) return;
    this.#remembered = 0;
    for (const key of [...this.spans.keys()]) this.repository(key);
    for (const some of [this.inferredDeployments, this.unmerged, this.mergeShas, this.reverted]) some.clear();
  }
}

/** A number is what a deployment or a revert may name a pull request by. */
const factsAndNumber = [...pullRequestFacts, 'pr_number'] as const;
/** Where a pull request stands on its branches, and by which commit. */
const placeColumns = ['repository_key', 'pr_merged_at', 'base_branch', 'head_branch', 'merge_commit_sha'] as const;
/** What a revert may call a merged pull request by. */
const revertNames = ['pr_number', 'pr_title', 'merge_commit_sha'] as const satisfies readonly (keyof PullRequestRow)[];
/** What decides which reverts mean it, and whether it is one itself. */
const revertColumns = ['repository_key', 'pr_merged_at', 'revert_marks', ...revertNames] as const;

/** Everything between the first and the last moment that some versions of a pull request stand at. */
function spanOf(rows: readonly NonNullable<Seen<PullRequestRow>>[]): [first: SpanTime, last: SpanTime] {
  const merged = rows.filter(({ pr_merged_at }) => pr_merged_at !== null);
  if (merged.length === 0) return [null, null];
  if (merged.some(({ pr_merged_at }) => pr_merged_at === undefined)) return [undefined, undefined];
  const times = merged.flatMap(({ pr_merged_at, production_merged_at, deployed_at }) =>
    [pr_merged_at, production_merged_at, deployed_at].flatMap((at) => at ?? []),
  );
  return [Math.min(...times), Math.max(...times)];
}

type SpanTime = number | null | undefined;

type NamedRow = { readonly [C in 'pr_merged_at' | (typeof revertNames)[number]]?: PullRequestRow[C] | undefined };

/** What reverts may call pull requests by, in each repository. */
class NamedByReverts {
  readonly #names = new Map<string, Set<string>>();
  #first = theEnd;
  #held = 0;
  readonly #maxNames: number;

  /** Beyond this number every revert of the repositories counts as one that names something. */
  constructor(maxNames: number) {
    this.#maxNames = maxNames;
  }

  get size(): number {
    return this.#names.size;
  }

  /** One that is open cannot be taken back. Commits are not told apart: few reverts name one. */
  add(key: string | null | undefined, { pr_merged_at: at, pr_number, pr_title }: NamedRow): void {
    if (!key || at === null) return;
    const names = this.#names.get(key) ?? new Set();
    this.#names.set(key, names);
    this.#first = Math.min(this.#first, at ?? theBeginning);
    this.#held += 2;
    if (this.#held > this.#maxNames) return;
    names.add(byCommit);
    if (pr_number != null) names.add(`#${pr_number}`);
    if (pr_title) names.add(`"${pr_title}`);
  }

  /** Touches the reverts that name one of these, and those that take those back in turn: they may take back another one. */
  async touchReverts(session: AttributionReader, spans: Spans): Promise<void> {
    if (this.#names.size === 0) return;
    const columns = ['repository_key', 'pr_merged_at', 'deployed_at', 'revert_marks', ...revertNames] as const;
    const isLater = any(since('pr_merged_at', this.#first), isNull('pr_merged_at'));
    const reverting = all(inRepositories(this.#names.keys()), notNull('revert_marks'), isLater);
    let others = await session.select(pullRequests, columns, reverting);
    for (let isNew = true; isNew; ) {
      isNew = false;
      others = others.filter((row) => {
        const marks = parseRevertMarks(row.revert_marks);
        if (!marks || !this.#isNamed(row.repository_key ?? noRepository, marks)) return true;
        spans.touch(row.repository_key ?? noRepository, row.pr_merged_at, latestOf(row.pr_merged_at, row.deployed_at));
        this.add(row.repository_key, row);
        isNew = true;
        return false;
      });
    }
  }

  #isNamed(key: string, { number, quotedNumber, title, sha }: RevertMarks): boolean {
    const names = this.#names.get(key);
    if (!names) return false;
    return (
      this.#held > this.#maxNames ||
      [number, quotedNumber].some((one) => one !== undefined && names.has(`#${one}`)) ||
      (title !== undefined && names.has(`"${title}`)) ||
      (sha !== undefined && names.has(byCommit))
    );
  }
}

const byCommit = 'commit';

/** Of times of a merged pull request, the last. */
const latestOf = (merged: number | null, ...others: readonly (number | null | undefined)[]): number | null =>
  merged === null ? null : others.reduce<number>((last, at) => Math.max(last, at ?? last), merged);
