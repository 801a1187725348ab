import type { Json } from '../../catalogue/record.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { isoText } from './clock-text.ts';
import type { Account } from './contributors.ts';
import type { PullRequest } from './pull-request.ts';
import type { Weaver } from './weaver.ts';

/** Writes what else a code host tells about a pull request. */
export class EventWriter {
  readonly #weaver: Weaver;
  #serial: number;

  constructor(weaver: Weaver, random: SeededRandom) {
    this.#weaver = weaver;
    this.#serial = random.integer(9_000_000_000, 9_900_000_000);
  }

  write(pr: PullRequest): void {
    const { life, change, host, author } = pr;
    const own = author.accounts[host];
    for (const label of change.labels) this.#put(pr, 'labeled', life.createdAt, own, { label });
    if (life.readyAt !== null) this.#put(pr, 'ready_for_review', life.readyAt, own, null);
    const asked = new Set(life.reviews.map(({ by }) => by));
    for (const reviewer of asked) {
      const { login, email } = reviewer.accounts[host];
      this.#put(pr, 'review_requested', life.readyAt ?? life.createdAt, own, { reviewer: login ?? email });
    }
    if (life.forcePushedAt !== null) this.#put(pr, 'head_ref_force_pushed', life.forcePushedAt, own, null);
    if (life.queuedAt !== null) this.#put(pr, 'added_to_merge_queue', life.queuedAt, own, null);
    if (life.closedAt === null) return;
    const last = life.reviews.at(-1);
    // A bot does not press the button: whoever approved does.
    const closer = author.isBot && last ? last.by.accounts[host] : own;
    this.#put(pr, life.mergedAt === null ? 'closed' : 'merged', life.closedAt, closer, null);
  }

  #put({ id, url }: PullRequest, type: string, at: number, { login, email }: Account, details: Json): void {
    this.#serial += 1;
    this.#weaver.add('pull_request_events', {
      pr_id: id,
      event_type: type,
      event_at: isoText(at),
      event_url: `${url}#event-${this.#serial}`,
      details,
      person_login: login,
      person_email: email,
    });
  }
}
