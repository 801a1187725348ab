import { aiShares } from './ai-shares.ts';
import type { AnyDerivation } from './derivation.ts';
import {
  pullRequestComments,
  pullRequestCommitTimes,
  pullRequestReviewTimes,
  reviewOfAnother,
} from './pull-requests.ts';
import { rowDerivations } from './rows.ts';
import { messageTurns, sessionTotals } from './sessions.ts';

/** Every derivation of rows and their parts. One that reads what another writes stands behind it. */
export const derivations: readonly AnyDerivation[] = [
  ...rowDerivations,
  sessionTotals,
  messageTurns,
  reviewOfAnother,
  pullRequestCommitTimes,
  pullRequestReviewTimes,
  pullRequestComments,
  aiShares,
];
