const text = 'text COLLATE "C"';

/** People who sign in: their sessions, their passwords, and who they are to an OpenID provider. */
export const sessions: readonly string[] = [
  `CREATE TABLE sessions (
    id ${text} PRIMARY KEY, organisation_id ${text} NOT NULL, person_id ${text} NOT NULL, hash ${text} NOT NULL,
    method ${text} NOT NULL, created_at timestamptz NOT NULL, last_used_at timestamptz NOT NULL)`,
  `CREATE TABLE passwords (
    organisation_id ${text}, person_id ${text}, hash ${text} NOT NULL, set_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, person_id))`,
  `CREATE TABLE openid_subjects (
    organisation_id ${text}, issuer ${text}, subject ${text}, person_id ${text} NOT NULL, bound_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, issuer, subject))`,
  `CREATE TABLE given_emails (
    organisation_id ${text}, key ${text}, person_id ${text}, given_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, key, person_id))`,
  'CREATE UNIQUE INDEX sessions_by_hash ON sessions (hash)',
];
