import type { Principal } from '../access/principal.ts';
import type { DocumentKindName } from '../store/document-tables.ts';
import type { Reading } from '../store/store.ts';
import type { TeamsOfReader } from './teams-of-reader.ts';
import type { VisibleTo } from './visible-to.ts';

/** What a document is read or shown with. */
export interface DocumentContext {
  /** Who writes or reads it. */
  readonly principal: Principal;
  readonly teams: TeamsOfReader;
  readonly now: Date;
}

/** What a document is read with that is about to be stored. */
export interface WritingContext<D> extends DocumentContext {
  readonly slug: string;
  /** The document that it takes the place of. */
  readonly before: StoredDocument<D> | undefined;
  readonly session: Reading;
}

/** A document as it is stored: teams by identifier. */
export interface StoredDocument<D> {
  readonly slug: string;
  readonly document: D;
  /** Null once its owner is removed: then it belongs to the Owners. */
  readonly owner: DocumentOwner | null;
  readonly etag: string;
  /** What nobody may read, encrypted. */
  readonly secrets: string | null;
  readonly createdAt: Date;
  readonly changedAt: Date;
}

export interface DocumentOwner {
  readonly id: string;
  readonly name: string;
}

/** What is to be stored of a document. */
interface ReadDocument<D> {
  readonly document: D;
  /** Encrypted; absent where the kind keeps no secrets. */
  readonly secrets?: string | null;
  /** What is shown to its writer, now and never again, beside the document. */
  readonly once?: object;
}

/** One of the kinds of documents that people write: how it is read, shown and guarded. */
export interface DocumentKind<D extends object> {
  readonly kind: DocumentKindName;
  /** As people call several of them: `boards`. */
  readonly plural: string;
  /** Messages are made as its owner: an Owner who saves one that has lost its owner takes it over. */
  readonly isSent?: boolean;
  /** How many an organisation may have. */
  readonly maxCount: number;
  /** Reads what somebody has written. Refuses (`bad-input`) what is wrong, and says which part it is. */
  read(written: unknown, context: WritingContext<D>): ReadDocument<D> | Promise<ReadDocument<D>>;
  /** The document as people write it, with the names of teams, its fields in their usual order. */
  shown(stored: StoredDocument<D>, context: DocumentContext): object;
  visibleTo(document: D): VisibleTo;
  /** Refuses (`forbidden`) somebody who may not make such a document, or make one into it. */
  refuseMaker(principal: Principal, document: D): void;
}
