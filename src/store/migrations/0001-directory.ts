/** Text is compared by code point everywhere, so that names sort alike on every machine and engine. */
const text = 'text COLLATE "C"';

export const directory: readonly string[] = [
  `CREATE TABLE organisations (
    id ${text} PRIMARY KEY, name ${text} NOT NULL, time_zone ${text} NOT NULL,
    team_restrictions boolean NOT NULL, salary_visibility boolean NOT NULL, benchmark_opt_out boolean NOT NULL,
    incident_window_days integer NOT NULL, survey_minimum_group integer NOT NULL, runner_prices ${text},
    version bigint NOT NULL, created_at timestamptz NOT NULL)`,
  `CREATE TABLE people (
    organisation_id ${text}, id ${text}, name ${text} NOT NULL, main_email ${text}, role ${text}, level ${text}, location ${text},
    manager_email ${text}, access_role ${text} NOT NULL, permissions ${text} NOT NULL, salary double precision,
    is_bot boolean NOT NULL, onboarded boolean NOT NULL, created_date date NOT NULL, merged_into ${text},
    effective_id ${text} NOT NULL, PRIMARY KEY (organisation_id, id))`,
  `CREATE TABLE identities (
    organisation_id ${text}, kind ${text}, key ${text}, source ${text}, value ${text} NOT NULL, person_id ${text} NOT NULL,
    position integer NOT NULL, PRIMARY KEY (organisation_id, kind, key, source))`,
  `CREATE TABLE teams (
    organisation_id ${text}, id ${text}, name ${text} NOT NULL, name_key ${text} NOT NULL, is_implied boolean NOT NULL,
    department ${text}, PRIMARY KEY (organisation_id, id))`,
  `CREATE TABLE team_members (
    organisation_id ${text}, team_id ${text}, person_id ${text}, PRIMARY KEY (organisation_id, team_id, person_id))`,
  `CREATE TABLE team_managers (
    organisation_id ${text}, team_id ${text}, person_id ${text}, PRIMARY KEY (organisation_id, team_id, person_id))`,
  `CREATE TABLE squads (
    organisation_id ${text}, id ${text}, name ${text} NOT NULL, name_key ${text} NOT NULL, is_implied boolean NOT NULL,
    level integer, parent ${text}, lead_email ${text}, PRIMARY KEY (organisation_id, id))`,
  `CREATE TABLE squad_members (
    organisation_id ${text}, squad_id ${text}, person_id ${text}, PRIMARY KEY (organisation_id, squad_id, person_id))`,
  `CREATE TABLE merges (
    organisation_id ${text}, absorbed_id ${text}, survivor_id ${text} NOT NULL, merged_at timestamptz NOT NULL,
    absorbed_onboarded boolean NOT NULL, survivor_onboarded boolean NOT NULL, PRIMARY KEY (organisation_id, absorbed_id))`,
  `CREATE TABLE repositories (
    organisation_id ${text}, key ${text}, name ${text} NOT NULL, default_branch ${text}, production_branch ${text},
    deployment_source ${text}, deploy_workflows ${text}, is_active boolean NOT NULL, PRIMARY KEY (organisation_id, key))`,
  `CREATE TABLE api_keys (
    id ${text} PRIMARY KEY, organisation_id ${text} NOT NULL, creator_id ${text} NOT NULL, name ${text} NOT NULL,
    hash ${text} NOT NULL, hint ${text} NOT NULL, created_at timestamptz NOT NULL, expires_at timestamptz,
    revoked_at timestamptz, last_used_at timestamptz, rotated_from ${text})`,
  `CREATE TABLE sign_ins (
    hash ${text} PRIMARY KEY, organisation_id ${text} NOT NULL, person_id ${text} NOT NULL, created_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL, used_at timestamptz)`,
  `CREATE TABLE audit_log (
    organisation_id ${text}, version bigint, entry integer, happened_at timestamptz NOT NULL, via ${text} NOT NULL, actor ${text},
    key_id ${text}, action ${text} NOT NULL, subject ${text} NOT NULL, details ${text},
    PRIMARY KEY (organisation_id, version, entry))`,
  `CREATE TABLE cursors (
    organisation_id ${text}, source ${text}, stream ${text}, value ${text} NOT NULL, updated_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, source, stream))`,
  'CREATE INDEX identities_by_person ON identities (organisation_id, person_id)',
  'CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash)',
];
