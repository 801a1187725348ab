import type { PullRequestRow } from './pull-requests.ts';

/**
 * A pull request as the row that brought it shows it: each field with the columns of which the first that is given
 * counts. An author who is in the directory goes by the name there.
 */
export const carriedFields = {
  id: ['pr_id'],
  title: ['pr_title'],
  author: ['person_name', 'person_login'],
  url: ['pr_url'],
  number: ['pr_number'],
  summary: ['pr_summary'],
  additions: ['additions'],
  deletions: ['deletions'],
} as const satisfies Readonly<Record<string, readonly (keyof PullRequestRow)[]>>;

/** The form of a list of them, for documentation. */
export const carriedListForm = `[{${Object.keys(carriedFields)
  .map((field) => `"${field}"`)
  .join(', ')}}]`;
