import { aiShares } from './ai-in-pull-requests.ts';
import type {
  LookupDerivation,
  ParentDerivation,
  PartDerivation,
  RowDerivation,
  SiblingDerivation,
} from './derivation.ts';
import {
  pullRequestCommentTimes,
  pullRequestCommitTimes,
  pullRequestReviewTimes,
  reviewOfAnother,
} from './pull-request-part-times.ts';
import { rowDerivations } from './row-derivations.ts';
import { messageTurns, sessionTotals } from './session-totals.ts';

export type AnyDerivation = RowDerivation | PartDerivation | SiblingDerivation | ParentDerivation | LookupDerivation;

/** Every derivation of rows and their parts. One that reads what another writes stands behind it. */
export const derivations: readonly AnyDerivation[] = [
  ...rowDerivations,
  sessionTotals,
  messageTurns,
  reviewOfAnother,
  pullRequestCommitTimes,
  pullRequestReviewTimes,
  pullRequestCommentTimes,
  aiShares,
];
