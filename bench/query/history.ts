import { DuckDBInstance } from '@duckdb/node-api';
import { endOfHistory, type Size, secondsOf } from './sizes.ts';

const bots = { every: 50, first: 7 } as const;
const leavers = { every: 16, first: 5 } as const;

export const isBot = (n: number): boolean => n % bots.every === bots.first;
export const isOnboarded = (n: number): boolean => !isBot(n) && n % leavers.every !== leavers.first;

/** The same text as the macro below makes. */
export const personId = (n: number): string =>
  `${((BigInt(n) * 2_654_435_761n) % 4_294_967_296n).toString(16).padStart(8, '0')}-7a54-4d0e-9b61-${n.toString(16).padStart(12, '0')}`;

/** The word that is searched for. */
export const rareWord = 'quokka';

const list = (words: readonly string[]): string => `[${words.map((word) => `'${word}'`).join(', ')}]`;
const verbs = list(['Add', 'Fix', 'Remove', 'Speed up', 'Document', 'Rename', 'Test', 'Split', 'Retry', 'Move']);
const nouns = list(['billing', 'login', 'search', 'export', 'cache', 'queue', 'import', 'report', 'mailer', 'gateway']);
const sentences = list([
  'The old way kept two copies that could differ.',
  'Callers now get one answer, and an error when there is none.',
  'Measured on the staging cluster before and after.',
  'Nothing changes for those who use the defaults.',
  'There is a test for each of the cases in the table.',
  'The migration runs in batches and can be stopped at any time.',
  'Follow-up work is listed in the ticket.',
  'Reviewed together with the team that owns the service.',
]);

/**
 * Fills an organisation's file with a history, made by the engine itself in the order of time. Whatever no question looks
 * at is as in the one pull request that was derived before, which goes.
 */
export async function fillHistory(path: string, { pullRequests, deployments, people, from }: Size): Promise<void> {
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  const [begin, end] = [`TIMESTAMP '${from}'`, `TIMESTAMP '${endOfHistory}'`];
  const span = secondsOf(endOfHistory) - secondsOf(from);
  // One in fifty is by somebody whom the directory does not know.
  const crowd = Math.ceil(people * 1.02);
  const run = (sql: string) => connection.run(sql);
  try {
    for (const [name, body] of Object.entries({
      'dice(i, salt)': `(hash(i * 64 + salt) % 1000000)::DOUBLE / 1000000`,
      'pick(i, salt, most)': `(hash(i * 64 + salt) % most)::BIGINT`,
      'one_of(words, i, salt)': `words[1 + pick(i, salt, len(words))]`,
      'author(i)': `pick(i, 1, ${crowd})`,
      // Bots do not review: the next one does.
      'human(n)': `n + (n % ${bots.every} = ${bots.first})::BIGINT`,
      'reviewer(i, n)': `human((author(i) + 2 + pick(i, 1 + n, ${crowd - 3})) % ${crowd - 1})`,
      'person_id(n)': `CASE WHEN n < ${people} THEN printf('%08x-7a54-4d0e-9b61-%012x', (n * 2654435761) % 4294967296, n) END`,
      'login(n)': `'person-' || n`,
      'is_robot(n)': `n < ${people} AND n % ${bots.every} = ${bots.first}`,
      // Times are whole seconds, as those of records.
      'before_end(t)': `CASE WHEN t < ${end} THEN date_trunc('second', t) END`,
      'seconds_between(a, b)': `date_diff('second', a, b)`,
      'next_deployment(t)': `ceil(seconds_between(${begin}, t) * ${deployments} / ${span})::BIGINT`,
      'deployment_time(k)': `${begin} + to_seconds((k * ${span} // ${Math.max(1, deployments)})::BIGINT)`,
    })) {
      await run(`CREATE TEMP MACRO ${name} AS ${body}`);
    }
    for (const table of ['pull_requests', 'pull_request_reviews', 'deployments']) {
      await run(`CREATE TEMP TABLE one_of_${table} AS SELECT * FROM ${table} LIMIT 1`);
      await run(`DELETE FROM ${table}`);
    }
    const isDeployed = deployments > 0;
    await run(`INSERT INTO pull_requests BY NAME
      WITH begun AS (
        SELECT i, author(i) AS person, ${begin} + to_seconds((i * ${span} // ${pullRequests})::BIGINT) AS created,
          to_seconds(600 + (dice(i, 10) ** 2 * 200000)::BIGINT) AS coding,
          to_seconds(1800 + (dice(i, 11) ** 3 * 900000)::BIGINT) AS open_for, dice(i, 12) AS fate
        FROM range(${pullRequests}) r(i)),
      drawn AS (
        SELECT *, created - coding AS first_commit, before_end(created + open_for) AS ended,
          before_end(created + open_for * (dice(i, 13) * 0.8)) AS reviewed, dice(i, 14) < 0.85 AS is_reviewed,
          'acme/service-' || (i % 200) AS repo
        FROM begun),
      merged AS (SELECT *, CASE WHEN fate < 0.92 THEN ended END AS merge, CASE WHEN is_reviewed THEN reviewed END AS review FROM drawn),
      landed AS (SELECT *, next_deployment(merge) AS carrier FROM merged),
      live AS (SELECT *, ${isDeployed ? 'before_end(deployment_time(carrier))' : 'merge'} AS deployed FROM landed)
      SELECT one.* REPLACE (
        'github:' || repo || '#' || i AS pr_id, i AS pr_number,
        one_of(${verbs}, i, 20) || ' ' || one_of(${nouns}, i, 21) || ' for ' || one_of(${nouns}, i, 22) ||
          CASE WHEN pick(i, 23, 1000) = 0 THEN ' of ${rareWord}' ELSE '' END AS pr_title,
        'https://github.example/' || repo || '/pull/' || i AS pr_url,
        one_of(${sentences}, i, 24) || ' ' || one_of(${sentences}, i, 25) || ' ' || one_of(${sentences}, i, 26) ||
          CASE WHEN pick(i, 27, 2000) = 0 THEN ' Found by ${rareWord.toUpperCase()} itself.' ELSE '' END AS pr_body,
        one_of(['Feature Work', 'Bug Fixes', 'Tech Improvements'], i, 28) AS pr_category,
        repo AS repository, split_part(repo, '/', 2) AS repository_name, repo AS repository_key,
        login(person) AS person_login, person_id(person) AS merged_user_id, is_robot(person) AS is_bot,
        coalesce(person_id(person), 'github:' || login(person)) AS actor,
        CASE WHEN merge IS NOT NULL THEN 'merged' WHEN ended IS NULL THEN 'open' ELSE 'closed' END AS pr_state,
        created AS pr_created_at, created AS opened_at, merge AS pr_merged_at, ended AS pr_closed_at,
        first_commit AS first_commit_at, review AS first_review_at, review AS first_comment_at,
        pick(i, 29, 700) AS additions, pick(i, 30, 200) AS deletions, 1 + pick(i, 31, 20) AS changed_files,
        'topic-' || i AS head_branch, printf('%040x', i) AS merge_commit_sha,
        seconds_between(first_commit, created) AS coding_time, seconds_between(created, review) AS pickup_time,
        seconds_between(review, merge) AS review_time, seconds_between(first_commit, merge) AS cycle_time,
        CASE WHEN review IS NOT NULL THEN 2 ELSE 0 END AS reviews_count,
        CASE WHEN review IS NOT NULL THEN 2 ELSE 0 END AS reviewers_count,
        year(merge) * 4 + quarter(merge) - 1 AS merged_quarter, merge AS production_merged_at,
        ${isDeployed ? `CASE WHEN deployed IS NOT NULL THEN 'deploy-' || carrier END` : `'merge:' || i`} AS deployment_id,
        deployed AS deployed_at, seconds_between(first_commit, deployed) AS lead_time,
        seconds_between(merge, deployed) AS merge_to_deploy, seconds_between(created, deployed) AS open_to_deploy)
      FROM one_of_pull_requests AS one, live`);
    await run(`INSERT INTO pull_request_reviews BY NAME
      WITH drawn AS (
        SELECT p.*, n, p.pr_number AS i, reviewer(p.pr_number, n) AS person,
          coalesce(p.first_review_at + to_seconds((n - 1) * 3600), p.pr_created_at + to_seconds(n * 600)) AS moment,
          p.first_review_at IS NOT NULL AS is_by_person
        FROM pull_requests AS p, range(1, 3) r(n)),
      named AS (SELECT *, CASE WHEN is_by_person THEN person ELSE ${bots.first} END AS who FROM drawn WHERE moment < ${end})
      SELECT one.* REPLACE (
        t.pr_id || '/review/' || n AS pr_review_id, t.pr_id AS pr_id, t.repository AS repository,
        t.repository_name AS repository_name, t.pr_number AS pr_number, t.pr_title AS pr_title, t.pr_url AS pr_url,
        t.pr_state AS pr_state, t.pr_category AS pr_category, t.pr_created_at AS pr_created_at,
        t.pr_merged_at AS pr_merged_at, t.pr_closed_at AS pr_closed_at, t.head_branch AS head_branch,
        login(who) AS person_login, person_id(who) AS merged_user_id, is_robot(who) AS is_bot,
        coalesce(person_id(who), 'github:' || login(who)) AS actor,
        CASE WHEN n = 2 THEN 'approved' ELSE 'commented' END AS review_state, moment AS reviewed_at,
        hour(moment) AS review_hour_of_day, is_by_person AS is_review)
      FROM one_of_pull_request_reviews AS one, named AS t`);
    await run(`INSERT INTO deployments BY NAME
      WITH drawn AS (
        SELECT i, deployment_time(i) AS moment, author(i) AS person, 'acme/service-' || (i % 200) AS repo,
          dice(i, 40) AS fate, dice(i, 41) < 0.1 AS is_bad, 600 + (dice(i, 42) ** 2 * 100000)::BIGINT AS bad_for
        FROM range(${deployments}) r(i)),
      failed AS (
        SELECT *, CASE WHEN is_bad THEN one_of(['failed_deployment', 'incident', 'revert_pr', 'hotfix_pr'], i, 43) END AS reason,
          CASE WHEN is_bad AND dice(i, 44) < 0.8 THEN before_end(moment + to_seconds(bad_for)) END AS restored
        FROM drawn)
      SELECT one.* REPLACE (
        'deploy-' || i AS deployment_id, repo AS repository, split_part(repo, '/', 2) AS repository_name,
        repo AS repository_key, login(person) AS person_login, person_id(person) AS merged_user_id,
        is_robot(person) AS is_bot, coalesce(person_id(person), 'github:' || login(person)) AS actor, moment AS deployed_at,
        CASE WHEN fate < 0.94 THEN 'success' WHEN fate < 0.99 THEN 'failure' ELSE 'cancelled' END AS status,
        dice(i, 45) < 0.97 AS is_production, dice(i, 46) < 0.03 AS is_remediation,
        printf('%040x', i) AS sha, pick(i, 47, 60) AS prs_included, reason AS failure_reason,
        CASE WHEN is_bad THEN moment END AS failure_detected_at, restored AS restored_at,
        seconds_between(moment, restored) AS time_to_restore)
      FROM one_of_deployments AS one, failed`);
    await run('CHECKPOINT');
    await checkOrder(connection.runAndReadAll.bind(connection));
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** What is measured would be another thing if rows lay about at random. */
async function checkOrder(
  read: (sql: string) => Promise<{ getRows(): readonly (readonly unknown[])[] }>,
): Promise<void> {
  const [row] = (
    await read(`SELECT count(*) FROM (
      SELECT rowid AS place, row_number() OVER (ORDER BY pr_created_at) - 1 AS due FROM pull_requests) WHERE place <> due`)
  ).getRows();
  if (Number(row?.[0]) !== 0) throw new Error('the pull requests are not in the order of time');
}
