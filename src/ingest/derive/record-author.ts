/** Who did something to a pull request. */
export interface RecordAuthor {
  /** The person, or else the unknown account; null when the source does not say who it was. */
  readonly actor: string | null;
  readonly isBot: boolean;
}

/**
 * Whether a person other than the author did it. Code hosts blank out the name of a deleted account: that was somebody,
 * and an author who left would have lost the name on the pull request too.
 */
export function isSomebodyElse(by: RecordAuthor, author: RecordAuthor): boolean {
  return !by.isBot && (by.actor === null || by.actor !== author.actor);
}
