-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = 1704067200
-- $2 = 1719792000
SELECT json_array(a."month_date", a."survey_respondents_count")
FROM (SELECT CAST(date_trunc('month', t."final_response_submitted_at") AS DATE) AS "month_date", count(DISTINCT coalesce(t."actor", t."survey_recipient_id")) AS "survey_respondents_count"
FROM org.survey_responses AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."final_response_submitted_at" >= $1 AND t."final_response_submitted_at" < $2
GROUP BY CAST(date_trunc('month', t."final_response_submitted_at") AS DATE)) AS a
ORDER BY a."month_date" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month","group_by":["team_names"],"metric_min_value":1}
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
SELECT json_array(a."month_date", a."team_names", a."survey_respondents_count")
FROM (SELECT l."month_date", l."team_names", l."survey_respondents_count" AS "survey_respondents_count"
FROM (SELECT CAST(date_trunc('month', (t."final_response_submitted_at" + to_seconds(CASE WHEN t."final_response_submitted_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", p."team_names" AS "team_names", count(DISTINCT coalesce(t."actor", t."survey_recipient_id")) AS "survey_respondents_count"
FROM org.survey_responses AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name", coalesce(tn.list, '[]') AS team_names FROM org.people AS d
LEFT JOIN (SELECT m.merged_user_id, CAST(to_json(list(DISTINCT x.team_name ORDER BY x.team_name)) AS VARCHAR) AS list FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id WHERE x.team_name IS NOT NULL GROUP BY m.merged_user_id) AS tn ON tn.merged_user_id = d.merged_user_id WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."final_response_submitted_at" >= $7 AND t."final_response_submitted_at" < $8 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."final_response_submitted_at" + to_seconds(CASE WHEN t."final_response_submitted_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), p."team_names") AS l
WHERE (coalesce(l."survey_respondents_count" >= $9::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_names" ASC NULLS LAST;
