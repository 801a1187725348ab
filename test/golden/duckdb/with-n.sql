-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"aggregation":"avg","date_level":"month"}
-- $1 = 0
-- $2 = 1704067200
-- $3 = 1719792000
-- $4 = 0
SELECT json_array(a."month_date", a."avg_additions", a."avg_deletions", a."avg_total_changes", a."n")
FROM (SELECT l."month_date", l."avg_additions" AS "avg_additions", l."avg_deletions" AS "avg_deletions", l."avg_total_changes" AS "avg_total_changes", l."n" AS "n"
FROM (SELECT CAST(date_trunc('month', t."pr_created_at") AS DATE) AS "month_date", (CAST(sum(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END)), 0)) AS "avg_additions", (CAST(sum(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END)), 0)) AS "avg_deletions", (CAST(sum((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END))) AS DOUBLE) / nullif(count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END))), 0)) AS "avg_total_changes", count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $1::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $1::BIGINT END))) AS "n"
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
SELECT json_array(a."month_date", a."team_name", a."avg_additions", a."avg_deletions", a."avg_total_changes", a."n")
FROM (SELECT l."month_date", l."team_name", l."avg_additions" AS "avg_additions", l."avg_deletions" AS "avg_deletions", l."avg_total_changes" AS "avg_total_changes", l."n" AS "n"
FROM (SELECT CAST(date_trunc('month', (t."pr_created_at" + to_seconds(CASE WHEN t."pr_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", (CAST(sum(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END)), 0)) AS "avg_additions", (CAST(sum(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END)) AS DOUBLE) / nullif(count(coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END)), 0)) AS "avg_deletions", (CAST(sum((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END))) AS DOUBLE) / nullif(count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END))), 0)) AS "avg_total_changes", count((coalesce(t."additions", CASE WHEN (t."deletions" IS NOT NULL) THEN $7::BIGINT END) + coalesce(t."deletions", CASE WHEN (t."additions" IS NOT NULL) THEN $7::BIGINT END))) AS "n"
FROM org.pull_requests AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."pr_created_at" >= $8 AND t."pr_created_at" < $9 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."pr_created_at" + to_seconds(CASE WHEN t."pr_created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."avg_total_changes" >= $10::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = 1704067200
-- $2 = 1719792000
SELECT json_array(a."month_date", a."reviews_count", a."n")
FROM (SELECT CAST(date_trunc('month', t."reviewed_at") AS DATE) AS "month_date", count(DISTINCT t."pr_id") FILTER (WHERE t."is_review") AS "reviews_count", count(*) FILTER (WHERE ((t."pr_id" IS NOT NULL) AND t."is_review")) AS "n"
FROM org.pull_request_reviews AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."reviewed_at" >= $1 AND t."reviewed_at" < $2
GROUP BY CAST(date_trunc('month', t."reviewed_at") AS DATE)) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_name"],"metric_min_value":1}
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
SELECT json_array(a."month_date", a."team_name", a."reviews_count", a."n")
FROM (SELECT l."month_date", l."team_name", l."reviews_count" AS "reviews_count", l."n" AS "n"
FROM (SELECT CAST(date_trunc('month', (t."reviewed_at" + to_seconds(CASE WHEN t."reviewed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", count(DISTINCT t."pr_id") FILTER (WHERE t."is_review") AS "reviews_count", count(*) FILTER (WHERE ((t."pr_id" IS NOT NULL) AND t."is_review")) AS "n"
FROM org.pull_request_reviews AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."reviewed_at" >= $7 AND t."reviewed_at" < $8 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."reviewed_at" + to_seconds(CASE WHEN t."reviewed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."reviews_count" >= $9::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "success"
-- $2 = 1704067200
-- $3 = 1719792000
SELECT json_array(a."month_date", a."deployment_frequency", a."n")
FROM (SELECT CAST(date_trunc('month', t."deployed_at") AS DATE) AS "month_date", count(*) FILTER (WHERE (t."is_production" AND t."status" IN ($1))) AS "deployment_frequency", count(*) FILTER (WHERE (t."is_production" AND t."status" IN ($1))) AS "n"
FROM org.deployments AS t
WHERE t."deployed_at" >= $2 AND t."deployed_at" < $3
GROUP BY CAST(date_trunc('month', t."deployed_at") AS DATE)) AS a
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
SELECT json_array(a."month_date", a."team_name", a."deployment_frequency", a."n")
FROM (SELECT l."month_date", l."team_name", l."deployment_frequency" AS "deployment_frequency", l."n" AS "n"
FROM (SELECT CAST(date_trunc('month', (t."deployed_at" + to_seconds(CASE WHEN t."deployed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", count(*) FILTER (WHERE (t."is_production" AND t."status" IN ($7))) AS "deployment_frequency", count(*) FILTER (WHERE (t."is_production" AND t."status" IN ($7))) AS "n"
FROM org.deployments AS t
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, o.onboarded_by_name AS onboarded_by_name, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS o ON o.merged_user_id = m.merged_user_id) AS tm ON tm.merged_user_id = t.merged_user_id AND tm.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."deployed_at" >= $8 AND t."deployed_at" < $9 AND (t.merged_user_id IN (SELECT merged_user_id FROM seen) OR t.deployment_id IN (SELECT g.deployment_id FROM org.deployments AS g JOIN org.pull_requests AS k ON k.deployment_id = g.deployment_id WHERE k.merged_user_id IN (SELECT merged_user_id FROM seen)))
GROUP BY CAST(date_trunc('month', (t."deployed_at" + to_seconds(CASE WHEN t."deployed_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."deployment_frequency" >= $10::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "2024-01-01"
-- $2 = "2024-06-30"
SELECT json_array(a."month_date", a."acceptance_rate", a."n")
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", (coalesce(CAST(sum(t."accepts") AS DOUBLE), 0) / nullif((coalesce(CAST(sum(t."accepts") AS DOUBLE), 0) + coalesce(CAST(sum(t."rejects") AS DOUBLE), 0)), 0)) AS "acceptance_rate", count(*) FILTER (WHERE ((t."accepts" IS NOT NULL) OR (t."rejects" IS NOT NULL))) AS "n"
FROM org.ai_copilot AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."date" >= $1::DATE AND t."date" <= $2::DATE
GROUP BY CAST(date_trunc('month', t."date") AS DATE)) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = "2024-01-01"
-- $5 = "2024-06-30"
-- $6 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."acceptance_rate", a."n")
FROM (SELECT l."month_date", l."team_name", l."acceptance_rate" AS "acceptance_rate", l."n" AS "n"
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", tm."team_name" AS "team_name", (coalesce(CAST(sum(t."accepts") AS DOUBLE), 0) / nullif((coalesce(CAST(sum(t."accepts") AS DOUBLE), 0) + coalesce(CAST(sum(t."rejects") AS DOUBLE), 0)), 0)) AS "acceptance_rate", count(*) FILTER (WHERE ((t."accepts" IS NOT NULL) OR (t."rejects" IS NOT NULL))) AS "n"
FROM org.ai_copilot AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', t."date") AS DATE), tm."team_name") AS l
WHERE (coalesce(l."acceptance_rate" >= $6::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "2024-01-01"
-- $2 = "2024-06-30"
SELECT json_array(a."month_date", a."ai_favourite_model", a."n")
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", mode(t."model" ORDER BY t."model") AS "ai_favourite_model", count(t."model") AS "n"
FROM org.ai_copilot AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."date" >= $1::DATE AND t."date" <= $2::DATE
GROUP BY CAST(date_trunc('month', t."date") AS DATE)) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = "2024-01-01"
-- $5 = "2024-06-30"
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."month_date", a."team_name", a."ai_favourite_model", a."n")
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", tm."team_name" AS "team_name", mode(t."model" ORDER BY t."model") AS "ai_favourite_model", count(t."model") AS "n"
FROM org.ai_copilot AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', t."date") AS DATE), tm."team_name") AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "2024-01-01"
-- $2 = "2024-06-30"
-- $3 = 1704067200
-- $4 = 1719792000
SELECT json_array(a."month_date", a."ai_adoption_rate", a."n")
FROM (SELECT n."month_date", (n.part / nullif(w.whole, 0)) AS "ai_adoption_rate", w.whole AS "n"
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
SELECT json_array(a."month_date", a."team_name", a."ai_adoption_rate", a."n")
FROM (SELECT l."month_date", l."team_name", l."ai_adoption_rate" AS "ai_adoption_rate", l."n" AS "n"
FROM (SELECT n."month_date", n."team_name", (n.part / nullif(w.whole, 0)) AS "ai_adoption_rate", w.whole AS "n"
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

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"metrics":["pull-requests-count","cycle-time","reviews-count"],"aggregations":{"cycle-time":"median"},"group_by":["repository"],"metric_min_values":{"cycle-time":60}}
-- $1 = 1704067200
-- $2 = 1719792000
-- $3 = 60
SELECT json_array(a."repository", a."pr_count", a."n_pull_requests_count", a."median_cycle_time", a."n_cycle_time", a."reviews_count", a."n_reviews_count")
FROM (SELECT u."repository", max(u."pr_count") AS "pr_count", max(u."n_pull_requests_count") AS "n_pull_requests_count", max(u."median_cycle_time") AS "median_cycle_time", max(u."n_cycle_time") AS "n_cycle_time", max(u."reviews_count") AS "reviews_count", max(u."n_reviews_count") AS "n_reviews_count"
FROM (SELECT m."repository" AS "repository", m."pr_count" AS "pr_count", m."n_pull_requests_count" AS "n_pull_requests_count", CAST(NULL AS DOUBLE) AS "median_cycle_time", CAST(NULL AS DOUBLE) AS "n_cycle_time", CAST(NULL AS DOUBLE) AS "reviews_count", CAST(NULL AS DOUBLE) AS "n_reviews_count" FROM (SELECT t."repository" AS "repository", count(*) AS "pr_count", count(*) AS "n_pull_requests_count"
FROM org.pull_requests AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."pr_created_at" >= $1 AND t."pr_created_at" < $2
GROUP BY t."repository") AS m
UNION ALL SELECT m."repository" AS "repository", CAST(NULL AS DOUBLE) AS "pr_count", CAST(NULL AS DOUBLE) AS "n_pull_requests_count", m."median_cycle_time" AS "median_cycle_time", m."n_cycle_time" AS "n_cycle_time", CAST(NULL AS DOUBLE) AS "reviews_count", CAST(NULL AS DOUBLE) AS "n_reviews_count" FROM (SELECT l."repository", l."median_cycle_time" AS "median_cycle_time", l."n_cycle_time" AS "n_cycle_time"
FROM (SELECT t."repository" AS "repository", (round(20 * CAST(quantile_cont(t."cycle_time", 0.5) AS DOUBLE)) / 20) AS "median_cycle_time", count(t."cycle_time") AS "n_cycle_time"
FROM org.pull_requests AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."pr_merged_at" >= $1 AND t."pr_merged_at" < $2
GROUP BY t."repository") AS l
WHERE (coalesce(l."median_cycle_time" >= $3::DOUBLE, false))) AS m
UNION ALL SELECT m."repository" AS "repository", CAST(NULL AS DOUBLE) AS "pr_count", CAST(NULL AS DOUBLE) AS "n_pull_requests_count", CAST(NULL AS DOUBLE) AS "median_cycle_time", CAST(NULL AS DOUBLE) AS "n_cycle_time", m."reviews_count" AS "reviews_count", m."n_reviews_count" AS "n_reviews_count" FROM (SELECT t."repository" AS "repository", count(DISTINCT t."pr_id") FILTER (WHERE t."is_review") AS "reviews_count", count(*) FILTER (WHERE ((t."pr_id" IS NOT NULL) AND t."is_review")) AS "n_reviews_count"
FROM org.pull_request_reviews AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."reviewed_at" >= $1 AND t."reviewed_at" < $2
GROUP BY t."repository") AS m) AS u
GROUP BY u."repository") AS a
ORDER BY a."repository" ASC NULLS LAST;
