const text = 'text COLLATE "C"';

/** What alerts have told, when digests were sent, and when all of it was last looked at. */
export const alerts: readonly string[] = [
  `CREATE TABLE alert_states (
    organisation_id ${text}, slug ${text}, person_id ${text}, cause ${text}, rule ${text} NOT NULL, told ${text},
    held ${text} NOT NULL, PRIMARY KEY (organisation_id, slug, person_id, cause))`,
  `CREATE TABLE digest_runs (
    organisation_id ${text}, slug ${text}, due_at timestamptz NOT NULL, is_silent boolean NOT NULL,
    PRIMARY KEY (organisation_id, slug))`,
  `CREATE TABLE evaluation_rounds (
    organisation_id ${text}, evaluated_at timestamptz, data_version ${text}, holder ${text}, lease_until timestamptz,
    PRIMARY KEY (organisation_id))`,
];
