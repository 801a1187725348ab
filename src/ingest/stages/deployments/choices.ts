import { deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../../catalogue/tables/workflow-runs.ts';
import type { Reading } from '../../../warehouse/warehouse.ts';
import { chooseProductionBranch, isPromotion, usualBranches } from '../../derive/deployments/branches.ts';
import { chooseSource, statedSource } from '../../derive/deployments/deployment-source.ts';
import { conclusionsOfDeployments } from '../../derive/deployments/derived-deployment.ts';
import { isProductionDeploy, isProductionEnvironment } from '../../derive/deployments/production.ts';
import type { DeploymentSource } from '../../derive/deployments/repository-settings.ts';
import type { Book } from './book.ts';
import { all, among, any, inRepositories, is, isNull, notNull, nowhere } from './conditions.ts';
import { type DeploymentTouches, differ } from './deployment-touches.ts';
import type { Library } from './library.ts';

/** What a batch has moved of that on which the choices for a repository rest. */
export interface Moves {
  /** Branches that pull requests are merged into now and were not before, and the other way round. */
  readonly gainedBases: Set<string>;
  readonly lostBases: Set<string>;
  hasStated: boolean;
  hasDerivable: boolean;
}

/** Chooses branch and source of every open book, asking only where the batch can have changed the answer. */
export async function makeChoices(
  session: Reading,
  touches: DeploymentTouches,
  library: Library,
  moves: ReadonlyMap<string, Moves>,
): Promise<void> {
  const books = [...library.books.values()];
  await chooseBranches(session, books, moves);
  await chooseSources(session, books, moves);
  for (const book of books) book.compareWithStory();
  await chooseModels(session, touches, books);
}

async function chooseBranches(session: Reading, books: readonly Book[], moves: ReadonlyMap<string, Moves>) {
  const asked: Book[] = [];
  for (const book of books) {
    const { productionBranch, defaultBranch } = book.settings;
    const set = productionBranch ?? defaultBranch;
    if (set !== null) book.productionBranch = set;
    else if (book.isAnew || mayMove(book, moves.get(book.key))) asked.push(book);
  }
  if (asked.length === 0) return;
  const bases = new Map<string, Map<string, number>>();
  const rows = await session.tally(
    pullRequests,
    ['repository_key', 'base_branch'],
    inRepositories(asked.map(({ key }) => key)),
  );
  for (const { repository_key, base_branch, rows: times } of rows) {
    if (base_branch === null || repository_key === null) continue;
    const known = bases.get(repository_key) ?? new Map<string, number>();
    bases.set(repository_key, known.set(base_branch, times));
  }
  for (const book of asked) {
    book.productionBranch = chooseProductionBranch(book.settings, bases.get(book.key) ?? new Map());
  }
}

/** Most repositories have a main, and one more pull request into it changes nothing. */
function mayMove({ story }: Book, moves: Moves | undefined): boolean {
  const { gainedBases: gained, lostBases: lost } = moves ?? { gainedBases: new Set(), lostBases: new Set() };
  if (gained.size === 0 && lost.size === 0) return false;
  const [main, master] = usualBranches;
  const branch = story?.production_branch;
  if (branch === main && gained.has(main)) return false;
  return !(branch === master && gained.size === 1 && gained.has(master) && !lost.has(main));
}

async function chooseSources(session: Reading, books: readonly Book[], moves: ReadonlyMap<string, Moves>) {
  const mayStateNow = (book: Book) => book.isAnew || moves.get(book.key)?.hasStated === true;
  const open = books.filter((book) => {
    if (mayStateNow(book)) return true;
    return !book.isStated && book.settings.source === null && moves.get(book.key)?.hasDerivable === true;
  });
  const stated = await statedSources(session, open.filter(mayStateNow));
  const none: ReadonlyMap<DeploymentSource, boolean> = new Map();
  const statedIn = (book: Book) => stated.get(book.key) ?? none;
  const derived = open.filter((book) => book.settings.source === null && statedIn(book).size === 0);
  const released = await releasedIn(session, derived);
  const deployed = await deployedIn(
    session,
    derived.filter(({ key }) => !released.has(key)),
  );
  for (const book of open) {
    book.choose(
      chooseSource(book.settings.source, {
        stated: statedIn(book),
        hasRelease: released.has(book.key),
        hasDeployRun: deployed.has(book.key),
      }),
    );
  }
}

async function statedSources(session: Reading, books: readonly Book[]) {
  const sources = new Map<string, Map<DeploymentSource, boolean>>();
  if (books.length === 0) return sources;
  const byKey = new Map(books.map((book) => [book.key, book]));
  const rows = await session.tally(
    deployments,
    ['repository_key', 'given_deployment_source', 'given_is_production', 'environment'],
    all(inRepositories(byKey.keys()), is('origin', 'stated')),
  );
  for (const row of rows) {
    const book = byKey.get(row.repository_key ?? nowhere);
    if (!book) continue;
    const known = sources.get(book.key) ?? new Map<DeploymentSource, boolean>();
    const source = statedSource(row.given_deployment_source);
    const isProduction = row.given_is_production ?? isProductionEnvironment(row.environment, book.settings);
    sources.set(book.key, known.set(source, isProduction || known.get(source) === true));
  }
  return sources;
}

async function releasedIn(session: Reading, books: readonly Book[]): Promise<Set<string>> {
  if (books.length === 0) return new Set();
  const rows = await session.tally(
    releaseDetails,
    ['repository_key'],
    all(
      inRepositories(books.map(({ key }) => key)),
      notNull('release_date'),
      any(is('is_prerelease', false), isNull('is_prerelease')),
    ),
  );
  return new Set(rows.map(({ repository_key }) => repository_key ?? nowhere));
}

async function deployedIn(session: Reading, books: readonly Book[]): Promise<Set<string>> {
  if (books.length === 0) return new Set();
  const byKey = new Map(books.map((book) => [book.key, book]));
  const rows = await session.tally(
    workflowRuns,
    ['repository_key', 'workflow_name', 'environment'],
    all(inRepositories(byKey.keys()), among('run_conclusion', conclusionsOfDeployments)),
  );
  const deployed = new Set<string>();
  for (const row of rows) {
    const book = byKey.get(row.repository_key ?? nowhere);
    if (book && isProductionDeploy(row, book.settings)) deployed.add(book.key);
  }
  return deployed;
}

/**
 * A repository promotes once it has a merged promotion. Books that are told anew see all of their pull requests anyway;
 * for the others, what comes and goes in this batch decides.
 */
async function chooseModels(session: Reading, touches: DeploymentTouches, books: readonly Book[]) {
  const told = new Map(books.flatMap((book) => (book.isAnew ? [] : [[book.key, { book, branches: book.branches }]])));
  const gained = new Set<Book>();
  const lost = new Set<Book>();
  for (const change of touches.pullRequests.values()) {
    if (!differ(change, ['repository_key', 'pr_merged_at', 'base_branch', 'head_branch'])) continue;
    for (const [row, found] of [
      [change.before, lost],
      [change.after, gained],
    ] as const) {
      const { book, branches } = told.get(row?.repository_key ?? nowhere) ?? {};
      if (!row || !book || !branches || typeof row.pr_merged_at !== 'number') continue;
      const merging = { base_branch: row.base_branch ?? null, head_branch: row.head_branch ?? null };
      if (isPromotion(merging, branches)) found.add(book);
    }
  }
  for (const book of gained) if (book.model === 'trunk') book.isAnew = true;
  const doubtful = [...lost].filter((book) => book.model === 'promotion' && !gained.has(book));
  if (doubtful.length === 0) return;
  const rows = await session.select(
    pullRequests,
    ['pr_id', 'repository_key'],
    all(inRepositories(doubtful.map(({ key }) => key)), is('is_promotion_pr', true), notNull('pr_merged_at')),
  );
  const promoted = new Set<string | null>();
  for (const { pr_id, repository_key } of rows) {
    const change = touches.pullRequests.get(pr_id ?? '');
    const isMoved = change && differ(change, ['repository_key', 'pr_merged_at', 'base_branch', 'head_branch']);
    if (!isMoved) promoted.add(repository_key);
  }
  for (const book of doubtful) if (!promoted.has(book.key)) book.isAnew = true;
}
