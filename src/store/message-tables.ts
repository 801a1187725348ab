import { may, needs, table } from './define-table.ts';

/** What is to be sent, or was: a delivery to one receiver. */
export const messages = table('messages', ['organisation_id', 'id'], {
  organisation_id: needs('text'),
  /** Names the delivery on every try. */
  id: needs('text'),
  /** `alert` or `digest`. */
  about_kind: needs('text'),
  about_slug: needs('text'),
  /** The key of the receiver. */
  receiver: needs('text'),
  medium: needs('text'),
  /** The address as people are shown it. */
  shown: needs('text'),
  title: needs('text'),
  /** JSON: the address, and what signs. Encrypted; null once it is done. */
  address: may('text'),
  /** JSON: exactly what it says, on every try; null once it is done. */
  content: may('text'),
  /** `queued`, `sent` or `failed`. */
  state: needs('text'),
  tries: needs('integer'),
  queued_at: needs('timestamptz'),
  next_try_at: needs('timestamptz'),
  first_tried_at: may('timestamptz'),
  last_tried_at: may('timestamptz'),
  /** The status that came back, or why none did. */
  last_status: may('text'),
  done_at: may('timestamptz'),
  /** The process that is sending it now; null where none is. */
  holder: may('text'),
  lease_until: may('timestamptz'),
});

/** Receivers of mail, with the token of the link that stops an alert or a digest for them. */
export const messageReceivers = table(
  'message_receivers',
  ['organisation_id', 'about_kind', 'about_slug', 'receiver'],
  {
    organisation_id: needs('text'),
    about_kind: needs('text'),
    about_slug: needs('text'),
    receiver: needs('text'),
    /** Unique in the whole store: links name it without an organisation. It can do nothing but stop. */
    stop_token: needs('text'),
    /** Since when nothing is sent to it; null while something is. */
    stopped_at: may('timestamptz'),
  },
);
