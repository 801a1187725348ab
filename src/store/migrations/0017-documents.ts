const text = 'text COLLATE "C"';

/** Documents that people write, such as boards, and the boards that each person has pinned. */
export const documents: readonly string[] = [
  `CREATE TABLE documents (
    organisation_id ${text}, kind ${text}, slug ${text}, body ${text} NOT NULL, owner_id ${text}, etag ${text} NOT NULL,
    secrets ${text}, created_at timestamptz NOT NULL, changed_at timestamptz NOT NULL,
    PRIMARY KEY (organisation_id, kind, slug))`,
  `CREATE TABLE pinned_boards (
    organisation_id ${text}, person_id ${text}, slug ${text}, position integer NOT NULL,
    PRIMARY KEY (organisation_id, person_id, slug))`,
];
