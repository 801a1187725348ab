import type { Alert } from '../alerts/alert-document.ts';
import { alertKind } from '../alerts/alert-kind.ts';
import type { ReceiverParts } from '../alerts/kept-receivers.ts';
import { type Annotation, annotationKind } from '../annotations/annotation-kind.ts';
import type { Board } from '../boards/board.ts';
import { boardKind } from '../boards/board-kind.ts';
import { Documents } from '../documents/documents.ts';
import { type GoalDocument, goalKind } from '../goals/goal-kind.ts';
import type { Store } from '../store/store.ts';
import { type Digest, digestKind } from './digest-kind.ts';

/** What people write as documents, by kind. */
export interface OrganisationDocuments {
  readonly board: Documents<Board>;
  readonly goal: Documents<GoalDocument>;
  readonly annotation: Documents<Annotation>;
  readonly alert: Documents<Alert>;
  readonly digest: Documents<Digest>;
}

export const documentsOf = (store: Store, now: () => Date, parts: ReceiverParts): OrganisationDocuments => ({
  board: new Documents({ store, now }, boardKind),
  goal: new Documents({ store, now }, goalKind),
  annotation: new Documents({ store, now }, annotationKind),
  alert: new Documents({ store, now }, alertKind(parts)),
  digest: new Documents({ store, now }, digestKind(parts)),
});
