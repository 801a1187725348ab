import { isoText } from '../../calendar.ts';
import type { FieldValues } from '../../catalogue/field-values.ts';
import { commitId, pullRequestId, releaseId } from '../../catalogue/record-ids.ts';
import type { SourceRecords } from '../source.ts';
import type { Branch, Tag } from './clone.ts';
import { type LoggedCommit, type LoggedFile, pullRequestIn } from './log.ts';

/** The name by which records call the repository of a clone. */
export interface CloneNaming {
  readonly host: string;
  /** The present name of the repository. */
  readonly repository: string;
  /** The name that ids are made of: the one under which it was first seen. */
  readonly firstName: string;
}

/** A pull request as it came to the branch. */
export interface GitPullRequest {
  readonly number: number;
  /** The commit on the first-parent line: a merge, or all of the pull request squashed into one. */
  readonly merge: LoggedCommit;
  /** The commits of the pull request itself, as far as the clone has them. */
  readonly commits: readonly LoggedCommit[];
}

interface GitRecords {
  readonly records: readonly SourceRecords[];
  readonly problems: readonly string[];
}

/**
 * Pull requests and their commits as records. What git cannot know (when it was opened, its description, its reviews) is
 * left out, not null: where the host is read too, what the host said stays.
 */
export function pullRequestRecords(
  merged: readonly GitPullRequest[],
  { host, repository, firstName, branch }: CloneNaming & { readonly branch: string },
): GitRecords {
  const problems: string[] = [];
  const pullRequests: FieldValues[] = [];
  const commits: FieldValues[] = [];
  for (const { number, merge, commits: own } of merged) {
    const id = pullRequestId(host, firstName, number);
    const { title, headBranch } = pullRequestIn(merge.message, isMerge(merge)) ?? {};
    const mergedAt = timeOf(merge.committedAt, `committer date of ${merge.sha}`, problems);
    pullRequests.push({
      pr_id: id,
      pr_number: number,
      source: host,
      repository,
      ...(title !== undefined && { pr_title: cut(title) }),
      pr_state: 'merged',
      ...(mergedAt !== undefined && { pr_merged_at: mergedAt, pr_closed_at: mergedAt }),
      base_branch: branch,
      ...(headBranch !== undefined && { head_branch: headBranch }),
      merge_commit_sha: merge.sha,
      ...sizeOf(merge.files),
      ...(merge.files && { changed_files: merge.files.length, files: listed(merge.files) }),
      ...personOf(authorOf(merge, own), host),
    });
    for (const commit of own) commits.push(commitRecord(commit, { host, pullRequest: id }, problems));
  }
  return {
    records: [
      { table: 'pull_requests', records: pullRequests },
      { table: 'pull_request_commits', records: commits },
    ],
    problems,
  };
}

function commitRecord(
  commit: LoggedCommit,
  { host, pullRequest }: { readonly host: string; readonly pullRequest: string },
  problems: string[],
): FieldValues {
  const authoredAt = timeOf(commit.authoredAt, `author date of ${commit.sha}`, problems);
  const committedAt = timeOf(commit.committedAt, `committer date of ${commit.sha}`, problems);
  return {
    commit_id: commitId(pullRequest, commit.sha),
    pr_id: pullRequest,
    sha: commit.sha,
    commit_message: commit.message,
    ...(authoredAt !== undefined && { authored_at: authoredAt }),
    ...(committedAt !== undefined && { committed_at: committedAt }),
    ...sizeOf(commit.files),
    ...personOf(commit, host),
  };
}

/** Tags as releases. A tag is published when it is made. */
export function releaseRecords(tags: readonly Tag[], { host, repository, firstName }: CloneNaming): GitRecords {
  const problems: string[] = [];
  const records = tags.flatMap((tag): FieldValues[] => {
    const at = timeOf(tag.createdAt, `date of tag ${tag.name}`, problems);
    if (at === undefined) return [];
    return [
      {
        release_id: releaseId(host, firstName, tag.name),
        version: tag.name,
        source: host,
        repository,
        created_at: at,
        release_date: at,
        is_prerelease: isPrerelease(tag.name),
        ...personOf({ authorName: tag.taggerName ?? '', authorEmail: tag.taggerEmail ?? '' }, host),
      },
    ];
  });
  return { records: [{ table: 'release_details', records }], problems };
}

/** The repository record of a clone: the default branch, where its host said so. */
export const repositoryRecords = (
  branch: Branch,
  { repository }: Pick<CloneNaming, 'repository'>,
): readonly SourceRecords[] =>
  branch.isDefault ? [{ table: 'repositories', records: [{ repository, default_branch: branch.name }] }] : [];

export const isMerge = ({ parents }: LoggedCommit): boolean => parents.length > 1;

/** `2.0.0-rc.1`, `v1.4b2`: a version with a word that means "not yet" behind it. */
export const isPrerelease = (tag: string): boolean =>
  /\d[-._]?(?:rc|alpha|beta|canary|dev|experimental|next|nightly|pre|preview|snapshot)(?![a-z])/i.test(tag) ||
  /\d\.\d+[-._]?[abcm]\d/i.test(tag);

type Author = Pick<LoggedCommit, 'authorName' | 'authorEmail'>;

/**
 * Who opened a pull request. For a squashed commit it is the author of that commit. A merge commit names the person who
 * pressed the button, so its author is that of its commits, if all have the same; otherwise it is unknown.
 */
function authorOf(merge: LoggedCommit, own: readonly LoggedCommit[]): Author | undefined {
  if (!isMerge(merge)) return merge;
  const [first, ...others] = own.filter((commit) => !isMerge(commit));
  const address = first?.authorEmail.toLowerCase();
  return others.every(({ authorEmail }) => authorEmail.toLowerCase() === address) ? first : undefined;
}

/** GitHub gives people who hide their address one that holds their login: `1234+ada@users.noreply.github.com`. */
const hiddenByGithub = /^(?:\d+\+)?([^@+\s]+)@users\.noreply\.[^@\s]+$/i;

function personOf(author: Author | undefined, host: string): FieldValues {
  if (author === undefined) return {};
  const email = author.authorEmail.trim();
  const name = author.authorName.trim();
  const login = host === 'github' ? hiddenByGithub.exec(email)?.[1] : undefined;
  return {
    ...(login !== undefined ? { person_login: login } : email !== '' && { person_email: cut(email) }),
    ...(name !== '' && { person_name: cut(name) }),
  };
}

/** Fields that a clone cannot know are left out. */
function sizeOf(files: readonly LoggedFile[] | undefined): FieldValues {
  if (files === undefined) return {};
  let [additions, deletions] = [0, 0];
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions };
}

/** As many files as hosts list too, and as fit into one value. The number of all is in `changed_files`. */
function listed(files: readonly LoggedFile[]): readonly LoggedFile[] {
  let room = maxListedBytes;
  const some: LoggedFile[] = [];
  for (const file of files.slice(0, maxListed)) {
    room -= Buffer.byteLength(file.path) + 60;
    if (room < 0) break;
    some.push(file);
  }
  return some;
}

/** Characters, counted so that none is cut in half. */
const maxTextLength = 1_000;
const cut = (text: string): string => (text.length > maxTextLength ? [...text].slice(0, maxTextLength).join('') : text);

const maxListed = 3_000;
const maxListedBytes = 900_000;

/** Clocks of committers may say anything; what is no time between 1970 and 9999 is left out. */
function timeOf(seconds: number, what: string, problems: string[]): string | undefined {
  if (seconds >= 0 && seconds < 253_402_300_800) return isoText(seconds);
  problems.push(`the ${what} is not a time from 1970 on`);
  return undefined;
}
