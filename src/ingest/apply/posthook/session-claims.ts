import { disputedSessions } from '../../../catalogue/derivation-state/posthook-state.ts';
import { posthookSessionCommits } from '../../../catalogue/tables/posthook-session-commits.ts';
import { posthookSessions } from '../../../catalogue/tables/posthook-sessions.ts';
import { pullRequestCommits } from '../../../catalogue/tables/pull-request-commits.ts';
import { pullRequests } from '../../../catalogue/tables/pull-requests.ts';
import type { TableReader } from '../../../warehouse/intake-port.ts';
import { isClaimAllowed } from '../../derive/ai-share.ts';

/** Commits that are looked up at once. */
const commitsMost = 10_000;

interface Claim {
  readonly session: string;
  readonly commit: string;
  readonly engineer: string;
}

/** A commit of a pull request, or its merge commit. */
interface ClaimedCommit {
  readonly pullRequest: string;
  readonly author: string | null;
}

/** Sessions that claim a commit of another person, in order: its pull request does not count their lines. */
export async function sessionsLeftOut(session: TableReader): Promise<string[]> {
  const rows = await session.select(posthookSessionCommits, ['session_id', 'commit_id', 'merged_user_id'], {
    all: [
      { column: 'sent_by_engineer', in: [true] },
      { column: 'merged_user_id', isNull: false },
      { column: 'committed_lines', isNull: false },
    ],
  });
  const claims = rows.flatMap(({ session_id, commit_id, merged_user_id }): Claim[] =>
    session_id === null || commit_id === null || merged_user_id === null
      ? []
      : [{ session: session_id, commit: commit_id, engineer: merged_user_id }],
  );
  const leftOut = new Set<string>();
  for (let from = 0; from < claims.length; from += commitsMost) {
    const some = claims.slice(from, from + commitsMost);
    const { made, authors } = await commitsNamed(session, [...new Set(some.map(({ commit }) => commit))]);
    for (const { session: id, commit, engineer } of some) {
      const commits = made.get(commit) ?? [];
      for (const pullRequest of new Set(commits.map((one) => one.pullRequest))) {
        const by = commits.flatMap((one) => (one.pullRequest === pullRequest ? [one.author] : []));
        const isAllowed = isClaimAllowed({ engineer, isSentByEngineer: true }, by, authors.get(pullRequest) ?? null);
        if (!isAllowed) leftOut.add(id);
      }
    }
  }
  return [...leftOut].sort();
}

/** The commits of pull requests that have these names, and who made the pull requests. */
async function commitsNamed(session: TableReader, shas: readonly string[]) {
  const made = new Map<string, ClaimedCommit[]>();
  const add = (sha: string | null, pullRequest: string | null, author: string | null) => {
    if (sha === null || pullRequest === null) return;
    const known = made.get(sha) ?? [];
    if (known.length === 0) made.set(sha, known);
    known.push({ pullRequest, author });
  };
  const commits = await session.select(pullRequestCommits, ['sha', 'pr_id', 'merged_user_id'], {
    column: 'sha',
    in: shas,
  });
  const owners = new Set(commits.flatMap(({ pr_id }) => pr_id ?? []));
  const known = await session.select(pullRequests, ['pr_id', 'merged_user_id', 'merge_commit_sha'], {
    any: [
      { column: 'merge_commit_sha', in: shas },
      { column: 'pr_id', in: [...owners] },
    ],
  });
  const authors = new Map(known.map(({ pr_id, merged_user_id }) => [pr_id ?? '', merged_user_id]));
  for (const { sha, pr_id, merged_user_id } of commits) if (authors.has(pr_id ?? '')) add(sha, pr_id, merged_user_id);
  for (const { merge_commit_sha, pr_id, merged_user_id } of known) add(merge_commit_sha, pr_id, merged_user_id);
  return { made, authors };
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
