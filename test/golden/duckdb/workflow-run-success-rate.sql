-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "success"
-- $2 = 1704067200
-- $3 = 1719792000
SELECT json_array(a."month_date", a."workflow_run_success_rate")
FROM (SELECT CAST(date_trunc('month', t."run_created_at") AS DATE) AS "month_date", (count(*) FILTER (WHERE t."run_conclusion" IN ($1)) / nullif(count(t."run_conclusion"), 0)) AS "workflow_run_success_rate"
FROM org.workflow_runs AS t
WHERE t."run_created_at" >= $2 AND t."run_created_at" < $3
GROUP BY CAST(date_trunc('month', t."run_created_at") AS DATE)) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = 1710054000
-- $5 = -18000
-- $6 = -14400
-- $7 = "success"
-- $8 = 1704085200
-- $9 = 1719806400
-- $10 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."workflow_run_success_rate")
FROM (SELECT l."month_date", l."team_name", l."workflow_run_success_rate" AS "workflow_run_success_rate"
FROM (SELECT CAST(date_trunc('month', (t."run_created_at" + to_seconds(CASE WHEN t."run_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", (count(*) FILTER (WHERE t."run_conclusion" IN ($7)) / nullif(count(t."run_conclusion"), 0)) AS "workflow_run_success_rate"
FROM org.workflow_runs AS t
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, o.onboarded_by_name AS onboarded_by_name, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS o ON o.merged_user_id = m.merged_user_id) AS tm ON tm.merged_user_id = t.merged_user_id AND tm.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."run_created_at" >= $8 AND t."run_created_at" < $9 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."run_created_at" + to_seconds(CASE WHEN t."run_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."workflow_run_success_rate" >= $10::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
