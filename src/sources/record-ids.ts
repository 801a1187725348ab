/**
 * The ids of records, the same from every source and from imports: a repository that is read twice, from a clone and from
 * its host, counts once.
 */

/** `github:acme/web#7` */
export const pullRequestId = (host: string, repository: string, number: number): string =>
  `${host}:${repository}#${number}`;

/** A commit can be in two pull requests, and is a row in each. */
export const commitId = (pullRequest: string, sha: string): string => `${pullRequest}:${sha}`;

/** A release is known by its tag, since that is what a clone and a host both know of it: `github:acme/web@v1.2.0`. */
export const releaseId = (host: string, repository: string, tag: string): string => `${host}:${repository}@${tag}`;
