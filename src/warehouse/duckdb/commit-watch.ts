/** The last commit at a moment when no commit was under way. */
export interface CommitsSeen {
  readonly commits: number;
  readonly directoryCommits: number;
}

/**
 * Counts the commits in the file of an organisation. A reader that finds the same count before its first statement and
 * after its last one knows that all of them saw one state, without a transaction: beginning and ending one costs a
 * third of a small statement.
 */
export class CommitWatch {
  #commits = 0;
  #directoryCommits = 0;
  #underWay = 0;

  /** Undefined while something is being committed: a statement may then see it or not. */
  now(): CommitsSeen | undefined {
    if (this.#underWay > 0) return undefined;
    return { commits: this.#commits, directoryCommits: this.#directoryCommits };
  }

  /** Whether no commit has begun since. */
  isSameState(since: CommitsSeen): boolean {
    return this.#commits === since.commits;
  }

  /** The engine was opened again: a commit that failed may have been made all the same. */
  markUndecided(): void {
    this.#commits += 1;
    this.#directoryCommits += 1;
  }

  async during<T>(commit: () => Promise<T>, isDirectoryChange: boolean): Promise<T> {
    this.#commits += 1;
    if (isDirectoryChange) this.#directoryCommits += 1;
    this.#underWay += 1;
    try {
      return await commit();
    } finally {
      this.#underWay -= 1;
    }
  }
}
