/** What the message of a merge, or of a squashed commit, says of its pull request. */
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
  // What no host has given out is no number of a pull request.
  return number >= 1 && number < 2 ** 31 ? { number, ...named } : undefined;
}
