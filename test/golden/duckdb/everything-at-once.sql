-- {"filters":{"start_date":"2024-01-01","end_date":"2024-06-30","member":["ann"],"team":["red"],"departments":["Sea"],"squad_ids":["s1"],"squad_levels":[2],"manager_ids":["bob"],"manager_email":["bob@example.org"],"locations":["Graz"],"levels":["L4"],"source_types":["github"],"repositories":[{"repository_name":"api"}],"sources":["github"],"pr_states":["merged"],"pr_categories":["Bug Fixes"],"pr_ids":["1"],"pull_requests_search_term":"two words","review_hour_of_day":[9],"review_rounds_bucket":["3+"]},"metrics":["pull-requests-count","reviews-count"],"group_by":["pr_id","name"]}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = "ann"
-- $5 = ["ann"]
-- $6 = ["red"]
-- $7 = "s1"
-- $8 = ["s1"]
-- $9 = ["bob"]
-- $10 = "bob@example.org"
-- $11 = "Graz"
-- $12 = "L4"
-- $13 = ["github"]
-- $14 = "Sea"
-- $15 = 2
-- $16 = 1704085200
-- $17 = 1719806400
-- $18 = "api"
-- $19 = "github"
-- $20 = "merged"
-- $21 = "Bug Fixes"
-- $22 = "1"
-- $23 = "two"
-- $24 = "words"
-- $25 = ["9"]
-- $26 = "3+"
-- $27 = 9
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1),
chosen_members AS (SELECT n.merged_user_id FROM org.people AS n WHERE n.merged_user_id IN ($4)
UNION SELECT n.merged_user_id FROM org.people AS n WHERE n.name_key IN (SELECT v.key FROM (SELECT unnest(from_json($5, '["VARCHAR"]')) AS value, unnest(from_json($5, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.merged_user_id FROM org.people AS n))
UNION SELECT n.merged_user_id FROM org.person_emails AS n WHERE n.email_key IN (SELECT v.key FROM (SELECT unnest(from_json($5, '["VARCHAR"]')) AS value, unnest(from_json($5, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.merged_user_id FROM org.people AS n))),
chosen_teams AS (SELECT n.team_id FROM org.teams AS n WHERE n.team_id IN ($2)
UNION SELECT n.team_id FROM org.teams AS n WHERE n.team_name_key IN (SELECT v.key FROM (SELECT unnest(from_json($6, '["VARCHAR"]')) AS value, unnest(from_json($6, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.team_id FROM org.teams AS n))),
chosen_squads AS (SELECT n.squad_id FROM org.squads AS n WHERE n.squad_id IN ($7)
UNION SELECT n.squad_id FROM org.squads AS n WHERE n.squad_name_key IN (SELECT v.key FROM (SELECT unnest(from_json($8, '["VARCHAR"]')) AS value, unnest(from_json($8, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.squad_id FROM org.squads AS n))),
chosen_managers AS (SELECT n.merged_user_id FROM org.people AS n WHERE n.merged_user_id IN ($1)
UNION SELECT n.merged_user_id FROM org.people AS n WHERE n.name_key IN (SELECT v.key FROM (SELECT unnest(from_json($9, '["VARCHAR"]')) AS value, unnest(from_json($9, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.merged_user_id FROM org.people AS n))
UNION SELECT n.merged_user_id FROM org.person_emails AS n WHERE n.email_key IN (SELECT v.key FROM (SELECT unnest(from_json($9, '["VARCHAR"]')) AS value, unnest(from_json($9, '["VARCHAR"]')) AS key) AS v WHERE v.value NOT IN (SELECT n.merged_user_id FROM org.people AS n))),
direct_reports AS (SELECT f.merged_user_id FROM org.people AS f WHERE (f.manager_id IN (SELECT e.merged_user_id FROM org.person_emails AS e WHERE e.email_key IN ($10)) OR f.manager_email_key IN ($10)))
SELECT json_array(a."pr_id", a."name", a."pr_count", a."reviews_count")
FROM (SELECT u."pr_id", u."name", max(u."pr_count") AS "pr_count", max(u."reviews_count") AS "reviews_count"
FROM (SELECT m."pr_id" AS "pr_id", m."name" AS "name", m."pr_count" AS "pr_count", CAST(NULL AS DOUBLE) AS "reviews_count" FROM (SELECT t."pr_id" AS "pr_id", p."name" AS "name", CASE WHEN t."pr_id" IS NOT NULL THEN 1 ELSE 0 END AS "pr_count"
FROM org.pull_requests AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name", d."name" AS "name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen) AND d.merged_user_id IN (SELECT merged_user_id FROM chosen_members) AND d.location IN ($11) AND d.level IN ($12) AND coalesce(list_has_any(from_json(d.sources, '["VARCHAR"]'), from_json($13, '["VARCHAR"]')), false) AND d.merged_user_id IN (SELECT DISTINCT m.merged_user_id AS merged_user_id FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id WHERE x.team_id IN (SELECT team_id FROM chosen_teams) AND x.department IN ($14)) AND d.merged_user_id IN (SELECT DISTINCT m.merged_user_id AS merged_user_id FROM org.squad_members AS m JOIN org.squads AS x ON x.squad_id = m.squad_id WHERE x.squad_id IN (SELECT b.below_squad_id FROM org.squads_below AS b WHERE b.squad_id IN (SELECT squad_id FROM chosen_squads)) AND x.squad_level IN ($15::BIGINT)) AND d.merged_user_id IN (SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id IN (SELECT merged_user_id FROM chosen_managers)) AND d.merged_user_id IN (SELECT merged_user_id FROM direct_reports UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id IN (SELECT merged_user_id FROM direct_reports))) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."pr_created_at" >= $16 AND t."pr_created_at" < $17 AND t.merged_user_id IN (SELECT merged_user_id FROM seen) AND (lower(t."repository") IN (lower($18)) OR lower(split_part(t."repository", '/', -1)) IN (lower($18))) AND t."source" IN ($19) AND t."pr_state" IN ($20) AND t."pr_category" IN ($21) AND t."pr_id" IN ($22) AND true AND (contains(lower(t."pr_title"), lower($23)) OR contains(lower(t."pr_body"), lower($23)) OR contains(lower(t."pr_summary"), lower($23)) OR contains(lower(t."pr_category"), lower($23))) AND (contains(lower(t."pr_title"), lower($24)) OR contains(lower(t."pr_body"), lower($24)) OR contains(lower(t."pr_summary"), lower($24)) OR contains(lower(t."pr_category"), lower($24))) AND coalesce(list_has_any(from_json(t."review_hours", '["VARCHAR"]'), from_json($25, '["VARCHAR"]')), false) AND t."review_rounds_bucket" IN ($26)) AS m
UNION ALL SELECT m."pr_id" AS "pr_id", m."name" AS "name", CAST(NULL AS DOUBLE) AS "pr_count", m."reviews_count" AS "reviews_count" FROM (SELECT t."pr_id" AS "pr_id", p."name" AS "name", count(DISTINCT t."pr_id") FILTER (WHERE t."is_review") AS "reviews_count"
FROM org.pull_request_reviews AS t
JOIN (SELECT d."merged_user_id" AS "merged_user_id", d."onboarded_by_name" AS "onboarded_by_name", d."name" AS "name" FROM org.people AS d WHERE d.onboarded AND d.merged_user_id IN (SELECT merged_user_id FROM seen) AND d.merged_user_id IN (SELECT merged_user_id FROM chosen_members) AND d.location IN ($11) AND d.level IN ($12) AND coalesce(list_has_any(from_json(d.sources, '["VARCHAR"]'), from_json($13, '["VARCHAR"]')), false) AND d.merged_user_id IN (SELECT DISTINCT m.merged_user_id AS merged_user_id FROM org.team_members AS m JOIN org.teams AS x ON x.team_id = m.team_id WHERE x.team_id IN (SELECT team_id FROM chosen_teams) AND x.department IN ($14)) AND d.merged_user_id IN (SELECT DISTINCT m.merged_user_id AS merged_user_id FROM org.squad_members AS m JOIN org.squads AS x ON x.squad_id = m.squad_id WHERE x.squad_id IN (SELECT b.below_squad_id FROM org.squads_below AS b WHERE b.squad_id IN (SELECT squad_id FROM chosen_squads)) AND x.squad_level IN ($15::BIGINT)) AND d.merged_user_id IN (SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id IN (SELECT merged_user_id FROM chosen_managers)) AND d.merged_user_id IN (SELECT merged_user_id FROM direct_reports UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id IN (SELECT merged_user_id FROM direct_reports))) AS p ON p.merged_user_id = t.merged_user_id AND p.onboarded_by_name >= coalesce(t.is_bot, false)
WHERE t."reviewed_at" >= $16 AND t."reviewed_at" < $17 AND t.merged_user_id IN (SELECT merged_user_id FROM seen) AND (lower(t."repository") IN (lower($18)) OR lower(split_part(t."repository", '/', -1)) IN (lower($18))) AND t."source" IN ($19) AND t."pr_state" IN ($20) AND t."pr_category" IN ($21) AND t."pr_id" IN ($22) AND true AND (contains(lower(t."pr_title"), lower($23)) OR contains(lower(t."pr_category"), lower($23)) OR t."pr_id" IN (SELECT o."pr_id" FROM org.pull_requests AS o WHERE o.merged_user_id IN (SELECT merged_user_id FROM seen) AND (contains(lower(o."pr_body"), lower($23)) OR contains(lower(o."pr_summary"), lower($23))))) AND (contains(lower(t."pr_title"), lower($24)) OR contains(lower(t."pr_category"), lower($24)) OR t."pr_id" IN (SELECT o."pr_id" FROM org.pull_requests AS o WHERE o.merged_user_id IN (SELECT merged_user_id FROM seen) AND (contains(lower(o."pr_body"), lower($24)) OR contains(lower(o."pr_summary"), lower($24))))) AND t."review_hour_of_day" IN ($27::BIGINT) AND t."review_rounds_bucket" IN ($26)
GROUP BY t."pr_id", p."name") AS m) AS u
GROUP BY u."pr_id", u."name") AS a
ORDER BY a."pr_id" ASC NULLS LAST, a."name" ASC NULLS LAST;

-- {"filters":{"start_date":"2024-01-01"},"group_by":["deployment_id","pull_requests","prs_included"]}
-- $1 = "bob"
-- $2 = "red"
-- $3 = "blue"
-- $4 = "success"
-- $5 = 1704085200
-- $6 = 1718510400
WITH seen AS (SELECT $1 AS merged_user_id
UNION SELECT m.merged_user_id FROM org.team_members AS m WHERE m.team_id IN ($2, $3)
UNION SELECT r.merged_user_id FROM org.reports_of AS r WHERE r.manager_id = $1)
SELECT json_array(a."deployment_id", a."pull_requests", a."prs_included", a."deployment_frequency")
FROM (SELECT t."deployment_id" AS "deployment_id", c.list AS "pull_requests", CASE WHEN t.prs_included IS NOT NULL THEN coalesce(c.number, 0) END AS "prs_included", CASE WHEN t."deployment_id" IS NOT NULL AND (t."is_production" AND t."status" IN ($4)) THEN 1 ELSE 0 END AS "deployment_frequency"
FROM org.deployments AS t
LEFT JOIN (SELECT t.deployment_id AS id, count(*) AS number, CAST(to_json(list({'id': k.pr_id, 'title': k.pr_title, 'author': coalesce(a.name, k.person_name, k.person_login), 'url': k.pr_url, 'number': k.pr_number, 'summary': k.pr_summary, 'additions': k.additions, 'deletions': k.deletions} ORDER BY k.pr_merged_at, k.pr_id)) AS VARCHAR) AS list
FROM org.deployments AS t JOIN org.pull_requests AS k ON k.deployment_id = t.deployment_id LEFT JOIN org.people AS a ON a.merged_user_id = k.merged_user_id
WHERE true AND t."deployed_at" >= $5 AND t."deployed_at" < $6 AND (t.merged_user_id IN (SELECT merged_user_id FROM seen) OR t.deployment_id IN (SELECT g.deployment_id FROM org.deployments AS g JOIN org.pull_requests AS k ON k.deployment_id = g.deployment_id WHERE k.merged_user_id IN (SELECT merged_user_id FROM seen))) AND k.merged_user_id IN (SELECT merged_user_id FROM seen) GROUP BY t.deployment_id) AS c ON c.id = t.deployment_id
WHERE t."deployed_at" >= $5 AND t."deployed_at" < $6 AND (t.merged_user_id IN (SELECT merged_user_id FROM seen) OR t.deployment_id IN (SELECT g.deployment_id FROM org.deployments AS g JOIN org.pull_requests AS k ON k.deployment_id = g.deployment_id WHERE k.merged_user_id IN (SELECT merged_user_id FROM seen)))) AS a
ORDER BY a."deployment_id" ASC NULLS LAST;
