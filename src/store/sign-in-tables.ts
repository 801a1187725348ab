import { may, needs, table } from './store-table.ts';

/** What lets one person in once: a link, or having signed in where several organisations know them. */
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
  /** As addresses are matched: trimmed, lower case. */
  key: needs('text'),
  person_id: needs('text'),
  given_at: needs('timestamptz'),
});
