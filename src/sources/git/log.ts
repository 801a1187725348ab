import { type GitCall, gitPieces } from './run-git.ts';

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
  readonly files: readonly LoggedFile[];
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

/**
 * Pieces end with NUL, which neither a message nor a path can hold. A merge is compared with the branch that it went
 * into. What the clone's configuration could change is stated: the same history has to give the same numbers.
 */
const logging = [
  'log',
  '-z',
  '--diff-merges=first-parent',
  '--numstat',
  '-M',
  '-l1000',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-show-signature',
  '--diff-algorithm=myers',
  '--encoding=UTF-8',
  `--format=tformat:${[start, ...fields].join('%x00')}%x00`,
];

/** The commits that revisions and options of `git log` name, newest first. */
export const gitLog = (revisions: readonly string[], call: GitCall): AsyncGenerator<LoggedCommit> =>
  readLog(gitPieces([...logging, ...revisions, '--'], call));

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
