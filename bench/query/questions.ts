import { rareWord } from './history.ts';
import type { BenchQuestion, ComparedColumn, EngineQuestion } from './question.ts';
import { begins, endOfHistory } from './sizes.ts';

/** The large organisation, where all share their tables. */
const here = (alias: string): string => `${alias}.organisation = 0`;

const within = (column: string, from: string): string =>
  `${column} >= TIMESTAMP '${from}' AND ${column} < TIMESTAMP '${endOfHistory}'`;

/** Rows of people who are known and not onboarded are left out, but for bots. */
const leavers = (alias: string): string =>
  `LEFT JOIN (SELECT merged_user_id FROM people WHERE NOT onboarded) AS leaver ON leaver.merged_user_id = ${alias}.merged_user_id`;
const leaversHere = (alias: string): string =>
  `LEFT JOIN people AS leaver ON leaver.merged_user_id = ${alias}.merged_user_id
    AND leaver.organisation = ${alias}.organisation AND NOT leaver.onboarded`;
const counted = '(leaver.merged_user_id IS NULL OR pr.is_bot)';

const filters = (from: string, lastDay: string, more: object = {}): object => ({
  filters: { start_date: from, end_date: lastDay, ...more },
});

const number = (name: string): ComparedColumn => ({ name, type: 'number' });
const text = (name: string): ComparedColumn => ({ name, type: 'text' });
const day = (name: string): ComparedColumn => ({ name, type: 'day' });
const time = (name: string): ComparedColumn => ({ name, type: 'time' });

export const countPerWeek: BenchQuestion = {
  name: 'count per week, 90 days',
  path: 'pull-requests-count',
  body: (lastDay) => ({ ...filters(begins.ninetyDays, lastDay), date_level: 'week' }),
  columns: [day('week_date'), number('pr_count')],
  duckdb: `SELECT date_trunc('week', pr.pr_created_at)::DATE AS week, count(*)
    FROM pull_requests AS pr ${leavers('pr')}
    WHERE ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted} GROUP BY 1 ORDER BY 1`,
  postgres: `SELECT date_trunc('week', pr.pr_created_at)::date AS week, count(*)
    FROM pull_requests AS pr ${leaversHere('pr')}
    WHERE ${here('pr')} AND ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted} GROUP BY 1 ORDER BY 1`,
};

export const cycleTimeByTeam: BenchQuestion = {
  name: 'average cycle time by team, 90 days',
  path: 'cycle-time',
  body: (lastDay) => ({ ...filters(begins.ninetyDays, lastDay), aggregation: 'AVG', group_by: ['team_name'] }),
  columns: [text('team_name'), number('avg_cycle_time')],
  duckdb: `WITH membership AS (
      SELECT person.merged_user_id, team.team_name FROM people AS person
      JOIN team_members USING (merged_user_id) JOIN teams AS team USING (team_id) WHERE person.onboarded)
    SELECT membership.team_name, avg(pr.cycle_time)
    FROM pull_requests AS pr ${leavers('pr')}
    LEFT JOIN membership ON membership.merged_user_id = pr.merged_user_id
    WHERE ${within('pr.pr_merged_at', begins.ninetyDays)} AND ${counted} GROUP BY 1 ORDER BY 1`,
  postgres: `WITH membership AS (
      SELECT person.merged_user_id, team.team_name FROM people AS person
      JOIN team_members USING (organisation, merged_user_id) JOIN teams AS team USING (organisation, team_id)
      WHERE ${here('person')} AND person.onboarded)
    SELECT membership.team_name, avg(pr.cycle_time)
    FROM pull_requests AS pr ${leaversHere('pr')}
    LEFT JOIN membership ON membership.merged_user_id = pr.merged_user_id
    WHERE ${here('pr')} AND ${within('pr.pr_merged_at', begins.ninetyDays)} AND ${counted} GROUP BY 1 ORDER BY 1`,
};

/** More groups than an answer has rows: it is cut, and says how many there are. */
export const countPerWeekByTeam: EngineQuestion = {
  name: 'count per week by team, a year',
  path: 'pull-requests-count',
  body: (lastDay) => ({ ...filters(begins.year, lastDay), group_by: ['team_name'], date_level: 'week' }),
  columns: [day('week_date'), text('team_name'), number('pr_count')],
  duckdb: `WITH membership AS (
      SELECT person.merged_user_id, team.team_name FROM people AS person
      JOIN team_members USING (merged_user_id) JOIN teams AS team USING (team_id) WHERE person.onboarded)
    SELECT date_trunc('week', pr.pr_created_at)::DATE AS week, membership.team_name, count(*)
    FROM pull_requests AS pr ${leavers('pr')}
    LEFT JOIN membership ON membership.merged_user_id = pr.merged_user_id
    WHERE ${within('pr.pr_created_at', begins.year)} AND ${counted} GROUP BY 1, 2 ORDER BY 1, 2 LIMIT 200`,
};

const medianLeadTime: BenchQuestion = {
  name: 'median lead time by month, a year',
  path: 'lead-time-for-changes-p50',
  body: (lastDay) => ({ ...filters(begins.year, lastDay), date_level: 'month' }),
  columns: [day('month_date'), number('lead_time_for_changes_p50')],
  duckdb: `SELECT date_trunc('month', pr.pr_merged_at)::DATE AS month, median(pr.lead_time)
    FROM pull_requests AS pr ${leavers('pr')}
    WHERE ${within('pr.pr_merged_at', begins.year)} AND ${counted} GROUP BY 1 ORDER BY 1`,
  postgres: `SELECT date_trunc('month', pr.pr_merged_at)::date AS month,
      percentile_cont(0.5) WITHIN GROUP (ORDER BY pr.lead_time)
    FROM pull_requests AS pr ${leaversHere('pr')}
    WHERE ${here('pr')} AND ${within('pr.pr_merged_at', begins.year)} AND ${counted} GROUP BY 1 ORDER BY 1`,
};

const changes = `is_production AND status IN ('success', 'failure') AND is_remediation IS NOT TRUE`;
export const changeFailureRate: BenchQuestion = {
  name: 'change-failure-rate, a year',
  path: 'change-failure-rate',
  body: (lastDay) => filters(begins.year, lastDay),
  columns: [number('change_failure_rate')],
  duckdb: `SELECT count(failure_reason) / count(*) FROM deployments
    WHERE ${within('deployed_at', begins.year)} AND ${changes}`,
  postgres: `SELECT count(failure_reason)::float8 / count(*) FROM deployments AS d
    WHERE ${here('d')} AND ${within('deployed_at', begins.year)} AND ${changes}`,
};

export const timeToRestore: BenchQuestion = {
  name: 'time-to-restore-p50, a year',
  path: 'time-to-restore-p50',
  body: (lastDay) => filters(begins.year, lastDay),
  columns: [number('time_to_restore_p50')],
  duckdb: `SELECT median(time_to_restore) FROM deployments
    WHERE ${within('deployed_at', begins.year)} AND is_production`,
  postgres: `SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY time_to_restore) FROM deployments AS d
    WHERE ${here('d')} AND ${within('deployed_at', begins.year)} AND is_production`,
};

const isReviewed = '(pr.first_review_at IS NOT NULL OR pr.reviews_count > 0)';
const reviewRate: BenchQuestion = {
  name: 'review rate, 90 days',
  path: 'review-rate',
  body: (lastDay) => filters(begins.ninetyDays, lastDay),
  columns: [number('review_rate')],
  duckdb: `SELECT count(*) FILTER (WHERE ${isReviewed}) / count(*)
    FROM pull_requests AS pr ${leavers('pr')} WHERE ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}`,
  postgres: `SELECT (count(*) FILTER (WHERE ${isReviewed}))::float8 / count(*)
    FROM pull_requests AS pr ${leaversHere('pr')}
    WHERE ${here('pr')} AND ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}`,
};

const countedReview = counted.replace('pr.', 'review.');
const activeReviewers: BenchQuestion = {
  name: 'active reviewers per month, a year',
  path: 'active-reviewers',
  body: (lastDay) => ({ ...filters(begins.year, lastDay), date_level: 'month' }),
  columns: [day('month_date'), number('active_reviewers')],
  duckdb: `SELECT date_trunc('month', review.reviewed_at)::DATE AS month, count(DISTINCT review.actor)
    FROM pull_request_reviews AS review ${leavers('review')}
    WHERE ${within('review.reviewed_at', begins.year)} AND review.is_review AND ${countedReview} GROUP BY 1 ORDER BY 1`,
  postgres: `SELECT date_trunc('month', review.reviewed_at)::date AS month, count(DISTINCT review.actor)
    FROM pull_request_reviews AS review ${leaversHere('review')}
    WHERE ${here('review')} AND ${within('review.reviewed_at', begins.year)} AND review.is_review AND ${countedReview}
    GROUP BY 1 ORDER BY 1`,
};

const search: BenchQuestion = {
  name: `text search, 90 days`,
  path: 'pull-requests-count',
  body: (lastDay) => ({
    ...filters(begins.ninetyDays, lastDay, { pull_requests_search_term: rareWord }),
    date_level: 'month',
  }),
  columns: [day('month_date'), number('pr_count')],
  duckdb: `SELECT date_trunc('month', pr.pr_created_at)::DATE AS month, count(*)
    FROM pull_requests AS pr ${leavers('pr')}
    WHERE ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}
      AND (pr.pr_title ILIKE '%${rareWord}%' OR pr.pr_body ILIKE '%${rareWord}%'
        OR pr.pr_summary ILIKE '%${rareWord}%' OR pr.pr_category ILIKE '%${rareWord}%')
    GROUP BY 1 ORDER BY 1`,
  // The words of a pull request are one indexed column there.
  postgres: `SELECT date_trunc('month', pr.pr_created_at)::date AS month, count(*)
    FROM pull_requests AS pr ${leaversHere('pr')}
    WHERE ${here('pr')} AND ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}
      AND pr.words LIKE '%${rareWord}%'
    GROUP BY 1 ORDER BY 1`,
};

const exported = [
  text('pr_id'),
  number('pr_number'),
  text('pr_title'),
  text('repository'),
  text('pr_state'),
  time('pr_created_at'),
  time('pr_merged_at'),
  number('additions'),
] as const;
const exportedNames = exported.map(({ name }) => name);
const selected = exportedNames.map((name) => `pr.${name}`).join(', ');

const rowsOfEngine = `FROM pull_requests AS pr ${leavers('pr')}
  WHERE ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}`;
const rowsOfPostgres = `FROM pull_requests AS pr ${leaversHere('pr')}
  WHERE ${here('pr')} AND ${within('pr.pr_created_at', begins.ninetyDays)} AND ${counted}`;
const firstRows: BenchQuestion = {
  name: '200 rows of many, newest first, 90 days',
  path: 'pull-requests-count',
  body: (lastDay) => ({
    ...filters(begins.ninetyDays, lastDay),
    group_by: exportedNames,
    order_by: 'pr_created_at',
    order_direction: 'DESC',
    limit: 200,
  }),
  columns: exported,
  duckdb: `SELECT ${selected} ${rowsOfEngine} ORDER BY pr.pr_created_at DESC LIMIT 200`,
  postgres: `SELECT ${selected} ${rowsOfPostgres} ORDER BY pr.pr_created_at DESC LIMIT 200`,
  total: { duckdb: `SELECT count(*) ${rowsOfEngine}`, postgres: `SELECT count(*) ${rowsOfPostgres}` },
};

export const questions: readonly BenchQuestion[] = [
  countPerWeek,
  cycleTimeByTeam,
  medianLeadTime,
  changeFailureRate,
  timeToRestore,
  reviewRate,
  activeReviewers,
  firstRows,
  search,
];

/** All rows from a day on, as one JSON object a row. */
export function exportFrom(from: string): BenchQuestion {
  return {
    name: 'all rows',
    path: 'get-multiple-metrics',
    body: (lastDay) => ({ ...filters(from, lastDay), metrics: ['pull-requests-count'], group_by: exportedNames }),
    columns: exported,
    duckdb: `SELECT ${selected} FROM pull_requests AS pr ${leavers('pr')}
      WHERE ${within('pr.pr_created_at', from)} AND ${counted}`,
    postgres: `SELECT ${selected} FROM pull_requests AS pr ${leaversHere('pr')}
      WHERE ${here('pr')} AND ${within('pr.pr_created_at', from)} AND ${counted}`,
  };
}
