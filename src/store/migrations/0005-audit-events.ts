/** Entries of the audit log that belong to no change of an organisation: what was brought, taken out or looked at. */
export const auditEvents: readonly string[] = [
  `CREATE TABLE audit_events (
    organisation_id text COLLATE "C", id text COLLATE "C", happened_at timestamptz NOT NULL, via text COLLATE "C" NOT NULL,
    actor text COLLATE "C", key_id text COLLATE "C", action text COLLATE "C" NOT NULL, subject text COLLATE "C" NOT NULL,
    row_count bigint, details text COLLATE "C", PRIMARY KEY (organisation_id, id))`,
];
