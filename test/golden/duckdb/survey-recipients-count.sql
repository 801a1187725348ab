-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = 1704067200
-- $2 = 1719792000
SELECT json_array(a."month_date", a."survey_recipients_count")
FROM (SELECT CAST(date_trunc('month', t."created_at") AS DATE) AS "month_date", count(*) AS "survey_recipients_count"
FROM (SELECT s."survey_recipient_id", s."survey_id", s."survey_name", s."survey_status", s."recipient_type", s."source", s."person_login", s."person_source", s."person_email", s."person_name", s."person_is_bot", s."merged_user_id", s."given_merged_user_id", s."is_bot", s."actor", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."created_at") ELSE s."created_at" END AS "created_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."sent_at") ELSE s."sent_at" END AS "sent_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."survey_email_sent_at") ELSE s."survey_email_sent_at" END AS "survey_email_sent_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."final_response_submitted_at") ELSE s."final_response_submitted_at" END AS "final_response_submitted_at" FROM org.survey_recipients AS s) AS t
ANTI JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = CASE WHEN NOT coalesce(t.is_bot, false) THEN t.merged_user_id END
WHERE t."created_at" >= $1 AND t."created_at" < $2
GROUP BY CAST(date_trunc('month', t."created_at") AS DATE)) AS a
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
SELECT json_array(a."month_date", a."team_name", a."survey_recipients_count")
FROM (SELECT l."month_date", l."team_name", l."survey_recipients_count" AS "survey_recipients_count"
FROM (SELECT CAST(date_trunc('month', (t."created_at" + to_seconds(CASE WHEN t."created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", tm."team_name" AS "team_name", count(*) AS "survey_recipients_count"
FROM (SELECT s."survey_recipient_id", s."survey_id", s."survey_name", s."survey_status", s."recipient_type", s."source", s."person_login", s."person_source", s."person_email", s."person_name", s."person_is_bot", s."merged_user_id", s."given_merged_user_id", s."is_bot", s."actor", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."created_at") ELSE s."created_at" END AS "created_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."sent_at") ELSE s."sent_at" END AS "sent_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."survey_email_sent_at") ELSE s."survey_email_sent_at" END AS "survey_email_sent_at", CASE WHEN coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous') THEN date_trunc('day', s."final_response_submitted_at") ELSE s."final_response_submitted_at" END AS "final_response_submitted_at" FROM org.survey_recipients AS s) AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
WHERE t."created_at" >= $7 AND t."created_at" < $8 AND t.merged_user_id IN (SELECT merged_user_id FROM seen)
GROUP BY CAST(date_trunc('month', (t."created_at" + to_seconds(CASE WHEN t."created_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), tm."team_name") AS l
WHERE (coalesce(l."survey_recipients_count" >= $9::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_name" ASC NULLS LAST;
