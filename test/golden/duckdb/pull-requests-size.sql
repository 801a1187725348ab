-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"aggregation":"avg","date_level":"month"}
-- $1 = 0
-- $2 = 1704067200
-- $3 = 1719792000
-- $4 = 0
SELECT json_array(a."month_date", a."avg_additions", a."avg_deletions", a."avg_total_changes")
FROM (SELECT l."month_date", l."avg_additions" AS "avg_additions", l."avg_deletions" AS "avg_deletions", l."avg_total_changes" AS "avg_total_changes"
FROM (SELECT CAST(date_trunc('month', t."pr_created_at") AS DATE) AS "month_date", (CAST(sum(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END)), 0)) AS "avg_additions", (CAST(sum(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END)), 0)) AS "avg_deletions", (CAST(sum((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END))) AS DOUBLE) / nullif(count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END))), 0)) AS "avg_total_changes"
FROM org.pull_requests AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."pr_created_at" >= $2 AND t."pr_created_at" < $3
GROUP BY CAST(date_trunc('month', t."pr_created_at") AS DATE)) AS l
WHERE (coalesce(l."avg_total_changes" >= $4::DOUBLE, true))) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"aggregation":"avg","date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = 1710054000
-- $5 = -18000
-- $6 = -14400
-- $7 = 0
-- $8 = 1704085200
-- $9 = 1719806400
-- $10 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."avg_additions", a."avg_deletions", a."avg_total_changes")
FROM (SELECT l."month_date", l."team_name", l."avg_additions" AS "avg_additions", l."avg_deletions" AS "avg_deletions", l."avg_total_changes" AS "avg_total_changes"
FROM (SELECT CAST(date_trunc('month', (t."pr_created_at" + to_seconds(CASE WHEN t."pr_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", (CAST(sum(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END)), 0)) AS "avg_additions", (CAST(sum(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END)), 0)) AS "avg_deletions", (CAST(sum((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END))) AS DOUBLE) / nullif(count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END))), 0)) AS "avg_total_changes"
FROM org.pull_requests AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."pr_created_at" >= $8 AND t."pr_created_at" < $9 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."pr_created_at" + to_seconds(CASE WHEN t."pr_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."avg_total_changes" >= $10::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
