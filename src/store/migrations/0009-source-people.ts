const text = 'text COLLATE "C"';

/** Accounts of code hosts, and memberships of teams, that sources bring into the directory. */
export const sourcePeople: readonly string[] = [
  `CREATE TABLE source_people (
    source_id ${text}, owner_key ${text}, login_key ${text}, organisation_id ${text} NOT NULL, host ${text} NOT NULL,
    login ${text} NOT NULL, is_unlinked boolean NOT NULL, email_person_id ${text}, left_at timestamptz,
    PRIMARY KEY (source_id, owner_key, login_key))`,
  `CREATE TABLE source_memberships (
    source_id ${text}, owner_key ${text}, team_id ${text}, person_id ${text}, organisation_id ${text} NOT NULL,
    PRIMARY KEY (source_id, owner_key, team_id, person_id))`,
];
