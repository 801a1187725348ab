const text = 'text COLLATE "C"';

/** Sources with their secrets, who reads them, how far each of their streams has been read, and what webhooks brought. */
export const sources: readonly string[] = [
  `CREATE TABLE sources (
    id ${text} PRIMARY KEY, organisation_id ${text} NOT NULL, kind ${text} NOT NULL, name ${text} NOT NULL,
    name_key ${text} NOT NULL, added_by ${text} NOT NULL, settings ${text} NOT NULL, secrets ${text},
    webhook_secret ${text}, created_at timestamptz NOT NULL)`,
  `CREATE TABLE source_syncs (
    source_id ${text} PRIMARY KEY, organisation_id ${text} NOT NULL, holder ${text}, lease_until timestamptz,
    requested_at timestamptz, started_at timestamptz, finished_at timestamptz, outcome ${text}, error ${text},
    to_do ${text})`,
  `CREATE TABLE source_streams (
    source_id ${text}, stream_id ${text}, organisation_id ${text} NOT NULL, name ${text} NOT NULL, scope ${text} NOT NULL,
    state ${text} NOT NULL, updated_at timestamptz NOT NULL, succeeded_at timestamptz, failed_at timestamptz,
    error ${text}, to_do ${text}, read_count bigint NOT NULL, estimated_count bigint, newest_record_at timestamptz,
    PRIMARY KEY (source_id, stream_id))`,
  `CREATE TABLE webhook_deliveries (
    source_id ${text}, delivery_id ${text}, organisation_id ${text} NOT NULL, event ${text} NOT NULL,
    objects ${text} NOT NULL, received_at timestamptz NOT NULL, done_at timestamptz,
    PRIMARY KEY (source_id, delivery_id))`,
];
