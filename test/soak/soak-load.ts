import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '../../src/demo/seeded-random.ts';
import { seed } from '../setup/seed.ts';
import type { World } from '../sources/github/replay/world.ts';

/** A request of the load: what it was for, when it was over, and how long it took. */
export interface Sent {
  readonly kind: keyof typeof restMs;
  readonly atMs: number;
  readonly ms: number;
}

/** How long a client of each kind waits before its next request. */
const restMs = {
  question: 40,
  'repeated question': 40,
  import: 1_000,
  webhook: 1_000,
  sync: 30_000,
  'sign-in': 3_000,
  export: 5_000,
} as const;

export interface SoakTerms {
  /** The servers, each of which is asked in turn. */
  readonly urls: readonly string[];
  readonly key: string;
  readonly owner: { readonly email: string; readonly password: string };
  readonly source: { readonly id: string; readonly webhookSecret: string; readonly world: World };
  readonly isOver: () => boolean;
}

export const pullRequestsInSoak = 20_000;
const firstMs = Date.parse('2024-01-01T00:00:00Z');
const day = (n: number) => new Date(firstMs + n * 86_400_000).toISOString().slice(0, 10);

/** A pull request and its review; another `version` of it replaces them. */
export function soakRecords(numbers: readonly number[], version: number) {
  const pulls = numbers.map((n) => {
    const opened = firstMs + n * 1_500_000;
    return {
      pr_id: `soak-${n}`,
      repository: `soak/repository-${n % 20}`,
      pr_title: `Change ${n}, version ${version}`,
      pr_state: 'merged',
      person_email: `engineer-${n % 50}@soak.example`,
      pr_created_at: new Date(opened).toISOString(),
      pr_merged_at: new Date(opened + 3_600_000 * (1 + ((n + version) % 70))).toISOString(),
    };
  });
  const reviews = numbers.map((n) => ({
    pr_review_id: `soak-${n}-review`,
    pr_id: `soak-${n}`,
    person_email: `engineer-${(n + 7) % 50}@soak.example`,
    review_state: 'approved',
    reviewed_at: new Date(firstMs + n * 1_500_000 + 1_800_000).toISOString(),
  }));
  return { pulls, reviews };
}

/**
 * People, machines and agents who use a service all day: questions new and repeated, imports that replace what is there,
 * webhooks, syncs, sign-ins and exports. The organisation stays as large as it is, so that whatever grows is the service.
 */
export class SoakLoad {
  readonly sent: Sent[] = [];
  readonly wrong: string[] = [];
  /** Answers that said to come back. */
  refusals = 0;
  readonly #terms: SoakTerms;
  readonly #random = new SeededRandom(`soak ${seed}`);
  #next = 0;

  constructor(terms: SoakTerms) {
    this.#terms = terms;
  }

  async run(): Promise<void> {
    const twice = [0, 1];
    await Promise.all([
      ...twice.map(() => this.#repeat('question', () => this.#ask(this.#between(0, 300), this.#between(1, 60)))),
      ...twice.map(() => this.#repeat('repeated question', () => this.#ask(30 * this.#between(0, 5), 30))),
      this.#repeat('import', () => this.#import()),
      this.#repeat('webhook', () => this.#callWebhook()),
      this.#repeat('sync', () => this.#sync()),
      this.#repeat('sign-in', () => this.#signIn()),
      this.#repeat('export', () => this.#export()),
    ]);
  }

  async #repeat(kind: Sent['kind'], act: () => Promise<Response | undefined>): Promise<void> {
    while (!this.#terms.isOver()) {
      const begun = performance.now();
      const answer = await act().catch((error: Error) => void this.wrong.push(`${kind}: ${error.message}`));
      const text = answer ? await answer.text() : '';
      const atMs = performance.now();
      if (answer && answer.status < 400) this.sent.push({ kind, atMs, ms: atMs - begun });
      else if (answer?.status === 503) this.refusals += 1;
      else if (answer) this.wrong.push(`${kind}: ${answer.status} ${text.slice(0, 200)}`);
      for (let left: number = restMs[kind]; left > 0 && !this.#terms.isOver(); left -= 1_000)
        await pause(Math.min(left, 1_000));
    }
  }

  #ask(from: number, days: number): Promise<Response> {
    const filters = { start_date: day(from), end_date: day(from + days) };
    const [metric, body] = this.#oneOf([
      ['pull-requests-count', { date_level: 'week' }],
      ['cycle-time', { aggregation: 'MEDIAN', date_level: 'week' }],
      ['pickup-time', { aggregation: 'P90', group_by: ['name'] }],
      ['review-rate', { group_by: ['repository'] }],
      ['pull-requests-count', { group_by: ['pr_id', 'pr_title'], order_by: 'pr_id', limit: 50 }],
    ] as const);
    return this.#post(`/metrics/${metric}`, { filters, ...body });
  }

  async #import(): Promise<Response> {
    const numbers = Array.from({ length: 50 }, () => this.#between(0, pullRequestsInSoak));
    const { pulls, reviews } = soakRecords([...new Set(numbers)], this.#between(0, 1_000_000));
    const taken = await this.#post('/ingest/pull_requests', pulls);
    return taken.ok ? this.#post('/ingest/pull_request_reviews', reviews) : taken;
  }

  /** A pull request of the provider changes, and it says so. */
  #callWebhook(): Promise<Response> {
    const { id, webhookSecret, world } = this.#terms.source;
    const { repository, pulls } = this.#oneOf(world.repositories);
    const { pull } = this.#oneOf(pulls);
    Object.assign(pull, { title: `Version ${this.#between(0, 1_000_000)}`, updated_at: new Date().toISOString() });
    const { id: repositoryId, full_name } = repository;
    const body = JSON.stringify({ pull_request: pull, repository: { id: repositoryId, full_name } });
    const signature = createHmac('sha256', webhookSecret).update(body).digest('hex');
    return this.#send(`/webhooks/github/${id}`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': 'pull_request',
        'x-github-delivery': signature,
        'x-hub-signature-256': `sha256=${signature}`,
      },
    });
  }

  async #sync(): Promise<Response> {
    const { url, cookie } = await this.#signedIn();
    return this.#send(
      `/app/sources/${this.#terms.source.id}/sync`,
      { method: 'POST', headers: { cookie, origin: url } },
      url,
    );
  }

  async #signIn(): Promise<Response> {
    const { url, cookie } = await this.#signedIn();
    const session = await this.#send('/app/session', { headers: { cookie } }, url);
    if (!session.ok) return session;
    return this.#send('/sign-out', { method: 'POST', redirect: 'manual', headers: { cookie, origin: url } }, url);
  }

  /** Every row of two months, as a file. */
  #export(): Promise<Response> {
    const from = this.#between(0, 240);
    const body = {
      filters: { start_date: day(from), end_date: day(from + 60) },
      metrics: ['pull-requests-count'],
      group_by: ['pr_id', 'pr_title', 'repository', 'name', 'pr_merged_at', 'cycle_time'],
    };
    return this.#post('/metrics/get-multiple-metrics', body, { accept: 'text/csv' });
  }

  async #signedIn(): Promise<{ readonly url: string; readonly cookie: string }> {
    const url = this.#nextUrl();
    const { email, password } = this.#terms.owner;
    const form = new URLSearchParams({ email, password });
    const answer = await this.#send(
      '/sign-in',
      { method: 'POST', body: form, redirect: 'manual', headers: { origin: url } },
      url,
    );
    await answer.arrayBuffer();
    const [cookie = ''] = answer.headers.getSetCookie().map((one) => one.split(';')[0]);
    return { url, cookie };
  }

  #post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    const { key } = this.#terms;
    const every = { authorization: key, 'content-type': 'application/json', ...headers };
    return this.#send(path, { method: 'POST', body: JSON.stringify(body), headers: every });
  }

  #send = (path: string, init: RequestInit, url = this.#nextUrl()): Promise<Response> => fetch(`${url}${path}`, init);

  #nextUrl(): string {
    this.#next += 1;
    return this.#terms.urls[this.#next % this.#terms.urls.length] ?? '';
  }

  #between = (from: number, until: number): number => from + Math.floor(this.#random.next() * (until - from));

  #oneOf<T>(list: readonly T[]): T {
    const [one] = list.slice(this.#between(0, list.length));
    if (one === undefined) throw new Error('nothing to choose from');
    return one;
  }
}
