import { type GitCall, gitPieces, MissingObjects } from './run-git.ts';

/** A commit as `git log` tells of it. */
export interface LoggedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  readonly authorName: string;
  readonly authorEmail: string;
  /** Seconds since 1970. */
  readonly authoredAt: number;
  readonly committedAt: number;
  readonly message: string;
  /** Undefined where the clone lacks what it would take to tell. */
  readonly files: readonly LoggedFile[] | undefined;
}

export interface LoggedFile {
  /** Where it is after the commit: a renamed file is one file. */
  readonly path: string;
  /** 0 in files that are not text. */
  readonly additions: number;
  readonly deletions: number;
}

const start = 'commit';
const fields = ['%H', '%P', '%an', '%ae', '%at', '%ct', '%B'];

/** Pieces end with NUL, which neither a message nor a path can hold. */
const logging = [
  'log',
  '-z',
  '--no-color',
  '--no-show-signature',
  '--encoding=UTF-8',
  `--format=tformat:${[start, ...fields].join('%x00')}%x00`,
];

/**
 * A merge is compared with the branch that it went into. What the clone's configuration could change is stated: the same
 * history has to give the same numbers.
 */
const withSizes = [
  '--diff-merges=first-parent',
  '--numstat',
  '-M',
  '-l1000',
  '--no-ext-diff',
  '--no-textconv',
  '--diff-algorithm=myers',
];

/** Each starts git twice; a clone without any file contents would start it for every commit there is. */
const maxGaps = 20;

/**
 * The commits that revisions and options of `git log` name, newest first, so many at most. Git ends at the first commit
 * of which it lacks contents. Such commits come without their files, and so do all that follow many of them.
 */
export async function gitLog(revisions: readonly string[], maxCommits: number, call: GitCall): Promise<LoggedCommit[]> {
  const sized = (from: readonly string[], count: number) =>
    collected(readLog(gitPieces([...logging, ...withSizes, `--max-count=${count}`, ...from, '--'], call)), count);
  const first = await sized(revisions, maxCommits);
  if (!first.isCutShort) return first.commits;
  const bare = readLog(gitPieces([...logging, '--no-patch', `--max-count=${maxCommits}`, ...revisions, '--'], call));
  const { commits: all, problem } = await collected(bare, maxCommits);
  if (problem) throw problem;
  const known = new Map(first.commits.map((commit) => [commit.sha, commit]));
  let rest = all.slice(first.commits.length);
  for (let gaps = 0; rest.length > 0 && gaps < maxGaps; gaps += 1) {
    // Whether git ended at this one or behind it cannot be seen.
    for (const count of [1, rest.length - 1]) {
      const next = rest.slice(0, count).map(({ sha }) => sha);
      if (next.length === 0) continue;
      const { commits } = await sized(['--no-walk=unsorted', ...next], next.length);
      for (const commit of commits) known.set(commit.sha, commit);
      rest = rest.slice(count === 1 ? 1 : commits.length);
    }
  }
  return all.map((commit) => known.get(commit.sha) ?? { ...commit, files: undefined });
}

interface Collected {
  readonly commits: LoggedCommit[];
  /** Whether the clone lacked what it takes to go on. */
  readonly isCutShort: boolean;
  readonly problem?: MissingObjects;
}

async function collected(commits: AsyncIterable<LoggedCommit>, maxCommits: number): Promise<Collected> {
  const all: LoggedCommit[] = [];
  try {
    for await (const commit of commits) {
      all.push(commit);
      if (all.length === maxCommits) break;
    }
  } catch (problem) {
    if (!(problem instanceof MissingObjects)) throw problem;
    return { commits: all, isCutShort: true, problem };
  }
  return { commits: all, isCutShort: false };
}

/** Reads the output of `git log` as above. Pure. */
async function* readLog(pieces: AsyncIterable<string>): AsyncGenerator<LoggedCommit> {
  let header: string[] | undefined;
  let files: LoggedFile[] = [];
  // Of a renamed file there are three pieces: the counts, the old path and the new one.
  let renamed: string | undefined;
  let pathsToCome = 0;
  for await (const piece of pieces) {
    if (header && header.length < fields.length) header.push(piece);
    else if (pathsToCome > 0) {
      pathsToCome -= 1;
      if (pathsToCome === 0 && renamed !== undefined) files.push(changedFile(renamed, piece));
    } else if (piece === start) {
      if (header) yield commitOf(header, files);
      [header, files] = [[], []];
    } else {
      const [, counts, path] = /^\n?((?:\d+|-)\t(?:\d+|-))\t(.*)$/s.exec(piece) ?? [];
      if (counts === undefined || path === undefined) continue;
      if (path === '') [renamed, pathsToCome] = [counts, 2];
      else files.push(changedFile(counts, path));
    }
  }
  if (header) yield commitOf(header, files);
}

function commitOf(header: readonly string[], files: readonly LoggedFile[]): LoggedCommit {
  const [sha = '', parents = '', authorName = '', authorEmail = '', authoredAt, committedAt, message = ''] = header;
  return {
    sha,
    parents: parents === '' ? [] : parents.split(' '),
    authorName,
    authorEmail,
    authoredAt: Number(authoredAt),
    committedAt: Number(committedAt),
    message: message.trimEnd(),
    files,
  };
}

function changedFile(counts: string, path: string): LoggedFile {
  const [additions = 0, deletions = 0] = counts.split('\t').map((count) => (count === '-' ? 0 : Number(count)));
  return { path, additions, deletions };
}

/** Reads the pull request from the message of a merge or of a squashed commit. */
interface NamedPullRequest {
  readonly number: number;
  /** Absent where a merge gives none. */
  readonly title?: string;
  /** Only merges name it. */
  readonly headBranch?: string;
}

/** Of a merge: the title stands below the subject, in the message's body. */
const merge = /^Merge pull request #(\d+) from (\S+)/;
/** Of a squash or a rebase: the last number counts, since `Revert "x (#12)" (#13)` is 13. */
const squash = /\(#(\d+)\)$/;

/** The pull request that a commit on the first-parent line brought, where its message names one. */
export function pullRequestIn(message: string, isMerge: boolean): NamedPullRequest | undefined {
  const [subject = '', ...rest] = message.split('\n');
  const [, mergedNumber, head = ''] = merge.exec(subject) ?? [];
  if (isMerge && mergedNumber !== undefined) {
    const title = rest.find((line) => line.trim() !== '')?.trim();
    // `owner/branch`, of a fork or of the repository itself; names of branches may hold slashes, those of owners may not.
    const headBranch = head.slice(head.indexOf('/') + 1);
    return numbered(mergedNumber, { ...(title && { title }), ...(headBranch && { headBranch }) });
  }
  const line = subject.trimEnd();
  const [mark = '', number] = squash.exec(line) ?? [];
  const title = line.slice(0, line.length - mark.length).trimEnd();
  return number === undefined ? undefined : numbered(number, { ...(title && { title }) });
}

function numbered(digits: string, named: Omit<NamedPullRequest, 'number'>): NamedPullRequest | undefined {
  const number = Number(digits);
  // A number that no host gives out is no number of a pull request.
  return number >= 1 && number < 2 ** 31 ? { number, ...named } : undefined;
}
