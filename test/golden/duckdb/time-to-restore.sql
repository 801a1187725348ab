-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"aggregation":"avg","date_level":"month"}
-- $1 = 1704067200
-- $2 = 1719792000
-- $3 = 0
SELECT json_array(a."month_date", a."avg_time_to_restore")
FROM (SELECT l."month_date", l."avg_time_to_restore" AS "avg_time_to_restore"
FROM (SELECT CAST(date_trunc('month', t."deployed_at") AS DATE) AS "month_date", (CAST(sum(CASE WHEN t."is_production" THEN t."time_to_restore" END) AS DOUBLE) / nullif(count(CASE WHEN t."is_production" THEN t."time_to_restore" END), 0)) AS "avg_time_to_restore"
FROM org.deployments AS t
WHERE t."deployed_at" >= $1 AND t."deployed_at" < $2
GROUP BY CAST(date_trunc('month', t."deployed_at") AS DATE)) AS l
WHERE (coalesce(l."avg_time_to_restore" >= $3::DOUBLE, true))) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"aggregation":"avg","date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = 1710054000
-- $5 = -18000
-- $6 = -14400
-- $7 = 1704085200
-- $8 = 1719806400
-- $9 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."avg_time_to_restore")
FROM (SELECT l."month_date", l."team_name", l."avg_time_to_restore" AS "avg_time_to_restore"
FROM (SELECT CAST(date_trunc('month', (t."deployed_at" + to_seconds(CASE WHEN t."deployed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", (CAST(sum(CASE WHEN t."is_production" THEN t."time_to_restore" END) AS DOUBLE) / nullif(count(CASE WHEN t."is_production" THEN t."time_to_restore" END), 0)) AS "avg_time_to_restore"
FROM org.deployments AS t
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, o.onboarded_by_name AS onboarded_by_name, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS o ON o.merged_user_id = m.merged_user_id) AS tm ON tm.merged_user_id = t.merged_user_id AND tm.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."deployed_at" >= $7 AND t."deployed_at" < $8 AND (t.merged_user_id IN (SELECT merged_user_id FROM seen) OR t.deployment_id IN (SELECT g.deployment_id FROM org.deployments AS g JOIN org.pull_requests AS k ON k.deployment_id = g.deployment_id WHERE k.merged_user_id IN (SELECT merged_user_id FROM seen)))
GROUP BY CAST(date_trunc('month', (t."deployed_at" + to_seconds(CASE WHEN t."deployed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."avg_time_to_restore" >= $9::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
