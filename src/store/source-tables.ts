import { may, needs, table } from './define-table.ts';

/** Tokens that let one person in once: a link, or having signed in where several organisations know them. */
export const signIns = table('sign_ins', ['hash'], {
  hash: needs('text'),
  organisation_id: needs('text'),
  person_id: needs('text'),
  created_at: needs('timestamptz'),
  expires_at: needs('timestamptz'),
  used_at: may('timestamptz'),
});

/** People who are signed in. A session that has ended is not kept. */
export const sessions = table('sessions', ['id'], {
  id: needs('text'),
  organisation_id: needs('text'),
  person_id: needs('text'),
  /** SHA-256 of what the cookie holds, hexadecimal. */
  hash: needs('text'),
  /** How they signed in: `link`, `password` or `openid`. */
  method: needs('text'),
  created_at: needs('timestamptz'),
  last_used_at: needs('timestamptz'),
});

/** A password belongs to one person of one organisation. */
export const passwords = table('passwords', ['organisation_id', 'person_id'], {
  organisation_id: needs('text'),
  person_id: needs('text'),
  /** Argon2id, with its salt and its costs. */
  hash: needs('text'),
  set_at: needs('timestamptz'),
});

/** Who a person is to an OpenID provider, since they first signed in with it. */
export const openidSubjects = table('openid_subjects', ['organisation_id', 'issuer', 'subject'], {
  organisation_id: needs('text'),
  issuer: needs('text'),
  subject: needs('text'),
  person_id: needs('text'),
  bound_at: needs('timestamptz'),
});

/** Addresses that an Owner or the operator gave a person, unlike those that came with records. */
export const givenEmails = table('given_emails', ['organisation_id', 'key', 'person_id'], {
  organisation_id: needs('text'),
  /** The address as it is compared: trimmed, lower case. */
  key: needs('text'),
  person_id: needs('text'),
  given_at: needs('timestamptz'),
});

/** Where an organisation's history comes from: a code host, a local clone, an account of an AI tool. */
export const sources = table('sources', ['id'], {
  /** Unique in the whole store: webhooks name it without an organisation. */
  id: needs('text'),
  organisation_id: needs('text'),
  kind: needs('text'),
  name: needs('text'),
  name_key: needs('text'),
  /** `command` or `api`. Only the command line may lead to private addresses, the environment and files. */
  added_by: needs('text'),
  /** JSON: settings that are no secrets, and references such as `env:NAME`, as given. */
  settings: needs('text'),
  /** JSON of the secret settings, encrypted; null where there are none. */
  secrets: may('text'),
  /** Encrypted; null where the kind has no webhooks. */
  webhook_secret: may('text'),
  created_at: needs('timestamptz'),
});

/** The work of reading a source: who does it until when, when it is wanted, and how it went the last time. */
export const sourceSyncs = table('source_syncs', ['source_id'], {
  source_id: needs('text'),
  organisation_id: needs('text'),
  /** The process that reads it now; null where none does. */
  holder: may('text'),
  lease_until: may('timestamptz'),
  /** A caller wants it read before its hour comes. */
  requested_at: may('timestamptz'),
  started_at: may('timestamptz'),
  finished_at: may('timestamptz'),
  /** `complete`, `partial` or `failed`; null before the first one is finished. */
  outcome: may('text'),
  error: may('text'),
  to_do: may('text'),
});

/** How far each stream of a source has been read, and how that went. */
export const sourceStreams = table('source_streams', ['source_id', 'stream_id'], {
  source_id: needs('text'),
  stream_id: needs('text'),
  organisation_id: needs('text'),
  name: needs('text'),
  /** `acme/web`; empty where it is of the whole source. */
  scope: needs('text'),
  /** JSON: where the next read goes on. Only after the rows before it are durable. */
  state: needs('text'),
  updated_at: needs('timestamptz'),
  succeeded_at: may('timestamptz'),
  failed_at: may('timestamptz'),
  /** The error of the last read; null once a read succeeds. */
  error: may('text'),
  to_do: may('text'),
  read_count: needs('bigint'),
  /** As far as the provider says. */
  estimated_count: may('bigint'),
  newest_record_at: may('timestamptz'),
  /** JSON: the tables that it feeds; null where it was last read by a version that did not say so. */
  feeds: may('text'),
  /** Whether the stream brings reports of whole days; null means no. */
  is_daily: may('boolean'),
  /** The end of its last complete read, or of the one that brought the newest thirty days; null before. */
  complete_at: may('timestamptz'),
  /** How far down its first read has come; null once that is over. */
  read_back_to: may('timestamptz'),
  /** Since when it could not be read to its end; null once it is. */
  failing_since: may('timestamptz'),
  /** The host says that it is gone, or nothing for this token; null is no. */
  is_refused: may('boolean'),
  /** JSON: what it could not see, as it says itself and as its pages say; null where that is nothing. */
  not_seen: may('text'),
});

/** The calls of providers: kept until they are read, and a while longer to recognise duplicates. */
export const webhookDeliveries = table('webhook_deliveries', ['source_id', 'delivery_id'], {
  source_id: needs('text'),
  delivery_id: needs('text'),
  organisation_id: needs('text'),
  event: needs('text'),
  /** JSON: the objects to read again. */
  objects: needs('text'),
  received_at: needs('timestamptz'),
  done_at: may('timestamptz'),
});

/** Members of a code host as a source has listed them. Whose account it is, the identities say. */
export const sourcePeople = table('source_people', ['source_id', 'owner_key', 'login_key'], {
  source_id: needs('text'),
  /** The organisation on the host, as names are matched: a source may read several. */
  owner_key: needs('text'),
  /** The login as it is compared. */
  login_key: needs('text'),
  organisation_id: needs('text'),
  /** Where the login is valid, as in `identities.source`. */
  host: needs('text'),
  login: needs('text'),
  /** A person has undone its link: from then on its email address links it to no one. */
  is_unlinked: needs('boolean'),
  /** Another person who has its verified email address; null where no one does. */
  email_person_id: may('text'),
  /** Since when the host no longer lists it; null while it does. */
  left_at: may('timestamptz'),
});

/** Memberships of teams that are there because a source brought them. All others were made by hand or by import. */
export const sourceMemberships = table('source_memberships', ['source_id', 'owner_key', 'team_id', 'person_id'], {
  source_id: needs('text'),
  owner_key: needs('text'),
  team_id: needs('text'),
  person_id: needs('text'),
  organisation_id: needs('text'),
});
