import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import { seed } from '../setup/seed.ts';
import type { Asked, Fleet } from './fleet.ts';
import { type SentBody, sendUntilTaken } from './send-until-taken.ts';

/** What was promised for "everywhere": a question that is asked this long after an acknowledgement knows of it. */
export const everywhereMs = 1_000;
export const repository = 'load/web';

export interface LoadTerms {
  readonly fleet: Fleet;
  readonly key: string;
  readonly isOver: () => boolean;
  /** How long a client waits before it asks or sends again. */
  readonly restMs: number;
}

/** How many pull requests of the writers there are. */
export const countQuestion: SentBody = {
  path: '/metrics/pull-requests-count',
  body: {
    filters: {
      start_date: '2024-03-01',
      end_date: '2024-03-31',
      repositories: [{ repository_name: repository.split('/')[1] }],
    },
  },
};
export const countIn = (text: string): number =>
  (JSON.parse(text) as { readonly pr_count: number }[])[0]?.pr_count ?? 0;

/** Five pull requests as a writer opens them, and as it merges them in a later body. */
export function pullRequestBodies(writer: number, batch: number) {
  const ids = Array.from({ length: 5 }, (_, i) => `${writer}-${batch}-${i}`);
  const day = String(1 + (batch % 28)).padStart(2, '0');
  const opened = ids.map((id, i) => ({
    pr_id: id,
    repository,
    pr_title: `Change ${id}`,
    pr_state: 'open',
    pr_created_at: `2024-03-${day}T0${i}:00:00Z`,
    person_email: `engineer-${i}@load.example`,
  }));
  const merged = opened.map(({ pr_id }, i) => ({
    pr_id,
    pr_state: 'merged',
    pr_merged_at: `2024-03-${day}T1${i}:30:00Z`,
  }));
  return { ids, opened, merged };
}

/** Clients that keep asking and sending, and note what contradicts a promise. */
export class Load {
  readonly wrong: string[] = [];
  readonly sent: SentBody[][] = [];
  readonly #terms: LoadTerms;
  readonly #random = new SeededRandom(`load ${seed}`);
  readonly #acknowledgedAt: number[] = [];
  #begun = 0;
  questions = 0;
  revokes = 0;
  onboardings = 0;
  /** Statuses of answers that said to come back. */
  refusals = 0;

  constructor(terms: LoadTerms) {
    this.#terms = terms;
  }

  /** Pull requests that are opened, and merged in a later body, until the time is over and all of them are acknowledged. */
  async write(writer: number): Promise<void> {
    const mine: SentBody[] = [];
    this.sent.push(mine);
    for (let batch = 0; !this.#terms.isOver(); batch += 1) {
      const { ids, opened, merged } = pullRequestBodies(writer, batch);
      this.#begun += ids.length;
      await this.#sendUntilTaken(mine, '/ingest/pull_requests', opened);
      const at = performance.now();
      this.#acknowledgedAt.push(...ids.map(() => at));
      await this.#sendUntilTaken(mine, '/ingest/pull_requests', merged);
      await pause(this.#terms.restMs);
    }
  }

  /** No answer lacks what was acknowledged a second before it was asked for, nor has what nobody sent. */
  async question(): Promise<void> {
    const { fleet, key, isOver } = this.#terms;
    while (!isOver()) {
      const known = this.#acknowledgedBefore(performance.now() - everywhereMs);
      const asked = await fleet.ask(this.#some(), countQuestion.path, key, countQuestion.body);
      if (!asked) continue;
      if (asked.status !== 200) {
        this.#refused(asked.status, asked.text);
        continue;
      }
      this.questions += 1;
      const count = countIn(asked.text);
      if (count < known) this.wrong.push(`a question counted ${count} where ${known} were acknowledged a second ago`);
      if (count > this.#begun) this.wrong.push(`a question counted ${count} where ${this.#begun} were sent`);
      await pause(this.#terms.restMs);
    }
  }

  /** A key that was revoked beside the servers works nowhere a second later. Counted where a server took it before. */
  async revoke(
    makeKey: () => Promise<{ readonly id: string; readonly key: string }>,
    end: (id: string) => Promise<void>,
  ) {
    const { fleet, isOver } = this.#terms;
    while (!isOver()) {
      const { id, key } = await makeKey();
      const every = Array.from({ length: fleet.size }, (_, i) => i);
      const askEvery = () => Promise.all(every.map((i) => fleet.ask(i, '/teams', key)));
      const before = await askEvery();
      for (const one of before) if (one && one.status !== 200) this.#refused(one.status, one.text);
      await end(id);
      await pause(everywhereMs);
      const after = await askEvery();
      for (const one of after) if (one && one.status !== 401) this.#refused(one.status, one.text);
      if (every.some((i) => before[i]?.status === 200 && after[i]?.status === 401)) this.revokes += 1;
    }
  }

  /** Somebody who is brought to one server and onboarded at another is known at a third a second later. */
  async onboard(): Promise<void> {
    const { fleet, key, isOver } = this.#terms;
    const mine: SentBody[] = [];
    this.sent.push(mine);
    for (let i = 0; !isOver(); i += 1) {
      const email = `newcomer-${i}@load.example`;
      const record = { main_email: email, name: `Newcomer ${i}`, onboarded: false, teams: [`Team ${i % 3}`] };
      await this.#sendUntilTaken(mine, '/ingest/people', [record]);
      const path = '/users/onboarded-users-by-attributes';
      await this.#sendUntilTaken(mine, path, { email_addresses: [email] });
      await pause(everywhereMs);
      const listed = await fleet.ask(this.#some(), path, key);
      if (listed?.status !== 200) {
        if (listed) this.#refused(listed.status, listed.text);
        continue;
      }
      if (listed.text.includes(email)) this.onboardings += 1;
      else this.wrong.push(`${email} was not known a second after being onboarded`);
    }
  }

  async #sendUntilTaken(mine: SentBody[], path: string, body: unknown): Promise<void> {
    mine.push({ path, body });
    const refused = ({ status, text }: Asked) => this.#refused(status, text);
    await sendUntilTaken({ ...this.#terms, next: () => this.#some(), refused }, { path, body });
  }

  #refused(status: number, text: string): void {
    this.refusals += 1;
    if (status !== 503 && status !== 504) this.wrong.push(`${status}: ${text.slice(0, 300)}`);
  }

  #acknowledgedBefore(time: number): number {
    return this.#acknowledgedAt.filter((at) => at < time).length;
  }

  #some(): number {
    return Math.floor(this.#random.next() * this.#terms.fleet.size);
  }
}
