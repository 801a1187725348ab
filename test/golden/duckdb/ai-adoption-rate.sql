-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "2024-01-01"
-- $2 = "2024-06-30"
-- $3 = 1704067200
-- $4 = 1719792000
SELECT json_array(a."month_date", a."ai_adoption_rate")
FROM (SELECT n."month_date", (n.part / nullif(w.whole, 0)) AS "ai_adoption_rate"
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", count(DISTINCT p."merged_user_id") FILTER (WHERE coalesce(t."is_active", false)) AS part
FROM org.ai_copilot AS t
LEFT JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."date" >= $1::DATE AND t."date" <= $2::DATE
GROUP BY CAST(date_trunc('month', t."date") AS DATE)) AS n LEFT JOIN (SELECT y."month_date" AS "month_date", count(DISTINCT p.merged_user_id) AS whole
FROM (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded) AS p
JOIN (SELECT t.merged_user_id, CAST(date_trunc('month', t."pr_created_at") AS DATE) AS "month_date" FROM org.pull_requests AS t WHERE t."pr_created_at" >= $3 AND t."pr_created_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."reviewed_at") AS DATE) AS "month_date" FROM org.pull_request_reviews AS t WHERE t."reviewed_at" >= $3 AND t."reviewed_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."commented_at") AS DATE) AS "month_date" FROM org.pull_request_comments AS t WHERE t."commented_at" >= $3 AND t."commented_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."committed_at") AS DATE) AS "month_date" FROM org.pull_request_commits AS t WHERE t."committed_at" >= $3 AND t."committed_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."created_at") AS DATE) AS "month_date" FROM org.issues AS t WHERE t."created_at" >= $3 AND t."created_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."created_at") AS DATE) AS "month_date" FROM org.issue_comments AS t WHERE t."created_at" >= $3 AND t."created_at" < $4
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."date") AS DATE) AS "month_date" FROM org.ai_copilot AS t WHERE t."date" >= $1::DATE AND t."date" <= $2::DATE AND t."is_active"
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."date") AS DATE) AS "month_date" FROM org.posthook_sessions AS t WHERE t."date" >= $1::DATE AND t."date" <= $2::DATE) AS y ON y.merged_user_id = p.merged_user_id
GROUP BY y."month_date") AS w ON n."month_date" IS NOT DISTINCT FROM w."month_date") AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = "2024-01-01"
-- $5 = "2024-06-30"
-- $6 = 1710054000
-- $7 = -18000
-- $8 = -14400
-- $9 = 1704085200
-- $10 = 1719806400
-- $11 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."ai_adoption_rate")
FROM (SELECT l."month_date", l."team_name", l."ai_adoption_rate" AS "ai_adoption_rate"
FROM (SELECT n."month_date", n."team_name", (n.part / nullif(w.whole, 0)) AS "ai_adoption_rate"
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", tm."team_name" AS "team_name", count(DISTINCT p."merged_user_id") FILTER (WHERE coalesce(t."is_active", false)) AS part
FROM org.ai_copilot AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', t."date") AS DATE), tm."team_name") AS n LEFT JOIN (SELECT y."month_date" AS "month_date", tm."team_name" AS "team_name", count(DISTINCT p.merged_user_id) AS whole
FROM (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
JOIN (SELECT t.merged_user_id, CAST(date_trunc('month', (t."pr_created_at" + to_seconds(CASE WHEN t."pr_created_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.pull_requests AS t WHERE t."pr_created_at" >= $9 AND t."pr_created_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', (t."reviewed_at" + to_seconds(CASE WHEN t."reviewed_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.pull_request_reviews AS t WHERE t."reviewed_at" >= $9 AND t."reviewed_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', (t."commented_at" + to_seconds(CASE WHEN t."commented_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.pull_request_comments AS t WHERE t."commented_at" >= $9 AND t."commented_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', (t."committed_at" + to_seconds(CASE WHEN t."committed_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.pull_request_commits AS t WHERE t."committed_at" >= $9 AND t."committed_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', (t."created_at" + to_seconds(CASE WHEN t."created_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.issues AS t WHERE t."created_at" >= $9 AND t."created_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', (t."created_at" + to_seconds(CASE WHEN t."created_at" < $6 THEN $7::BIGINT ELSE $8::BIGINT END))) AS DATE) AS "month_date" FROM org.issue_comments AS t WHERE t."created_at" >= $9 AND t."created_at" < $10 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."date") AS DATE) AS "month_date" FROM org.ai_copilot AS t WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen) AND t."is_active"
UNION SELECT t.merged_user_id, CAST(date_trunc('month', t."date") AS DATE) AS "month_date" FROM org.posthook_sessions AS t WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen)) AS y ON y.merged_user_id = p.merged_user_id
GROUP BY y."month_date", tm."team_name") AS w ON n."month_date" IS NOT DISTINCT FROM w."month_date" AND n."team_name" IS NOT DISTINCT FROM w."team_name") AS l
WHERE (coalesce(l."ai_adoption_rate" >= $11::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
