import type { SeededRandom } from '../seeded-random.ts';
import { isoText } from './clock-text.ts';
import type { Account, Contributor } from './contributors.ts';
import { minute } from './delays.ts';
import { type PullRequest, silentAfter } from './pull-request.ts';
import type { Weaver } from './weaver.ts';
import { drawRemark, drawReply } from './wording.ts';

/** Writes what was said about a pull request: at its lines with each review, in between, and by the bot that builds. */
export class CommentWriter {
  readonly #weaver: Weaver;
  readonly #random: SeededRandom;
  readonly #endAt: number;
  readonly #builder: Contributor | undefined;
  #serial: number;

  constructor(weaver: Weaver, random: SeededRandom, endAt: number, builder: Contributor | undefined) {
    this.#weaver = weaver;
    this.#random = random;
    this.#endAt = endAt;
    this.#builder = builder;
    this.#serial = random.integer(600_000_000, 900_000_000);
  }

  write(pr: PullRequest): void {
    const random = this.#random;
    const { life, host, author, change } = pr;
    const end = silentAfter(pr, this.#endAt);
    if (this.#builder && random.chance(0.12)) {
      const covered = random.integer(61, 94);
      const at = Math.min(end, life.createdAt + random.integer(4, 25) * minute);
      this.#put(pr, this.#builder.accounts[host], at, `Coverage ${covered} %, all checks passed.`, null, null);
    }
    for (const { at, by, verdict } of life.reviews) {
      const most = verdict === 'approved' ? 1 : 3;
      for (let left = random.integer(verdict === 'changes_requested' ? 1 : 0, most); left > 0; left -= 1) {
        const path = change.files[Math.floor(random.next() * change.files.length)]?.path ?? null;
        const said = this.#put(pr, by.accounts[host], at, drawRemark(random), null, path);
        if (!random.chance(0.55)) continue;
        const answered = Math.min(end, at + random.integer(3, 90) * minute);
        this.#put(pr, author.accounts[host], answered, drawReply(random), said, path);
      }
    }
    if (change.occasion === 'ordinary' && random.chance(0.25)) {
      const at = Math.floor(random.between(life.createdAt, Math.min(end, life.createdAt + 6 * 60 * minute)));
      this.#put(pr, author.accounts[host], at, drawRemark(random), null, null);
    }
  }

  #put(
    { id, url }: PullRequest,
    { login, email }: Account,
    at: number,
    comment: string,
    inReplyTo: string | null,
    path: string | null,
  ): string {
    this.#serial += 1;
    const commentId = `${id}/comment/${this.#serial}`;
    this.#weaver.add('pull_request_comments', {
      comment_id: commentId,
      pr_id: id,
      comment,
      comment_url: `${url}#${path === null ? 'issuecomment-' : 'discussion_r'}${this.#serial}`,
      commented_at: isoText(at),
      in_reply_to: inReplyTo,
      file_path: path,
      person_login: login,
      person_email: email,
    });
    return commentId;
  }
}
