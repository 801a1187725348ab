import { may, needs, table } from './define-table.ts';

/** Boards, goals, annotations, alerts and digests: what people write as documents. */
export const documents = table('documents', ['organisation_id', 'kind', 'slug'], {
  organisation_id: needs('text'),
  /** One of `documentKinds`. */
  kind: needs('text'),
  slug: needs('text'),
  /** JSON: the document, with teams by identifier. */
  body: needs('text'),
  /** The person who made it; null once that person is removed: then it belongs to the Owners. */
  owner_id: may('text'),
  /** Another one after each change. */
  etag: needs('text'),
  /** JSON of what nobody may read, such as addresses of channels, encrypted; null where there is none. */
  secrets: may('text'),
  created_at: needs('timestamptz'),
  changed_at: needs('timestamptz'),
});

/** The boards that a person has in the navigation. */
export const pinnedBoards = table('pinned_boards', ['organisation_id', 'person_id', 'slug'], {
  organisation_id: needs('text'),
  person_id: needs('text'),
  slug: needs('text'),
  position: needs('integer'),
});

export const documentKinds = ['board', 'goal', 'annotation', 'alert', 'digest'] as const;
export type DocumentKindName = (typeof documentKinds)[number];
