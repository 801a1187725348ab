-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"}}
SELECT json_array(a."number_of_users")
FROM (SELECT count(*) AS "number_of_users"
FROM (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded) AS p) AS a;

-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30"},"group_by":["team_name"],"metric_min_value":1}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = 1
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."team_name", a."number_of_users")
FROM (SELECT l."team_name", l."number_of_users" AS "number_of_users"
FROM (SELECT tm."team_name" AS "team_name", count(*) AS "number_of_users"
FROM (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen)) AS p
LEFT JOIN (SELECT m.merged_user_id AS merged_user_id, x."team_name" AS "team_name" FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id) AS tm ON tm.merged_user_id = p.merged_user_id
GROUP BY tm."team_name") AS l
WHERE (coalesce(l."number_of_users" >= $4::DOUBLE, false))) AS a
ORDER BY a."team_name" ASC NULLS LAST;
