-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = "2024-01-01"
-- $2 = "2024-06-30"
SELECT json_array(a."month_date", a."posthook_session_commit_counts")
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", count(*) AS "posthook_session_commit_counts"
FROM org.posthook_session_commits AS t
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
SELECT json_array(a."month_date", a."team_name", a."posthook_session_commit_counts")
FROM (SELECT l."month_date", l."team_name", l."posthook_session_commit_counts" AS "posthook_session_commit_counts"
FROM (SELECT CAST(date_trunc('month', t."date") AS DATE) AS "month_date", tm."team_name" AS "team_name", count(*) AS "posthook_session_commit_counts"
FROM org.posthook_session_commits AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."date" >= $4::DATE AND t."date" <= $5::DATE AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', t."date") AS DATE), tm."team_name") AS l
WHERE (coalesce(l."posthook_session_commit_counts" >= $6::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
