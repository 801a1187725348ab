import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { openApp } from '../../src/main.ts';
import { fill, iso, pullRequest, twoYears } from './history.ts';
import { MemoryPeak, processorTime, report, timed, whole } from './report.ts';
import { folder, openOrganisation, people, repositories, sized } from './world.ts';

/**
 * Changing some rows of a long history made by the engine itself, so that the measurement is about the change and not about the filling. It is
 * as deriving it would have left it: one pull request of each person is derived, and others are made after it.
 */
export async function measureLongHistory(): Promise<void> {
  const { app, id } = await openOrganisation('long');
  const all = sized(10_000_000);
  await fill(app, id, 0, people, all);
  await app.close();
  const made = await timed(() => lengthen(join(folder, 'long', 'warehouse', `${id}.duckdb`), all));
  report(`(making ${whole(all)} pull requests without parts in the engine`, `${made.seconds.toFixed(1)} s)`);
  const held = process.memoryUsage().rss;
  const peak = new MemoryPeak();
  // With the memory of a small machine: an engine that may take more keeps what it has read.
  const again = await openApp({ folder: join(folder, 'long'), databaseUrl: undefined, memory: 600 * 2 ** 20 });
  const changed = sized(10_000);
  for (const [label, number] of [
    ['the most recent', (k: number) => all - 1 - k],
    ['any', (k: number) => (k * 997) % all],
  ] as const) {
    for (let round = 0; round < 2; round += 1) {
      const lines = Array.from({ length: changed }, (_, k) => {
        const [record] = pullRequest(number(k), all).pull_requests as { readonly pr_merged_at: string }[];
        const pr_merged_at = iso(Date.parse(record?.pr_merged_at ?? '') / 1_000 + 60);
        return { line: k, value: { ...record, pr_merged_at, pr_title: `Changed ${round}` } };
      });
      const cost = await timed(() => again.ingest.put(id, [{ table: 'pull_requests', lines }]));
      const what = round === 0 ? 'the merge times of' : 'the titles of';
      report(
        `changing ${what} ${whole(changed)} of ${whole(all)}, ${label}`,
        `${cost.seconds.toFixed(2)} s, ${processorTime(cost)}`,
      );
    }
  }
  report('most memory since then', `${whole(peak.bytes / 1e6)} MB, ${whole(held / 1e6)} of it held by the making`);
  peak.stop();
  await again.close();
}

async function lengthen(path: string, all: number): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const created = `(TIMESTAMP '2023-01-02' + INTERVAL ((i * ${twoYears} // ${all})::BIGINT) SECOND)`;
  const merged = `(${created} + INTERVAL ((3600 + (i % 97) * 1800)::BIGINT) SECOND)`;
  const number = `(i % ${repositories})`;
  const id = `'github:bench/repository-' || ${number} || '#' || i`;
  const url = `'https://github.example/bench/repository-' || ${number} || '/pull/' || i`;
  const repository = `'bench/repository-' || ${number}`;
  const seconds = `(3600 + (i % 97) * 1800)`;
  const complexity = `log2(1 + (i * 13) % 700 + (i * 5) % 200) + sqrt(1 + (i % 20)) + 1`;
  const author = `'person' || ((i * 7) % ${people})`;
  await connection.run('CREATE TEMP TABLE made AS SELECT * FROM pull_requests');
  await connection.run(`INSERT INTO pull_requests BY NAME SELECT * EXCLUDE (i) REPLACE (
      ${id} AS pr_id, i AS pr_number, 'Change number ' || i || ' of the service' AS pr_title, ${url} AS pr_url,
      'What this changes and why it is needed, in a few words, for number ' || i || '.' AS pr_body,
      ${repository} AS repository, 'repository-' || ${number} AS repository_name, ${repository} AS repository_key,
      ${created} AS pr_created_at, ${created} AS opened_at,
      ${merged} AS pr_merged_at, ${merged} AS pr_closed_at, (i * 13) % 700 AS additions, (i * 5) % 200 AS deletions,
      1 + (i % 20) AS changed_files, ${complexity} AS raw_complexity, 'topic-' || i AS head_branch, printf('%040x', i) AS merge_commit_sha,
      NULL AS first_commit_at, NULL AS last_commit_at, NULL AS first_review_at, NULL AS first_comment_at,
      NULL AS coding_time, NULL AS pickup_time, NULL AS review_time, NULL AS rework_time,
      ${seconds} AS cycle_time, NULL AS time_to_first_comment, NULL AS is_reworked, 0 AS review_rounds,
      '0' AS review_rounds_bucket, 0 AS reviews_count, 0 AS reviewers_count, 0 AS commits_count,
      year(${merged}) * 4 + quarter(${merged}) - 1 AS merged_quarter, ${merged} AS production_merged_at,
      'merge:' || ${id} AS deployment_id, ${merged} AS deployed_at, ${seconds} AS lead_time, 0 AS merge_to_deploy,
      ${seconds} AS open_to_deploy)
    FROM range(${people}, ${all}) r(i) JOIN made ON made.person_login = ${author}`);
  await connection.run('CREATE TEMP TABLE merges AS SELECT * FROM deployments');
  await connection.run(`INSERT INTO deployments BY NAME SELECT * EXCLUDE (i) REPLACE (
      'merge:' || ${id} AS deployment_id, ${repository} AS repository, 'repository-' || ${number} AS repository_name,
      ${repository} AS repository_key, ${merged} AS deployed_at,
      printf('%040x', i) AS sha, ${url} AS run_url)
    FROM range(${people}, ${all}) r(i) JOIN merges ON merges.person_login = ${author}`);
  await connection.run('CHECKPOINT');
  connection.closeSync();
  instance.closeSync();
}
