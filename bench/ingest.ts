// `npm run bench:ingest`: records in, with everything derived, against the engine's own appender in the same run;
// recomputing everything; and changing a few rows of a long history. Absolute times are this machine's; ratios are not.
// PLUMB_BENCH_SHARE=0.01 runs a hundredth of it, to try it out; PLUMB_BENCH_PARTS=tables,repositories,backwards,rederive,long
// only some of it.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance, DuckDBTimestampValue } from '@duckdb/node-api';
import { type Row, storedColumns, type Table } from '../src/catalogue/table.ts';
import type { FactTable } from '../src/catalogue/tables/all-tables.ts';
import { pullRequestCommits, pullRequestReviews } from '../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../src/catalogue/tables/pull-requests.ts';
import { createOrganisation } from '../src/directory/organisations.ts';
import { putRecords } from '../src/directory/put-records.ts';
import { type App, openApp } from '../src/main.ts';

const share = Number(process.env.PLUMB_BENCH_SHARE ?? 1);
const parts = (process.env.PLUMB_BENCH_PARTS ?? 'tables,repositories,backwards,rederive,long').split(',');
const sized = (rows: number): number => Math.max(100, Math.round(rows * share));

const people = 400;
const repositories = 200;
const start = Date.UTC(2023, 0, 2) / 1_000;
const twoYears = 2 * 365 * 86_400;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
let peakRss = 0;
const watch = setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage().rss);
}, 200);

async function openOrganisation(name: string): Promise<{ app: App; id: string }> {
  mkdirSync(join(folder, name));
  const app = await openApp({ folder: join(folder, name), databaseUrl: undefined });
  const { id } = await createOrganisation(app.directory, { via: 'demo' }, { name, ownerEmail: 'owner@bench.example' });
  const context = { organisationId: id, actor: { via: 'demo' } } as const;
  const lines = Array.from({ length: people }, (_, i) => ({
    line: i + 1,
    value: {
      main_email: `person${i}@bench.example`,
      name: `Person ${i}`,
      github_username: `person${i}`,
      onboarded: true,
    },
  }));
  await putRecords(app.directory, context, 'people', lines);
  return { app, id };
}

const iso = (seconds: number): string => new Date(seconds * 1_000).toISOString();
const sha = (i: number): string => i.toString(16).padStart(40, '0');

/** A pull request of a history of `all` in two years, with two reviews and three commits. */
function pullRequest(
  i: number,
  all: number,
): Record<'pull_requests' | 'pull_request_reviews' | 'pull_request_commits', object[]> {
  const created = start + Math.floor((i * twoYears) / all);
  const merged = created + 3_600 + (i % 97) * 1_800;
  const id = `github:bench/repository-${i % repositories}#${i}`;
  const author = `person${(i * 7) % people}`;
  return {
    pull_requests: [
      {
        pr_id: id,
        pr_number: i,
        pr_title: `Change number ${i} of the service`,
        pr_url: `https://github.example/bench/repository-${i % repositories}/pull/${i}`,
        pr_body: `What this changes and why it is needed, in a few words, for number ${i}.`,
        source: 'github',
        repository: `bench/repository-${i % repositories}`,
        person_login: author,
        pr_state: 'merged',
        is_draft: false,
        pr_created_at: iso(created),
        pr_merged_at: iso(merged),
        pr_closed_at: iso(merged),
        additions: (i * 13) % 700,
        deletions: (i * 5) % 200,
        changed_files: 1 + (i % 20),
        base_branch: 'main',
        head_branch: `topic-${i}`,
        merge_commit_sha: sha(i),
        labels: ['feature'],
      },
    ],
    pull_request_reviews: [1, 2].map((n) => ({
      pr_review_id: `${id}/review/${n}`,
      pr_id: id,
      person_login: `person${(i * 7 + n) % people}`,
      review_state: n === 2 ? 'approved' : 'commented',
      reviewed_at: iso(created + n * 1_200),
    })),
    pull_request_commits: [1, 2, 3].map((n) => ({
      commit_id: `${id}:${sha(i * 4 + n)}`,
      pr_id: id,
      person_login: author,
      sha: sha(i * 4 + n),
      commit_message: `Step ${n}`,
      authored_at: iso(created - 7_200 + n * 600),
      committed_at: iso(created - 7_200 + n * 1_500),
      additions: 20,
      deletions: 3,
    })),
  };
}

async function fill(app: App, id: string, from: number, until: number, all: number): Promise<number> {
  const step = 4_000;
  let rows = 0;
  for (let i = from; i < until; i += step) {
    const made = Array.from({ length: Math.min(step, until - i) }, (_, k) => pullRequest(i + k, all));
    const batch = (['pull_requests', 'pull_request_reviews', 'pull_request_commits'] as const).map((table) => ({
      table,
      lines: made.flatMap((one) => one[table]).map((value, line) => ({ line, value })),
    }));
    for (const { accepted, rejected } of await app.ingest.put(id, batch)) {
      if (rejected[0]) throw new Error(rejected[0].detail);
      rows += accepted;
    }
  }
  return rows;
}

/** The rows as they turned out, put into empty tables by the engine's own appender: as fast as it gets. */
async function appendRaw(app: App, id: string, tables: readonly Table[]): Promise<{ rows: number; seconds: number }> {
  const instance = await DuckDBInstance.create(join(folder, 'raw.duckdb'));
  const connection = await instance.connect();
  let rows = 0;
  let seconds = 0;
  for (const table of tables) {
    const columns = [...storedColumns(table)];
    const types = {
      text: 'VARCHAR',
      'text[]': 'VARCHAR',
      json: 'VARCHAR',
      integer: 'BIGINT',
      duration: 'BIGINT',
      number: 'DOUBLE',
      boolean: 'BOOLEAN',
      timestamp: 'TIMESTAMP',
      date: 'VARCHAR',
    } as const;
    await connection.run(
      `CREATE TABLE ${table.name} (${columns.map(([name, type]) => `"${name}" ${types[type]}`).join(', ')})`,
    );
    const kept = (await app.warehouse.read(id, (session) =>
      session.select(table, columns.map(([name]) => name) as never),
    )) as unknown as Row[];
    const began = performance.now();
    const appender = await connection.createAppender(table.name);
    for (const row of kept) {
      for (const [name, type] of columns) {
        const value = row[name] ?? null;
        if (value === null) appender.appendNull();
        else if (typeof value === 'boolean') appender.appendBoolean(value);
        else if (typeof value === 'string') appender.appendVarchar(value);
        else if (type === 'timestamp') appender.appendTimestamp(new DuckDBTimestampValue(BigInt(value) * 1_000_000n));
        else if (type === 'number') appender.appendDouble(value);
        else appender.appendBigInt(BigInt(value));
      }
      appender.endRow();
    }
    appender.closeSync();
    seconds += (performance.now() - began) / 1_000;
    rows += kept.length;
  }
  connection.closeSync();
  instance.closeSync();
  return { rows, seconds };
}

async function measureTables(): Promise<void> {
  const { app, id } = await openOrganisation('tables');
  const all = sized(40_000);
  const seconds = await timed(() => fill(app, id, 0, all, all));
  const rows = all * 6;
  const raw = await appendRaw(app, id, [pullRequests, pullRequestReviews, pullRequestCommits]);
  const rate = rows / seconds;
  const rawRate = raw.rows / raw.seconds;
  report('pull requests with reviews and commits, derived', `${whole(rate)} rows/s`);
  report('  the same rows by the raw appender', `${whole(rawRate)} rows/s; ratio ${(rate / rawRate).toFixed(2)}`);
  report('  the same records a second time', `${whole(rows / (await timed(() => fill(app, id, 0, all, all))))} rows/s`);
  for (const [table, make] of Object.entries(others)) {
    const records = Array.from({ length: sized(40_000) }, (_, i) => make(i));
    const took = await timed(async () => {
      for (let i = 0; i < records.length; i += 20_000) {
        const lines = records.slice(i, i + 20_000).map((value, line) => ({ line, value }));
        const [outcome] = await app.ingest.put(id, [{ table: table as FactTable, lines }]);
        if (outcome?.rejected[0]) throw new Error(`${table}: ${outcome.rejected[0].detail}`);
      }
    });
    report(table, `${whole(records.length / took)} rows/s`);
  }
  await app.close();
}

const at = (i: number): string => iso(start + i * 1_500);
const person = (i: number) => ({ person_login: `person${i % people}`, source: 'github' });
const repository = (i: number): string => `bench/repository-${i % repositories}`;
const pr = (i: number): string => `github:${repository(i % sized(40_000))}#${i % sized(40_000)}`;

/** One record of each of the other tables. */
const others: Partial<Record<FactTable, (i: number) => object>> = {
  pull_request_comments: (i) => ({
    comment_id: `c${i}`,
    pr_id: pr(i),
    comment: 'Looks good to me',
    commented_at: at(i),
    ...person(i),
  }),
  pull_request_events: (i) => ({
    pr_id: pr(i),
    event_type: 'labeled',
    event_at: at(i),
    event_url: `u${i}`,
    ...person(i),
  }),
  issues: (i) => ({
    issue_id: `i${i}`,
    issue_key: `ABC-${i}`,
    issue_title: 'A thing to do',
    created_at: at(i),
    completed_at: at(i + 50),
    ticket_status: 'completed',
    ...person(i),
  }),
  issue_comments: (i) => ({
    issue_comment_id: `ic${i}`,
    issue_id: `i${i}`,
    comment: 'On it',
    created_at: at(i),
    ...person(i),
  }),
  workflow_runs: (i) => ({
    workflow_run_id: `w${i}`,
    workflow_name: 'CI',
    repository: repository(i),
    run_conclusion: 'success',
    run_created_at: at(i),
    run_started_at: at(i),
    run_updated_at: at(i + 1),
    billable_ms: { ubuntu: 60_000 },
    ...person(i),
  }),
  ai_copilot: (i) => ({
    person_login: `person${i % people}`,
    source: 'github-copilot',
    date: at(Math.floor(i / people) * 58).slice(0, 10),
    suggested_lines: 100,
    accepted_lines: 30,
  }),
  posthook_sessions: (i) => ({
    session_id: `s${i}`,
    engineer_email: `person${i % people}@bench.example`,
    agent_slug: 'claude-code',
    started_at: at(i),
    ended_at: at(i + 1),
    input_tokens: 1_000,
  }),
  posthook_session_messages: (i) => ({
    message_id: `m${i}`,
    session_id: `s${i}`,
    message_seq: 1,
    message_ts: at(i),
    role: 'user',
    message_text: 'Please',
  }),
  deployments: (i) => ({
    deployment_id: `d${i}`,
    repository: repository(i),
    deployed_at: at(i),
    status: 'success',
    environment: 'production',
    ...person(i),
  }),
};

/** A batch of the 100 most recent pull requests of one repository, beside a short history and others that are longer. */
async function measureRepositories(): Promise<void> {
  // As many a day in each of them.
  const yearly = 15_000;
  for (const [label, size, deployed] of [
    ['a monorepo', sized(100_000), sized(20_000)],
    ['a large repository', sized(30_000), sized(6_000)],
    ['a small repository', sized(1_500), sized(300)],
  ] as const) {
    const { app, id } = await openOrganisation(label.replaceAll(' ', '-'));
    const [one] = [`bench/${label.replaceAll(' ', '-')}`];
    const record = (i: number) => {
      const [made] = pullRequest(i, 2 * yearly).pull_requests;
      return { ...made, pr_id: `github:${one}#${i}`, repository: one };
    };
    const put = (table: FactTable, records: readonly object[]) =>
      app.ingest.put(id, [{ table, lines: records.map((value, line) => ({ line, value })) }]);
    const step = 20_000;
    for (let i = 0; i < size; i += step) {
      await put(
        'pull_requests',
        Array.from({ length: Math.min(step, size - i) }, (_, k) => record(i + k)),
      );
    }
    const deployments = Array.from({ length: deployed }, (_, i) => ({
      deployment_id: `d${i}`,
      repository: one,
      // Two days after it was opened the commit has been merged.
      deployed_at: iso(start + 180_000 + Math.floor((i * 5 * twoYears) / (2 * yearly))),
      status: i % 29 === 0 ? 'failure' : 'success',
      environment: 'production',
      sha: sha(i * 5),
    }));
    await put('deployments', deployments);
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const records = Array.from({ length: 100 }, (_, k) => ({
        ...record(size - 1 - k),
        head_branch: `again-${round}`,
      }));
      times.push(await timed(() => put('pull_requests', records)));
    }
    times.sort((a, b) => a - b);
    report(
      `100 records of ${label}: ${whole(size)} pull requests, ${whole(deployed)} deployments`,
      `${whole((times[2] ?? 0) * 1_000)} ms (median of 5)`,
    );
    await app.close();
  }
}

/** The history of one repository, with its deployments, as a first sync brings it: page by page, the newest first. */
async function measureBackwards(): Promise<void> {
  const [size, page] = [sized(30_000), 100];
  const one = 'bench/backwards';
  const pages = Array.from({ length: Math.ceil(size / page) }, (_, n) => {
    const numbers = Array.from({ length: Math.min(page, size - n * page) }, (_, k) => n * page + k);
    const prs = numbers.map((i) => ({
      ...pullRequest(i, size).pull_requests[0],
      pr_id: `github:${one}#${i}`,
      repository: one,
    }));
    const deployed = numbers
      .filter((i) => i % 5 === 0)
      .map((i) => ({
        deployment_id: `d${i}`,
        repository: one,
        deployed_at: iso(start + 180_000 + Math.floor((i * twoYears) / size)),
        status: i % 145 === 0 ? 'failure' : 'success',
        environment: 'production',
        sha: sha(i),
      }));
    return [
      { table: 'pull_requests', lines: prs.map((value, line) => ({ line, value })) },
      { table: 'deployments', lines: deployed.map((value, line) => ({ line, value })) },
    ] as const;
  });
  const seconds: number[] = [];
  for (const [label, some] of [
    ['in their order', pages],
    ['the newest first', pages.toReversed()],
  ] as const) {
    const { app, id } = await openOrganisation(label.replaceAll(' ', '-'));
    seconds.push(
      await timed(async () => {
        for (const batches of some) await app.ingest.put(id, batches);
      }),
    );
    report(
      `${whole(size)} pull requests and their deployments in pages of ${page}, ${label}`,
      `${seconds.at(-1)?.toFixed(1)} s`,
    );
    await app.close();
  }
  const [inOrder = 1, newestFirst = 0] = seconds;
  report('the newest first, in times of the order', (newestFirst / inOrder).toFixed(2));
}

async function measureRederiving(): Promise<void> {
  const { app, id } = await openOrganisation('rederive');
  const all = sized(500_000);
  report(
    `filling ${whole(all)} pull requests with ${whole(all * 5)} parts`,
    `${(await timed(() => fill(app, id, 0, all, all))).toFixed(1)} s`,
  );
  const deployments = sized(100_000);
  const deployed = await timed(async () => {
    for (let i = 0; i < deployments; i += 20_000) {
      const lines = Array.from({ length: Math.min(20_000, deployments - i) }, (_, k) => ({
        line: k,
        value: {
          deployment_id: `d${i + k}`,
          repository: repository(i + k),
          deployed_at: iso(start + Math.floor(((i + k) * twoYears) / deployments)),
          status: (i + k) % 29 === 0 ? 'failure' : 'success',
          environment: 'production',
        },
      }));
      await app.ingest.put(id, [{ table: 'deployments', lines }]);
    }
  });
  report(`filling ${whole(deployments)} deployments`, `${deployed.toFixed(1)} s`);
  let isDone = false;
  let slowest = 0;
  let reads = 0;
  const reading = (async () => {
    while (!isDone) {
      const began = performance.now();
      const [counted] = await app.warehouse.read(id, (session) => session.tally(pullRequests, []));
      if (counted?.rows !== all) throw new Error(`a reader saw ${counted?.rows} of ${all} rows`);
      slowest = Math.max(slowest, performance.now() - began);
      reads += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const seconds = await timed(() => app.ingest.rederive(id)).finally(() => {
    isDone = true;
  });
  await reading;
  report(
    'rederiving all of it',
    `${seconds.toFixed(1)} s, ${reads} readers meanwhile, the slowest ${whole(slowest)} ms`,
  );
  await app.close();
}

/**
 * A long history made by the engine itself, so that the measurement is about the change and not about the filling. It is
 * as deriving it would have left it: one pull request of each person is derived, and others are made after it.
 */
async function measureLongHistory(): Promise<void> {
  const { app, id } = await openOrganisation('long');
  const all = sized(10_000_000);
  await fill(app, id, 0, people, all);
  await app.close();
  const made = await timed(() => lengthen(join(folder, 'long', 'warehouse', `${id}.duckdb`), all));
  report(`(making ${whole(all)} pull requests without parts in the engine`, `${made.toFixed(1)} s)`);
  const held = process.memoryUsage().rss;
  peakRss = 0;
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
      const seconds = await timed(() => again.ingest.put(id, [{ table: 'pull_requests', lines }]));
      const what = round === 0 ? 'the merge times of' : 'the titles of';
      report(`changing ${what} ${whole(changed)} of ${whole(all)}, ${label}`, `${seconds.toFixed(2)} s`);
    }
  }
  report('most memory since then', `${whole(peakRss / 1e6)} MB, ${whole(held / 1e6)} of it held by the making`);
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

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1_000;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function report(what: string, value: string): void {
  console.log(`${what.padEnd(64)} ${value}`);
}

try {
  if (parts.includes('tables')) await measureTables();
  if (parts.includes('repositories')) await measureRepositories();
  if (parts.includes('backwards')) await measureBackwards();
  if (parts.includes('rederive')) await measureRederiving();
  if (parts.includes('long')) await measureLongHistory();
} finally {
  clearInterval(watch);
  rmSync(folder, { recursive: true, force: true });
}
