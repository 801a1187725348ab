-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"date_level":"month"}
-- $1 = 1704067200
-- $2 = 1719792000
SELECT json_array(a."month_date", a."survey_respondents_count")
FROM (SELECT CAST(date_trunc('month', t."final_response_submitted_at") AS DATE) AS "month_date", count(DISTINCT coalesce(t."actor", t."survey_recipient_id")) AS "survey_respondents_count"
FROM (SELECT s."survey_response_id", s."answer_id", s."answer_digest", s."survey_recipient_id", s."merged_user_id", s."is_bot", s."actor", s."survey_id", s."survey_name", s."survey_status", s."section_id", s."section_title", s."survey_template_question_id", s."question_order", s."question_text", s."response_type", s."answer_value", s."answer_comment", s."answer_other_text", s."recipient_type", s."final_response_submitted_at", s."response_created_at", s."response_updated_at", s."sent_at", CAST(NULL AS VARCHAR) AS "report_group", CAST(NULL AS VARCHAR) AS "report_team_names" FROM org.survey_responses AS s WHERE NOT (coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous')) UNION ALL SELECT CAST(NULL AS VARCHAR) AS "survey_response_id", r."answer_id", r."answer_digest", r."survey_recipient_id", r."merged_user_id", r."is_bot", r."actor", r."survey_id", r."survey_name", r."survey_status", r."section_id", r."section_title", r."survey_template_question_id", r."question_order", r."question_text", r."response_type", r."answer_value", r."answer_comment", r."answer_other_text", r."recipient_type", r."final_response_submitted_at", r."response_created_at", r."response_updated_at", r."sent_at", r."report_group", r."report_team_names" FROM org.reported_answers AS r) AS t
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
FROM (SELECT CAST(date_trunc('month', (t."final_response_submitted_at" + to_seconds(CASE WHEN t."final_response_submitted_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE) AS "month_date", CASE WHEN t.report_group IS NOT NULL THEN t.report_team_names ELSE p."team_names" END AS "team_names", count(DISTINCT coalesce(t."actor", t."survey_recipient_id")) AS "survey_respondents_count"
FROM (SELECT s."survey_response_id", s."answer_id", s."answer_digest", s."survey_recipient_id", s."merged_user_id", s."is_bot", s."actor", s."survey_id", s."survey_name", s."survey_status", s."section_id", s."section_title", s."survey_template_question_id", s."question_order", s."question_text", s."response_type", s."answer_value", s."answer_comment", s."answer_other_text", s."recipient_type", s."final_response_submitted_at", s."response_created_at", s."response_updated_at", s."sent_at", CAST(NULL AS VARCHAR) AS "report_group", CAST(NULL AS VARCHAR) AS "report_team_names" FROM org.survey_responses AS s WHERE NOT (coalesce(s.survey_id, '') IN (SELECT w.survey_id FROM org.surveys AS w WHERE w.survey_privacy = 'anonymous')) UNION ALL SELECT CAST(NULL AS VARCHAR) AS "survey_response_id", r."answer_id", r."answer_digest", r."survey_recipient_id", r."merged_user_id", r."is_bot", r."actor", r."survey_id", r."survey_name", r."survey_status", r."section_id", r."section_title", r."survey_template_question_id", r."question_order", r."question_text", r."response_type", r."answer_value", r."answer_comment", r."answer_other_text", r."recipient_type", r."final_response_submitted_at", r."response_created_at", r."response_updated_at", r."sent_at", r."report_group", r."report_team_names" FROM org.reported_answers AS r WHERE r.report_group IN (SELECT m.report_group FROM (SELECT DISTINCT r.report_group, r.survey_recipient_id, c.merged_user_id AS merged_user_id, coalesce(c.is_bot, false) AS is_bot
FROM org.reported_answers AS r
LEFT JOIN org.survey_recipients AS c ON c.survey_recipient_id = r.survey_recipient_id) AS m
LEFT JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS w ON w.merged_user_id = m.merged_user_id AND w.onboarded_by_name >= m.is_bot
LEFT JOIN (SELECT d.merged_user_id FROM org.people AS d WHERE NOT d.onboarded) AS z ON z.merged_user_id = m.merged_user_id
GROUP BY m.report_group HAVING count(w.merged_user_id) > 0 AND sum(CASE WHEN w.merged_user_id IS NULL AND z.merged_user_id IS NULL THEN 1 ELSE 0 END) = 0)) AS t
LEFT JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name", coalesce(tn.list, '[]') AS team_names FROM org.people AS d
LEFT JOIN (SELECT m.merged_user_id, CAST(to_json(list(DISTINCT x.team_name ORDER BY x.team_name)) AS VARCHAR) AS list FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id WHERE x.team_name IS NOT NULL GROUP BY m.merged_user_id) AS tn ON tn.merged_user_id = d.merged_user_id WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."final_response_submitted_at" >= $7 AND t."final_response_submitted_at" < $8 AND (t.report_group IS NOT NULL OR t.merged_user_id IN (SELECT merged_user_id FROM seen)) AND (t.report_group IS NOT NULL OR p.merged_user_id IS NOT NULL)
GROUP BY CAST(date_trunc('month', (t."final_response_submitted_at" + to_seconds(CASE WHEN t."final_response_submitted_at" < $4 THEN $5::BIGINT ELSE $6::BIGINT END))) AS DATE), CASE WHEN t.report_group IS NOT NULL THEN t.report_team_names ELSE p."team_names" END) AS l
WHERE (coalesce(l."survey_respondents_count" >= $9::DOUBLE, false))) AS a
ORDER BY a."month_date" ASC NULLS LAST, a."team_names" ASC NULLS LAST;
