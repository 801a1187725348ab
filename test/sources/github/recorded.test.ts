import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pullRequestComments, pullRequestEvents } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { type PullRequestRow, pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { Syncs } from '../../../src/jobs/syncs.ts';
import { github } from '../../../src/sources/github/github.ts';
import { type RecordsApp, recordsApp } from '../../ingest/records-app.ts';
import { addToySource } from '../../jobs/toy-sync.ts';
import { isLong, times } from '../../setup/how-long.ts';
import { recordedDataAvailable, recordedDataFolder } from '../../setup/recorded-data.ts';
import { memoryInMap, readGithub } from './replay/read-source.ts';
import { recordedAnts, recordedBitcoin } from './replay/recorded-world.ts';
import { type ReplayServer, startReplay } from './replay/server.ts';

type Truth = Readonly<Record<string, string>>;

const seconds = (time: string | undefined): number | null => (time ? Date.parse(time) / 1_000 : null);
const columns = [
  'pr_number',
  'pr_state',
  'is_draft',
  'pr_created_at',
  'pr_merged_at',
  'pr_closed_at',
  'ready_at',
  'person_login',
  'additions',
  'deletions',
  'changed_files',
  'first_commit_at',
  'commits_count',
  'reviews_count',
  'reviewers_count',
  'first_review_at',
  'first_comment_at',
] as const satisfies readonly (keyof PullRequestRow)[];
type Row = Pick<PullRequestRow, (typeof columns)[number]>;

/** Deriving takes most of the time. Every third has deleted accounts and drafts among them, too; the long run has all. */
const every = times(3, 1);

describe.skipIf(!recordedDataAvailable)('a sync of the recorded pull requests of bitcoin/bitcoin', () => {
  let records: RecordsApp;
  let server: ReplayServer;
  let rows: Row[];
  let truths: Truth[];
  let sync: () => Promise<string | undefined>;

  beforeAll(async () => {
    records = await recordsApp();
    server = await startReplay(recordedBitcoin(every));
    const { organisationId, sourceId } = await addToySource(records.app);
    const bot = { name: 'DrahtBot', logins: { github: 'DrahtBot' }, is_bot: true };
    await records.app.ingest.bringUp(organisationId);
    Object.assign(records.context, { organisationId });
    await records.directory('people', [bot]);
    const settings = { base_url: server.url, token: 'replay-token', repositories: ['bitcoin/bitcoin'] };
    const memory = memoryInMap();
    const syncs = new Syncs({
      directory: records.app.directory,
      ingest: records.app.ingest,
      prepare: async () => ({ kind: github, settings, mayBePrivate: () => true, memory }),
      holder: 'test',
      onError: (error) => {
        throw error;
      },
    });
    sync = async () => (await syncs.sync(sourceId, { signal: new AbortController().signal }))?.outcome;
    expect(await sync()).toBe('complete');
    const { warehouse } = records.app;
    rows = await warehouse.read(organisationId, (session) => session.select(pullRequests, columns));
    const table: Truth[] = parse(readFileSync(join(recordedDataFolder, 'github-bitcoin', 'truth_pulls_2023q1.csv')), {
      columns: true,
    });
    const synced = new Set(rows.map(({ pr_number }) => pr_number));
    truths = table.filter((truth) => synced.has(Number(truth.pr_number)));
  });
  afterAll(async () => {
    await server?.close();
    await records?.close();
  });

  const truthOf = ({ pr_number }: Row): Truth => truths.find((truth) => Number(truth.pr_number) === pr_number) ?? {};
  const differing = (column: keyof Row, expected: (truth: Truth) => unknown): number =>
    rows.filter((row) => row[column] !== expected(truthOf(row))).length;

  test('Brings all of them, as the table beside them has them', () => {
    expect(rows).toHaveLength(Math.ceil(384 / every));
    expect({
      person_login: differing('person_login', ({ author }) => (author === 'ghost' ? null : author)),
      pr_state: differing('pr_state', ({ state }) => state),
      is_draft: differing('is_draft', ({ draft }) => draft === '1'),
      pr_created_at: differing('pr_created_at', ({ created_at }) => seconds(created_at)),
      pr_merged_at: differing('pr_merged_at', ({ merged_at }) => seconds(merged_at)),
      pr_closed_at: differing('pr_closed_at', ({ closed_at }) => seconds(closed_at)),
      additions: differing('additions', ({ additions }) => Number(additions)),
      deletions: differing('deletions', ({ deletions }) => Number(deletions)),
      changed_files: differing('changed_files', ({ changed_files }) => Number(changed_files)),
      first_commit_at: differing('first_commit_at', ({ first_commit_authored_at }) =>
        seconds(first_commit_authored_at),
      ),
      commits_count: differing('commits_count', ({ commits_in_timeline }) => Number(commits_in_timeline)),
    }).toEqual({
      person_login: 0,
      pr_state: 0,
      is_draft: 0,
      pr_created_at: 0,
      pr_merged_at: 0,
      pr_closed_at: 0,
      additions: 0,
      deletions: 0,
      changed_files: 0,
      first_commit_at: 0,
      commits_count: 0,
    });
  });

  test('Agrees about reviews, but for those of deleted accounts, which the table passes over', () => {
    expect({
      reviews_count: differing('reviews_count', (truth) => Number(truth.reviews_non_author_non_bot)),
      reviewers_count: differing('reviewers_count', ({ reviewers }) => Number(reviewers)),
      first_review_at: differing('first_review_at', ({ first_review_at }) => seconds(first_review_at)),
      // There a review is no comment. Ours is the earlier of the two.
      first_comment_at: differing('first_comment_at', ({ first_comment_at }) => seconds(first_comment_at)),
    }).toEqual(
      isLong
        ? { reviews_count: 11, reviewers_count: 11, first_review_at: 3, first_comment_at: 83 }
        : { reviews_count: 5, reviewers_count: 5, first_review_at: 1, first_comment_at: 21 },
    );
  });

  test('Finds when each draft became ready', () => {
    const ready = rows.filter(({ ready_at }) => ready_at !== null);
    expect(ready).toHaveLength(isLong ? 42 : 17);
    for (const row of ready) expect(row.ready_at).toBe(seconds(truthOf(row).ready_for_review_at));
  });

  test('Brings every comment and every force-push', async () => {
    const { organisationId } = records.context;
    const counts = await records.app.warehouse.read(organisationId, async (session) => ({
      comments: (await session.select(pullRequestComments, ['comment_id'])).length,
      forcePushes: (await session.select(pullRequestEvents, ['event_type'])).filter(
        ({ event_type }) => event_type === 'head_ref_force_pushed',
      ).length,
    }));
    const sum = (field: string) => truths.reduce((total, truth) => total + Number(truth[field]), 0);
    expect(counts).toEqual({
      comments: sum('issue_comments_all') + sum('review_comments_all'),
      forcePushes: sum('force_pushes'),
    });
  });

  test('Asks one request for each stream the next time, since nothing is new', async () => {
    server.seen.splice(0);
    expect(await sync()).toBe('complete');
    // The repository, its owner's members, and six streams.
    expect(server.seen.map(({ status }) => status).toSorted()).toEqual([200, 200, 304, 304, 304, 304, 304, 304]);
  });
});

describe.skipIf(!recordedDataAvailable)('the recorded lists of panjf2000/ants', () => {
  test('Are all read, and nothing of them is of an unknown shape', async () => {
    // The lists lack what GraphQL never leaves out, such as the size of a pull request.
    const server = await startReplay(recordedAnts(), { hasGraphql: false });
    try {
      const { rows, failures } = await readGithub(server.url, { settings: { repositories: ['panjf2000/ants'] } });
      expect([failures.size, rows.problems]).toEqual([0, []]);
      const counts = Object.fromEntries(Object.entries(rows.all).map(([table, all]) => [table, all.length]));
      expect(counts).toMatchObject({
        pull_requests: 49,
        pull_request_reviews: 30,
        pull_request_commits: 90,
        workflow_runs: 35,
      });
    } finally {
      await server.close();
    }
  });
});
