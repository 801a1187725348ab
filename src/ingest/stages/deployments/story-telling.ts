import { type RepositoryStoryRow, repositoryStories } from '../../../catalogue/ledgers/ledgers.ts';
import { type DeploymentRow, deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { Writing } from '../../../warehouse/warehouse.ts';
import { failureColumns } from '../../derive/deployments/failures.ts';
import { outcomeColumns, type PullRequestOutcome } from '../../derive/deployments/pull-request-outcome.ts';
import { tellStory } from '../../derive/deployments/story.ts';
import {
  type FirstSignal,
  isSettled,
  type Story,
  type StoryDeployment,
  type StoryPullRequest,
  toldColumns,
} from '../../derive/deployments/story-facts.ts';
import type { Book } from './book.ts';
import { among, nowhere } from './conditions.ts';
import type { Doubts } from './doubts.ts';
import type { Horizon } from './horizons.ts';
import { allColumns, type Library } from './library.ts';
import { makeAnew } from './made-deployments.ts';
import type { FoundRevert } from './revert-candidates.ts';
import { byRepository, loadAnchors, loadDeployments, loadEarlier, loadNaming, loadPullRequests } from './story-rows.ts';

/** Tells some repositories from one time on, and writes what has become different. */
export async function tellStories(
  session: Writing,
  horizon: Horizon<Book>,
  library: Library,
  reverts: ReadonlyMap<string, FoundRevert>,
  doubts: Doubts,
): Promise<void> {
  const anew = horizon.books.filter(({ isAnew }) => isAnew);
  if (anew.length > 0) await makeAnew(session, anew);
  const kept = await loadDeployments(session, horizon);
  const rows = withMade(horizon.books, kept);
  const earlier = await loadEarlier(session, horizon, rows);
  const prs = await loadPullRequests(session, horizon);
  const anchors = await loadAnchors(session, horizon, [...rows, ...earlier], prs);
  const isOpen = (pr: StoryPullRequest) => !isSettled(pr, library.book(pr.repository_key ?? nowhere).since);
  const naming = await loadNaming(
    session,
    prs.filter((pr) => pr.pr_merged_at !== null && isOpen(pr)).map(({ pr_id }) => pr_id),
    library,
  );
  const parts = {
    deployments: byRepository(rows),
    earlier: byRepository(earlier),
    pullRequests: byRepository(prs),
    merges: byRepository(anchors.merges),
    commits: byRepository(anchors.commits.map((one) => ({ ...one, repository_key: one.owner.repository_key }))),
  };
  const changes = new Changes();
  for (const book of horizon.books) {
    const story = tellStory({
      since: book.since,
      branches: book.branches,
      source: book.source,
      isStated: book.isStated,
      isEveryMerge: book.origin === 'merge',
      isActive: book.settings.isActive,
      model: book.isAnew ? undefined : book.model,
      first: firstOf(book),
      deployments: parts.deployments.get(book.key) ?? [],
      earlier: parts.earlier.get(book.key) ?? [],
      pullRequests: parts.pullRequests.get(book.key) ?? [],
      anchors: { merges: parts.merges.get(book.key) ?? [], commits: parts.commits.get(book.key) ?? [] },
      naming,
      reverts,
    });
    changes.comparePullRequests(book, story, parts.pullRequests.get(book.key) ?? [], doubts);
    changes.compareDeployments(book, story, parts.deployments.get(book.key) ?? []);
    changes.compareStory(book, story, parts.deployments.has(book.key) || parts.pullRequests.has(book.key));
    noteNaming(book, story, parts.deployments.get(book.key) ?? [], doubts);
    doubts.add(book.key, 'changed', book.since);
    book.made = undefined;
  }
  await changes.write(session);
}

/** Rows as they should be, where they are made of others, in the place of what is kept. */
function withMade(books: readonly Book[], kept: readonly StoryDeployment[]): StoryDeployment[] {
  const rows = new Map(kept.map((row) => [row.deployment_id, row]));
  for (const { made } of books) {
    for (const [id, row] of made?.wanted ?? []) rows.set(id, { ...row, ...told(made?.kept.get(id) ?? row) });
  }
  return [...rows.values()];
}

const told = (row: StoryDeployment) => Object.fromEntries(toldColumns.map((column) => [column, row[column]]));

function firstOf({ story }: Book): FirstSignal | undefined {
  const {
    first_deployment_id: id = null,
    first_deployed_at: at = null,
    first_carried_until: until = null,
  } = story ?? {};
  return id === null || at === null || until === null ? undefined : { id, at, until };
}

/** Deployments that name what they carried are counted once all repositories have been told. */
function noteNaming(book: Book, story: Story, rows: readonly StoryDeployment[], doubts: Doubts): void {
  for (const { deployment_id, pr_ids } of rows) {
    if (deployment_id !== null && pr_ids !== null && story.deployments.has(deployment_id)) {
      if (book.settings.isActive) doubts.deployments.add(deployment_id);
    }
  }
}

/** What telling has made different, gathered so that each table is written once. */
class Changes {
  readonly #pullRequests: (PullRequestOutcome & { readonly pr_id: string })[] = [];
  /** Columns that are different in any of them. The others need not be written. */
  readonly #moved = new Set<(typeof outcomeColumns)[number]>();
  readonly #told: StoryDeployment[] = [];
  readonly #put: DeploymentRow[] = [];
  readonly #stories: RepositoryStoryRow[] = [];
  readonly #endedStories: string[] = [];

  comparePullRequests(book: Book, story: Story, rows: readonly StoryPullRequest[], doubts: Doubts): void {
    for (const pr of rows) {
      const outcome = story.pullRequests.get(pr.pr_id);
      if (!outcome) continue;
      const moved = outcomeColumns.filter((column) => outcome[column] !== pr[column]);
      if (moved.length > 0) this.#pullRequests.push({ pr_id: pr.pr_id, ...outcome });
      for (const column of moved) this.#moved.add(column);
      noteFate(book, story, pr, outcome, doubts);
    }
  }

  compareDeployments({ made }: Book, story: Story, rows: readonly StoryDeployment[]): void {
    for (const row of rows) {
      const id = row.deployment_id ?? '';
      const now = { ...row, ...story.deployments.get(id) };
      const wanted = made?.wanted.get(id);
      if (!wanted) {
        if (toldColumns.some((column) => now[column] !== row[column])) this.#told.push(now);
        continue;
      }
      const kept = made?.kept.get(id);
      const whole: DeploymentRow = { ...wanted, ...failed(kept ?? wanted), ...told(now) };
      if (!kept || everyColumn.some((column) => whole[column] !== kept[column])) this.#put.push(whole);
    }
  }

  compareStory(book: Book, { model, first }: Story, isAnything: boolean): void {
    const row: RepositoryStoryRow = {
      repository_key: book.key,
      production_branch: book.productionBranch,
      deployment_source: book.source,
      is_stated: book.isStated,
      branching_model: model,
      is_active: book.settings.isActive,
      first_deployment_id: first?.id ?? null,
      first_deployed_at: first?.at ?? null,
      first_carried_until: first?.until ?? null,
    };
    book.hasStory = !book.isAnew || isAnything;
    if (!book.hasStory) {
      if (book.story) this.#endedStories.push(book.key);
      return;
    }
    if (allColumns(repositoryStories).some((column) => row[column] !== book.story?.[column])) this.#stories.push(row);
  }

  async write(session: Writing): Promise<void> {
    await session.put(deployments, this.#put);
    await session.patch(deployments, toldColumns, this.#told);
    await session.patch(pullRequests, [...this.#moved], this.#pullRequests);
    await session.put(repositoryStories, this.#stories);
    if (this.#endedStories.length > 0) {
      await session.remove(repositoryStories, among('repository_key', this.#endedStories));
    }
  }
}

const everyColumn = allColumns(deployments);

const failed = (row: DeploymentRow) => Object.fromEntries(failureColumns.map((column) => [column, row[column]]));

/** Whatever blames or excuses a deployment because of what became of this pull request. */
function noteFate(book: Book, story: Story, pr: StoryPullRequest, outcome: PullRequestOutcome, doubts: Doubts): void {
  if (pr.production_merged_at !== outcome.production_merged_at) {
    book.countReleasesSince(pr.production_merged_at, outcome.production_merged_at);
  }
  const isMoved = pr.deployment_id !== outcome.deployment_id || pr.deployed_at !== outcome.deployed_at;
  if (isMoved && outcome.reverts_pr_id !== null) doubts.reverted.add(outcome.reverts_pr_id);
  if (isMoved && pr.is_hotfix === true) {
    doubts.add(book.key, 'hotfixes', pr.pr_merged_at, pr.deployed_at, outcome.deployed_at);
  }
  if (!isMoved && (!book.pullRequests.has(pr.pr_id) || book.timed.has(pr.pr_id))) return;
  for (const id of [pr.deployment_id, outcome.deployment_id]) {
    if (id !== null && !story.deployments.has(id)) doubts.deployments.add(id);
  }
}
