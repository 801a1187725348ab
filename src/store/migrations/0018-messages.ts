const text = 'text COLLATE "C"';

/** What is sent to people: deliveries that wait or were done, and who has stopped which. */
export const messages: readonly string[] = [
  `CREATE TABLE messages (
    organisation_id ${text}, id ${text}, about_kind ${text} NOT NULL, about_slug ${text} NOT NULL,
    receiver ${text} NOT NULL, medium ${text} NOT NULL, shown ${text} NOT NULL, title ${text} NOT NULL,
    address ${text}, content ${text}, state ${text} NOT NULL, tries integer NOT NULL,
    queued_at timestamptz NOT NULL, next_try_at timestamptz NOT NULL, first_tried_at timestamptz,
    last_tried_at timestamptz, last_status ${text}, done_at timestamptz, holder ${text}, lease_until timestamptz,
    PRIMARY KEY (organisation_id, id))`,
  `CREATE TABLE message_receivers (
    organisation_id ${text}, about_kind ${text}, about_slug ${text}, receiver ${text}, stop_token ${text} NOT NULL,
    stopped_at timestamptz,
    PRIMARY KEY (organisation_id, about_kind, about_slug, receiver))`,
  'CREATE UNIQUE INDEX message_receivers_by_token ON message_receivers (stop_token)',
];
