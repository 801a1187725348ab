import type { SeededRandom } from '../seeded-random.ts';
import { commitUrl } from './addresses.ts';
import { isoText } from './clock-text.ts';
import type { Contributor } from './contributors.ts';
import { drawSha } from './hashes.ts';
import type { Merge } from './merges.ts';
import type { Commit, PullRequest } from './pull-request.ts';
import type { Weaver } from './weaver.ts';
import { drawCommitSubject, drawReworkSubject } from './wording.ts';

/** Writes what was committed to a pull request. */
export class CommitWriter {
  readonly #weaver: Weaver;
  readonly #random: SeededRandom;

  constructor(weaver: Weaver, random: SeededRandom) {
    this.#weaver = weaver;
    this.#random = random;
  }

  write(pr: PullRequest): readonly Commit[] {
    const { life, change, author } = pr;
    const count = life.commitTimes.length;
    let addedLeft = change.additions;
    let deletedLeft = change.deletions;
    const commits: Commit[] = [];
    for (const [index, authoredAt] of life.commitTimes.entries()) {
      const isLast = index === count - 1;
      const share = isLast ? 1 : 1 / (count - index);
      const additions = isLast ? addedLeft : Math.floor(addedLeft * share * this.#random.between(0.5, 1.4));
      const deletions = isLast ? deletedLeft : Math.floor(deletedLeft * share);
      addedLeft = Math.max(0, addedLeft - additions);
      deletedLeft -= deletions;
      const sha = drawSha(this.#random);
      const { forcePushedAt } = life;
      const committedAt = forcePushedAt !== null && authoredAt < forcePushedAt ? forcePushedAt : authoredAt;
      const message =
        index === 0
          ? change.title
          : index >= count - life.reworkCommits
            ? drawReworkSubject(this.#random)
            : drawCommitSubject(this.#random);
      this.#put(pr, author, sha, message, authoredAt, committedAt, additions, deletions);
      commits.push({ sha, authoredAt, additions });
    }
    return commits;
  }

  /** A promotion brings the merges it carries. Each of them is a commit of two pull requests. */
  writeCarried(pr: PullRequest, merges: readonly Merge[]): void {
    for (const { author, sha, number, branch, at, additions, deletions } of merges) {
      const message = `Merge pull request #${number} from ${branch}`;
      this.#put(pr, author, sha, message, at, at, additions, deletions);
    }
  }

  #put(
    { id, host, codeBase }: PullRequest,
    author: Contributor,
    sha: string,
    message: string,
    authoredAt: number,
    committedAt: number,
    additions: number,
    deletions: number,
  ): void {
    const random = this.#random;
    const email = author.emails.length > 1 ? random.pick(author.emails) : (author.emails[0] ?? null);
    // Git knows an address; a host finds the account behind it, unless nobody told it about that address.
    const isUnlinked = email !== null && random.chance(0.1);
    const logins = author.logins[host];
    const login = logins && logins.length > 1 ? random.pick(logins) : author.accounts[host].login;
    this.#weaver.add('pull_request_commits', {
      commit_id: `${id}:${sha}`,
      pr_id: id,
      sha,
      commit_message: message,
      authored_at: isoText(authoredAt),
      committed_at: isoText(committedAt),
      commit_url: commitUrl(host, codeBase.repository, sha),
      additions,
      deletions,
      person_login: isUnlinked ? null : login,
      person_email: email,
    });
  }
}
