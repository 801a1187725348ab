import { type DeploymentRow, deployments } from '../../../catalogue/tables/deployments.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import { releaseDetails } from '../../../catalogue/tables/release-details.ts';
import { workflowRuns } from '../../../catalogue/tables/workflow-runs.ts';
import type { Condition, Reading, Writing } from '../../../warehouse/warehouse.ts';
import {
  conclusionsOfDeployments,
  fromMerge,
  fromRelease,
  fromRun,
  type MergePart,
  madeFrom,
  mergeDeploymentId,
  releaseDeploymentId,
  runDeploymentId,
} from '../../derive/deployments/derived-deployment.ts';
import { environmentKey, isProductionDeploy } from '../../derive/deployments/production.ts';
import type { Book } from './book.ts';
import { all, among, inRepositories, notNull, nowhere } from './conditions.ts';
import { type Change, type DeploymentTouches, differ } from './deployment-touches.ts';
import type { Doubts } from './doubts.ts';
import { allColumns, type Library } from './library.ts';

const derivedOrigins = ['release', 'run', 'merge'] as const;

/** What the place of a deployment in its story depends on. */
const placing = [
  'deployed_at',
  'status',
  'environment',
  'version',
  'sha',
] as const satisfies readonly (keyof DeploymentRow)[];

/** The rows of this batch that deployments are made of, for books that are not told anew. */
export async function makeTouched(
  session: Writing,
  touches: DeploymentTouches,
  library: Library,
  doubts: Doubts,
): Promise<void> {
  const books = [...library.books.values()].filter(({ isAnew, origin }) => !isAnew && origin !== undefined);
  if (books.length === 0) return;
  const ids = new Map<string, Set<string>>(books.map(({ key }) => [key, new Set()]));
  const touched = { release: new Set<string>(), run: new Set<string>(), merge: new Set<string>() };
  const note = <R extends { readonly repository_key: string | null }>(
    origin: keyof typeof touched,
    changes: ReadonlyMap<string, Change<R>>,
    idOf: (id: string) => string,
  ) => {
    for (const [id, change] of changes) {
      if (!differ(change, madeFrom[origin] as readonly string[] as readonly (keyof R)[])) continue;
      for (const row of [change.before, change.after]) {
        const key = row?.repository_key;
        if (typeof key !== 'string' || library.books.get(key)?.origin !== origin) continue;
        ids.get(key)?.add(idOf(id));
        touched[origin].add(id);
      }
    }
  };
  note('release', touches.releases, releaseDeploymentId);
  note('run', touches.runs, runDeploymentId);
  note('merge', touches.pullRequests, mergeDeploymentId);
  // There are as many merges as pull requests, and most of them have come in full.
  const merges: MergePart[] = [];
  for (const id of touched.merge) {
    const after = touches.pullRequests.get(id)?.after;
    if (!after || !madeFrom.merge.every((column) => column in after)) continue;
    merges.push(after as MergePart);
    touched.merge.delete(id);
  }
  const wanted = await make(
    session,
    books,
    {
      release: touched.release.size > 0 ? among('release_id', touched.release) : undefined,
      run: touched.run.size > 0 ? among('workflow_run_id', touched.run) : undefined,
      merge: touched.merge.size > 0 ? among('pr_id', touched.merge) : undefined,
    },
    merges,
  );
  const known = [...ids.values()].flatMap((some) => [...some]);
  const kept =
    known.length > 0 ? await session.select(deployments, allColumns(deployments), among('deployment_id', known)) : [];
  await settle(session, books, wanted, kept);
  for (const book of books) {
    const { wanted: mine = new Map<string, DeploymentRow>(), kept: were = new Map<string, DeploymentRow>() } =
      book.made ?? {};
    for (const id of ids.get(book.key) ?? []) {
      const [before, after] = [were.get(id), mine.get(id)];
      if (before) doubts.leaveEnvironment(book.key, environmentKey(before.environment));
      if (after) book.deployments.add(id);
      // Without a time it is nowhere in the story, so it has to be looked at by itself.
      if (after && after.deployed_at === null) doubts.deployments.add(id);
      if (differ({ before, after }, placing)) book.tellSince(before?.deployed_at, after?.deployed_at);
    }
  }
}

/** All of them, for books that are told anew. */
export async function makeAnew(session: Writing, books: readonly Book[]): Promise<void> {
  const of = (origin: Book['origin']) => books.filter((book) => book.origin === origin);
  const [releasing, running, merging] = [of('release'), of('run'), of('merge')];
  const keys = (some: readonly Book[]) => inRepositories(some.map(({ key }) => key));
  const wanted = await make(session, books, {
    release: releasing.length > 0 ? all(keys(releasing), notNull('release_date')) : undefined,
    run: running.length > 0 ? await deployRuns(session, running) : undefined,
    merge: merging.length > 0 ? all(keys(merging), notNull('pr_merged_at')) : undefined,
  });
  const kept = await session.select(
    deployments,
    allColumns(deployments),
    all(keys(books), among('origin', derivedOrigins)),
  );
  await settle(session, books, wanted, kept);
}

/** Most runs deploy nothing, so it is first asked which workflows there are. */
async function deployRuns(session: Reading, books: readonly Book[]): Promise<Condition | undefined> {
  const byKey = new Map(books.map((book) => [book.key, book]));
  const ended = all(inRepositories(byKey.keys()), among('run_conclusion', conclusionsOfDeployments));
  const columns = ['repository_key', 'workflow_name', 'environment'] as const;
  const deploying = (await session.tally(workflowRuns, columns, ended)).filter((row) => {
    const book = byKey.get(row.repository_key ?? nowhere);
    return book && isProductionDeploy(row, book.settings);
  });
  if (deploying.length === 0) return undefined;
  return all(ended, { columns, among: deploying.map((row) => columns.map((column) => row[column])) });
}

type From = Readonly<Record<'release' | 'run' | 'merge', Condition | undefined>>;

async function make(
  session: Reading,
  books: readonly Book[],
  from: From,
  merges: readonly MergePart[] = [],
): Promise<DeploymentRow[]> {
  const byKey = new Map(books.map((book) => [book.key, book]));
  const made: (DeploymentRow | undefined)[] = [];
  const bookOf = (key: string | null, origin: Book['origin']) => {
    const book = byKey.get(key ?? nowhere);
    return book?.origin === origin ? book : undefined;
  };
  for (const row of from.release ? await session.select(releaseDetails, madeFrom.release, from.release) : []) {
    if (bookOf(row.repository_key, 'release')) made.push(fromRelease(row));
  }
  for (const row of from.run ? await session.select(workflowRuns, madeFrom.run, from.run) : []) {
    const book = bookOf(row.repository_key, 'run');
    if (book) made.push(fromRun(row, book.settings));
  }
  const others = from.merge ? await session.select(pullRequests, madeFrom.merge, from.merge) : [];
  for (const row of [...merges, ...others]) {
    const book = bookOf(row.repository_key, 'merge');
    if (book) made.push(fromMerge(row, book.productionBranch));
  }
  return made.filter((row) => row !== undefined);
}

/** Says what is wanted and what is kept, and removes what is no longer wanted: another repository may want it now. */
async function settle(
  session: Writing,
  books: readonly Book[],
  wanted: readonly DeploymentRow[],
  kept: readonly DeploymentRow[],
): Promise<void> {
  for (const book of books) book.made = { wanted: new Map(), kept: new Map() };
  const byKey = new Map(books.map((book) => [book.key, book]));
  const madeIn = (row: DeploymentRow) => byKey.get(row.repository_key ?? nowhere)?.made;
  for (const row of wanted) madeIn(row)?.wanted.set(row.deployment_id ?? '', row);
  for (const row of kept) {
    // A record may have stated one under the same name, which then is no longer made here.
    if (row.origin === 'stated') continue;
    madeIn(row)?.kept.set(row.deployment_id ?? '', row);
  }
  const gone = books.flatMap(({ made }) => [...(made?.kept.keys() ?? [])].filter((id) => !made?.wanted.has(id)));
  if (gone.length > 0) await session.remove(deployments, among('deployment_id', gone));
}
