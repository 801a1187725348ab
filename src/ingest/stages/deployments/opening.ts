import { type DeploymentRow, deployments } from '../../../catalogue/tables/deployments.ts';
import type { PullRequestRow } from '../../../catalogue/tables/pull-requests.ts';
import type { Reading } from '../../../warehouse/warehouse.ts';
import { passesOn } from '../../derive/deployments/branches.ts';
import { isDeployRun, isReleased } from '../../derive/deployments/derived-deployment.ts';
import { environmentKey } from '../../derive/deployments/production.ts';
import { type Moves, makeChoices } from './choices.ts';
import { all, among, formsOf, is, notNull, nowhere } from './conditions.ts';
import { type Change, type DeploymentTouches, differ, type Seen } from './deployment-touches.ts';
import type { Doubts } from './doubts.ts';
import { type Library, openLibrary } from './library.ts';

/** Columns of a pull request that others’ stories depend on. What else it has only times itself. */
const placing = [
  'repository_key',
  'pr_merged_at',
  'base_branch',
  'head_branch',
  'merge_commit_sha',
  'is_hotfix',
  'revert_marks',
] as const satisfies readonly (keyof PullRequestRow)[];

/** Takes out the books of every repository that the touches concern, with the choices made and marked from when on. */
export async function openBooks(session: Reading, touches: DeploymentTouches, doubts: Doubts): Promise<Library> {
  const library = await openLibrary(session);
  const moves = noteMoves(touches, library);
  await makeChoices(session, touches, library, moves);
  for (const [id, change] of touches.pullRequests) notePullRequest(id, change, library, doubts);
  for (const [id, change] of touches.deployments) noteStated(id, change, library, doubts);
  for (const [id, { before, after }] of touches.releases) {
    for (const row of [before, after]) {
      if (typeof row?.repository_key !== 'string') continue;
      library.book(row.repository_key).releases.add(id);
      library.book(row.repository_key).countReleasesSince(row.release_date);
    }
  }
  await noteCommits(session, touches, library);
  return library;
}

/** Opens the books that rows of this batch belong to, and says what has moved of that on which their choices rest. */
function noteMoves(touches: DeploymentTouches, library: Library): Map<string, Moves> {
  const moves = new Map<string, Moves>();
  const movesOf = (key: string): Moves => {
    library.book(key);
    const known = moves.get(key) ?? {
      gainedBases: new Set(),
      lostBases: new Set(),
      hasStated: false,
      hasDerivable: false,
    };
    moves.set(key, known);
    return known;
  };
  for (const { before, after } of touches.pullRequests.values()) {
    const isMoved = differ({ before, after }, ['repository_key', 'base_branch']);
    if (typeof before?.repository_key === 'string') {
      const known = movesOf(before.repository_key);
      if (isMoved && typeof before.base_branch === 'string') known.lostBases.add(before.base_branch);
      if (after?.repository_key !== before.repository_key) library.book(before.repository_key).mayBeEmpty = true;
    }
    if (typeof after?.repository_key === 'string') {
      const known = movesOf(after.repository_key);
      if (isMoved && typeof after.base_branch === 'string') known.gainedBases.add(after.base_branch);
    }
  }
  for (const { before, after } of touches.deployments.values()) {
    const isMoved = differ({ before, after }, [
      'origin',
      'repository_key',
      'given_deployment_source',
      'given_is_production',
      'environment',
    ]);
    for (const row of [before, after]) {
      if (!row) continue;
      const key = row.repository_key ?? nowhere;
      if (isMoved) movesOf(key).hasStated = true;
      else library.book(key);
      if (row === before && after?.repository_key !== row.repository_key) library.book(key).mayBeEmpty = true;
    }
  }
  for (const { before, after } of touches.releases.values()) {
    const counts = (row: typeof before): boolean =>
      row !== undefined &&
      isReleased({ release_date: row.release_date ?? null, is_prerelease: row.is_prerelease ?? null });
    const isMoved = counts(before) !== counts(after) || before?.repository_key !== after?.repository_key;
    for (const row of [before, after]) {
      if (typeof row?.repository_key !== 'string') continue;
      const known = movesOf(row.repository_key);
      known.hasDerivable ||= isMoved;
      if (row === before && isMoved) library.book(row.repository_key).mayBeEmpty = true;
    }
  }
  for (const { before, after } of touches.runs.values()) {
    for (const row of [before, after]) {
      if (typeof row?.repository_key !== 'string') continue;
      const { workflow_name = null, environment = null, run_conclusion = null } = row;
      // Most runs deploy nothing, and then nothing need be asked.
      if (!isDeployRun({ workflow_name, environment, run_conclusion }, library.settingsOf(row.repository_key)))
        continue;
      movesOf(row.repository_key).hasDerivable = true;
      if (row === before) library.book(row.repository_key).mayBeEmpty = true;
    }
  }
  for (const key of touches.repositories) library.book(key).isAnew = true;
  return moves;
}

/** A pull request that others’ stories depend on is told with everything since it was merged; else only itself. */
function notePullRequest(id: string, change: Change<PullRequestRow>, library: Library, doubts: Doubts): void {
  const isPlaced = differ(change, placing);
  const { before, after } = change;
  if (before?.deployment_id && before.repository_key !== after?.repository_key) {
    doubts.deployments.add(before.deployment_id);
  }
  for (const row of [before, after]) {
    const key = row?.repository_key;
    if (!row || typeof key !== 'string') continue;
    const book = library.book(key);
    if (row === after) {
      book.tellPullRequest(id);
      if (!isPlaced) book.timed.add(id);
    }
    if (typeof row.pr_merged_at !== 'number') continue;
    if (isPlaced) {
      book.tellSince(row.pr_merged_at, row.production_merged_at, row.deployed_at);
      if (passesOn(mergingOf(row), book.branches)) book.isPromotionMoved = true;
      if (row === before) book.countReleasesSince(row.production_merged_at);
    }
    if (row.is_hotfix === true && (isPlaced || differ(change, ['pr_created_at']))) {
      doubts.add(key, 'hotfixes', row.pr_merged_at, row.deployed_at);
    }
  }
}

const mergingOf = ({ base_branch = null, head_branch = null }: Seen<PullRequestRow>) => ({ base_branch, head_branch });

/** What a deployment was; what it is now is told once it is known whether it counts. */
function noteStated(id: string, { before, after }: Change<DeploymentRow>, library: Library, doubts: Doubts): void {
  if (before?.is_production === true) {
    const key = before.repository_key ?? nowhere;
    library.book(key).tellSince(before.deployed_at);
    doubts.leaveEnvironment(key, environmentKey(before.environment ?? null));
  }
  if (after) {
    library.book(after.repository_key ?? nowhere).deployments.add(id);
    doubts.deployments.add(id);
  }
}

/**
 * Deployments of commits that came to pull requests of this batch, or went from them, and of merges that are said to
 * have been later than the deployment: they hold something else now.
 */
async function noteCommits(session: Reading, touches: DeploymentTouches, library: Library): Promise<void> {
  const shas = new Set<string>();
  const add = (sha: string | null | undefined) => {
    for (const form of sha ? formsOf(sha) : []) shas.add(form);
  };
  for (const { before, after } of touches.commits) for (const row of [before, after]) add(row?.sha);
  for (const change of touches.pullRequests.values()) {
    if (!differ(change, placing)) continue;
    for (const row of [change.before, change.after]) {
      if (typeof row?.repository_key !== 'string' || typeof row.pr_merged_at !== 'number') continue;
      // Where every merge is a deployment, each is where it is by itself.
      if (library.book(row.repository_key).origin !== 'merge') add(row.merge_commit_sha);
    }
  }
  if (shas.size === 0) return;
  const built = all(is('is_production', true), among('origin', ['stated', 'release', 'run']), notNull('sha'));
  // Where every merge is a deployment nothing is built from a commit, and there may be many merges.
  if ((await session.tally(deployments, ['origin'], built)).length === 0) return;
  const rows = await session.select(deployments, ['repository_key', 'deployed_at'], all(among('sha', shas), built));
  for (const { repository_key, deployed_at } of rows) library.book(repository_key ?? nowhere).tellSince(deployed_at);
}
