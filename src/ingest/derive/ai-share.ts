/** The known signs of AI in a pull request. */
export interface AiTraces {
  /** Added lines that AI wrote, as the record of the pull request says. */
  readonly givenLines: number | null;
  /** Lines of coding sessions in its commits; null when no session is known to have contributed to them. */
  readonly attributedLines: number | null;
  /** Added lines of its commits; null when they are not known. */
  readonly commitAdditions: number | null;
  /** Added lines of the pull request itself. */
  readonly additions: number | null;
  /**
   * One entry for each use of AI by the author between the first commit and the merge; null where the assistant is not
   * named.
   */
  readonly usedSources: readonly (string | null)[];
  /** The same for the sessions whose lines the pull request contains. */
  readonly attributedSources: readonly (string | null)[];
}

interface AiShare {
  readonly ai_pct_of_code: number | null;
  readonly is_ai_assisted: boolean;
  /** JSON text, sorted, each once. */
  readonly ai_sources: string;
}

export function deriveAiShare(traces: AiTraces): AiShare {
  const lines = traces.givenLines ?? traces.attributedLines;
  const isAssisted = (lines ?? 0) > 0 || traces.usedSources.length > 0;
  const named = [...traces.usedSources, ...traces.attributedSources].flatMap((source) => source ?? []);
  return {
    ai_pct_of_code: lines === null ? null : shareOf(lines, addedLines(traces)),
    is_ai_assisted: isAssisted,
    ai_sources: JSON.stringify(isAssisted ? [...new Set(named)].sort() : []),
  };
}

/** Lines of a session in a commit, as far as it matters whose they are. */
interface ClaimedLines {
  /** The person of the session; null where the directory does not know them. */
  readonly engineer: string | null;
  /** Whether the engineer's own key sent them, which may claim anything. An Owner's key and an import are trusted. */
  readonly isSentByEngineer: boolean;
}

/**
 * Whether lines of a session count for a commit of a pull request: when the session belongs to the author of the one or
 * of the other. Where an author is not known, lines are taken as they are. A merge commit has the author of its
 * pull request. The same commit may be there twice, by two names of its author.
 */
export function isClaimAllowed(
  { engineer, isSentByEngineer }: ClaimedLines,
  commitAuthors: readonly (string | null)[],
  pullRequestAuthor: string | null,
): boolean {
  if (!isSentByEngineer || engineer === null || commitAuthors.includes(null)) return true;
  return engineer === pullRequestAuthor || commitAuthors.includes(engineer);
}

/**
 * Lines that were written, replaced and written again count each time they were committed, so sessions can have more
 * lines than the pull request adds in the end: the share stops at 1, also where nothing is left of them. No lines of no
 * lines is no share.
 */
function shareOf(lines: number, added: number | null): number | null {
  if (added === null || (added === 0 && lines <= 0)) return null;
  return Math.min(1, Math.max(0, lines) / added);
}

/** The added lines of the commits; those of the pull request itself where the commits have none. */
function addedLines({ commitAdditions, additions }: AiTraces): number | null {
  return commitAdditions !== null && commitAdditions > 0 ? commitAdditions : (additions ?? commitAdditions);
}

/**
 * Added lines of all commits. Null when one of them does not say: the sum of the others would make the share of AI too
 * large.
 */
export function addedLinesOf(commits: readonly { readonly additions: number | null }[]): number | null {
  if (commits.length === 0) return null;
  return commits.reduce<number | null>(
    (sum, { additions }) => (sum === null || additions === null ? null : sum + additions),
    0,
  );
}
