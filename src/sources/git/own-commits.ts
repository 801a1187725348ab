import type { LoggedCommit } from './log.ts';

/**
 * The commits that each merge of a line brought: those that its other parents lead to and no older commit of the line
 * has brought already. `brought` holds everything that the line has and the commit below it has not, so one walk over it
 * answers for all merges what `git log merge^1..merge^2` would answer for each.
 */
export function ownCommits(
  line: readonly LoggedCommit[],
  brought: readonly LoggedCommit[],
): ReadonlyMap<string, readonly LoggedCommit[]> {
  const bySha = new Map(brought.map((commit) => [commit.sha, commit]));
  const place = new Map(brought.map(({ sha }, index) => [sha, index]));
  const own = new Map<string, readonly LoggedCommit[]>();
  for (const { sha } of line) bySha.delete(sha);
  for (const merge of line.toReversed()) {
    const found: LoggedCommit[] = [];
    const waiting = merge.parents.slice(1);
    for (let sha = waiting.pop(); sha !== undefined; sha = waiting.pop()) {
      const commit = bySha.get(sha);
      if (!commit) continue;
      bySha.delete(sha);
      found.push(commit);
      waiting.push(...commit.parents);
    }
    // Newest first, as git has them.
    own.set(
      merge.sha,
      found.sort((a, b) => (place.get(a.sha) ?? 0) - (place.get(b.sha) ?? 0)),
    );
  }
  return own;
}
