import { setTimeout as pause } from 'node:timers/promises';
import { soon } from '../setup/how-long.ts';
import type { Asked, Fleet } from './fleet.ts';
import { countIn, countQuestion, everywhereMs, pullRequestBodies } from './load.ts';
import { type SentBody, sendUntilTaken } from './send-until-taken.ts';

export interface SequenceTerms {
  readonly fleet: Fleet;
  readonly key: string;
  readonly makeKey: () => Promise<{ readonly id: string; readonly key: string }>;
  readonly revoke: (id: string) => Promise<void>;
  /** Goes on beside the rest: nobody is killed any more. */
  readonly afterKill: () => Promise<void>;
}

const rounds = 2;
/** The round in which a server is killed while it writes, and a key is revoked. */
const killIn = 1;
const onboardedPath = '/users/onboarded-users-by-attributes';

/**
 * The same events in the same order every time, where load would take too long: each round writes through two servers
 * and asks all of them, one of which has only heard of it. What they must answer is known before.
 */
export class ScriptedSequence {
  readonly wrong: string[] = [];
  readonly sent: SentBody[] = [];
  readonly #terms: SequenceTerms;
  readonly #servers: readonly number[];
  questions = 0;
  kills = 0;
  revokes = 0;

  constructor(terms: SequenceTerms) {
    this.#terms = terms;
    this.#servers = Array.from({ length: terms.fleet.size }, (_, i) => i);
  }

  async run(): Promise<void> {
    let beside: Promise<void> | undefined;
    for (let round = 0; round < rounds; round += 1) {
      const { opened, merged } = pullRequestBodies(0, round);
      const ingest = '/ingest/pull_requests';
      if (round === killIn) {
        await this.#killWhileWriting(round % this.#servers.length, { path: ingest, body: opened });
        beside = this.#terms.afterKill();
        // Whoever awaits it is told; until then nobody is.
        beside.catch(() => {});
      }
      await this.#send(round, { path: ingest, body: opened });
      await this.#send(round + 1, { path: ingest, body: merged });
      const email = `newcomer-${round}@load.example`;
      const person = { main_email: email, name: `Newcomer ${round}`, onboarded: false, teams: [`Team ${round % 3}`] };
      await this.#send(round + 1, { path: '/ingest/people', body: [person] });
      await this.#send(round, { path: onboardedPath, body: { email_addresses: [email] } });
      await pause(everywhereMs);
      for (const i of this.#servers) await this.#expectCount(i, (round + 1) * opened.length);
      await this.#expectOnboarded((round + 1) % this.#servers.length, email);
      if (round === killIn) await this.#revoke();
    }
    await beside;
  }

  /** The body may be taken or not before the server dies: it is sent again in any case. */
  async #killWhileWriting(victim: number, { path, body }: SentBody): Promise<void> {
    const { fleet, key } = this.#terms;
    const sending = fleet.ask(victim, path, key, body);
    await pause(50);
    await fleet.kill(victim);
    await sending;
    this.kills += 1;
    await fleet.start(victim);
  }

  async #send(first: number, body: SentBody): Promise<void> {
    this.sent.push(body);
    let at = first;
    const next = () => at++ % this.#servers.length;
    const refused = ({ status, text }: Asked) => {
      if (status !== 503 && status !== 504) this.wrong.push(`${body.path} answered ${status}: ${text.slice(0, 300)}`);
    };
    await sendUntilTaken({ ...this.#terms, next, refused }, body);
  }

  async #expectCount(i: number, expected: number): Promise<void> {
    this.questions += 1;
    await this.#expectSoon(async () => {
      const asked = await this.#terms.fleet.ask(i, countQuestion.path, this.#terms.key, countQuestion.body);
      const count = asked?.status === 200 ? countIn(asked.text) : asked?.text;
      return count === expected ? undefined : `server ${i} counted ${count} where there are ${expected}`;
    });
  }

  async #expectOnboarded(i: number, email: string): Promise<void> {
    this.questions += 1;
    await this.#expectSoon(async () => {
      const listed = await this.#terms.fleet.ask(i, onboardedPath, this.#terms.key);
      return listed?.text.includes(email) ? undefined : `server ${i} did not know ${email} a second later`;
    });
  }

  /** A second has passed. What is wrong by then is asked again for as long as the promise of a second is given. */
  async #expectSoon(whatIsWrong: () => Promise<string | undefined>): Promise<void> {
    const until = performance.now() + soon.timeout - everywhereMs;
    let wrong = await whatIsWrong();
    while (wrong !== undefined && performance.now() < until) {
      await pause(50);
      wrong = await whatIsWrong();
    }
    if (wrong !== undefined) this.wrong.push(wrong);
  }

  async #revoke(): Promise<void> {
    const { fleet, makeKey, revoke } = this.#terms;
    const { id, key } = await makeKey();
    const statuses = () => Promise.all(this.#servers.map(async (i) => (await fleet.ask(i, '/teams', key))?.status));
    const before = await statuses();
    await revoke(id);
    await pause(everywhereMs);
    if (before.some((status) => status !== 200)) this.wrong.push(`a new key got ${before.join()}`);
    await this.#expectSoon(async () => {
      const after = await statuses();
      return after.every((status) => status === 401) ? undefined : `a revoked key got ${after.join()} a second later`;
    });
    this.revokes += 1;
  }
}
