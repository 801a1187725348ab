import { disputedSessions } from '../../../catalogue/derivation-state.ts';
import { posthookSessionCommits, posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import { pullRequestCommits } from '../../../catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import { addToList, listsByKey } from '../../../lists-by-key.ts';
import type { TableReader } from '../../../warehouse/intake-port.ts';
import { isClaimAllowed } from '../../derive/ai-share.ts';
import { portioned } from '../../read/stored-rows.ts';

/** Commits that are looked up at once. */
const maxCommits = 10_000;

/** Sessions that claim a commit of another person, in order: its pull request does not count their lines. */
export async function sessionsLeftOut(session: TableReader): Promise<string[]> {
  const claims = await session.select(posthookSessionCommits, ['session_id', 'commit_id', 'merged_user_id'], {
    all: [
      { column: 'sent_by_engineer', in: [true] },
      { column: 'merged_user_id', isNull: false },
      { column: 'committed_lines', isNull: false },
    ],
  });
  const leftOut = new Set<string>();
  for (const some of portioned(claims, maxCommits)) {
    const commits = await commitsNamed(session, [...new Set(some.map(({ commit_id }) => commit_id))]);
    for (const { session_id, commit_id, merged_user_id: engineer } of some) {
      for (const { authors, pullRequestAuthor } of commits.get(commit_id) ?? []) {
        const isAllowed = isClaimAllowed({ engineer, isSentByEngineer: true }, authors, pullRequestAuthor);
        if (!isAllowed && session_id !== null) leftOut.add(session_id);
      }
    }
  }
  return [...leftOut].sort();
}

/** A commit of a pull request, or its merge commit, and who made it: the same may be there by two names of its author. */
interface ClaimedCommit {
  readonly authors: readonly (string | null)[];
  readonly pullRequestAuthor: string | null;
}

async function commitsNamed(session: TableReader, shas: readonly (string | null)[]) {
  const ofShas = { column: 'sha', in: shas };
  const commits = await session.select(pullRequestCommits, ['sha', 'pr_id', 'merged_user_id'], ofShas);
  const commitsOf = listsByKey(commits, ({ pr_id }) => pr_id);
  const known = await session.select(pullRequests, ['pr_id', 'merged_user_id', 'merge_commit_sha'], {
    any: [
      { column: 'merge_commit_sha', in: shas },
      { column: 'pr_id', in: [...commitsOf.keys()] },
    ],
  });
  const found = new Map<string | null, ClaimedCommit[]>();
  for (const { pr_id, merged_user_id: pullRequestAuthor, merge_commit_sha } of known) {
    const merge = { sha: merge_commit_sha, merged_user_id: pullRequestAuthor };
    for (const [sha, own] of listsByKey([...(commitsOf.get(pr_id) ?? []), merge], (commit) => commit.sha)) {
      const authors = own.map(({ merged_user_id }) => merged_user_id);
      addToList(found, sha, { authors, pullRequestAuthor });
    }
  }
  return found;
}

/**
 * Sessions of which a second person sent a row under the same identifier, in order. Claims of people who turned out to be
 * the same as the engineer are none.
 */
export async function sessionsDisputed(session: TableReader): Promise<string[]> {
  const claims = await session.select(disputedSessions, ['session_id', 'merged_user_id']);
  if (claims.length === 0) return [];
  const sessions = await session.select(posthookSessions, ['session_id', 'merged_user_id'], {
    column: 'session_id',
    in: claims.map(({ session_id }) => session_id),
  });
  const engineers = new Map(sessions.map((row) => [row.session_id, row.merged_user_id]));
  return claims
    .flatMap(({ session_id: id, merged_user_id }) =>
      id !== null && engineers.has(id) && engineers.get(id) !== merged_user_id ? [id] : [],
    )
    .sort();
}
