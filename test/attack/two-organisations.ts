import { Agent, request as nodeRequest, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { findPerson } from '../../src/directory/people.ts';
import { actor, putRecords, startMetrics } from '../http/metrics/some-metrics.ts';
import type { Service, ServiceOptions } from '../setup/running-app.ts';

/** A service with a second organisation on it. */
export interface TwoOrganisations extends Service {
  /** A key of an Owner of the other organisation. */
  readonly otherKey: string;
  readonly otherId: string;
}

export async function startTwo(options: ServiceOptions = {}): Promise<TwoOrganisations> {
  const service = await startMetrics(options);
  const { app } = service;
  const { id } = await createOrganisation(app.directory, actor, { name: 'Other', ownerEmail: 'eve@example.org' });
  const { effective } = await app.store.read((session) => findPerson(session, id, 'eve@example.org'));
  const { key: otherKey } = await app.keys.create(id, actor, { creatorId: effective.id, name: 'other' });
  const other = { ...service, keys: { ...service.keys, owner: otherKey } };
  await putRecords(other, 'pull_requests', [
    { pr_id: 'pr-1', pr_created_at: '2024-03-01T09:00:00Z', person_email: 'eve@example.org' },
  ]);
  return { ...service, otherKey, otherId: id };
}

const firstMs = Date.parse('2024-02-01T00:00:00Z');

/** A question that nobody asked before, by the second: what is known already is not asked of the engine. */
export const freshQuestion = (n: number) => ({
  filters: { start_date: new Date(firstMs + n * 1_000).toISOString(), end_date: '2024-04-01' },
});

export interface Sent {
  readonly status: number;
  readonly ms: number;
}

interface HammerOptions {
  /** How long a connection waits after a refusal. */
  readonly pauseMs?: number;
  readonly question?: (n: number) => object;
}

/**
 * Connections that stay open, each of which asks again as soon as it has its answer. They are opened before the first
 * question: Node takes one new connection each time round its event loop, which is not what is tried here.
 */
export class Hammer {
  readonly sent: Sent[] = [];
  readonly #port: number;
  readonly #key: string;
  readonly #agent: Agent;
  readonly #connections: number;
  readonly #pauseMs: number;
  readonly #question: (n: number) => object;
  #workers: Promise<void>[] = [];
  #number = 0;
  #isOver = false;

  private constructor(port: number, key: string, connections: number, { pauseMs, question }: Required<HammerOptions>) {
    this.#port = port;
    this.#pauseMs = pauseMs;
    this.#question = question;
    this.#key = key;
    this.#connections = connections;
    this.#agent = new Agent({ keepAlive: true, maxSockets: connections, maxFreeSockets: connections });
  }

  static async connect(port: number, key: string, connections: number, options: HammerOptions = {}): Promise<Hammer> {
    const hammer = new Hammer(port, key, connections, { pauseMs: 0, question: freshQuestion, ...options });
    await Promise.all(Array.from({ length: connections }, () => touch(port, hammer.#agent)));
    return hammer;
  }

  begin(): void {
    this.#workers = Array.from({ length: this.#connections }, () => this.#work());
  }

  count(status: number): number {
    return this.sent.filter((one) => one.status === status).length;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#workers);
    this.#agent.destroy();
  }

  async #work(): Promise<void> {
    while (!this.#isOver) {
      this.#number += 1;
      const sent = await post(this.#port, this.#key, this.#question(this.#number), this.#agent);
      this.sent.push(sent);
      if (sent.status !== 200) await sleep(this.#pauseMs);
    }
  }
}

const touch = (port: number, agent: Agent): Promise<Sent> => send(port, { method: 'GET', path: '/livez', agent });

/** Asks for pull requests, on a connection of its own unless it is said. */
export function post(port: number, key: string, question: object, agent?: Agent): Promise<Sent> {
  const body = JSON.stringify(question);
  const headers = { authorization: key, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  return send(port, { method: 'POST', path: '/metrics/pull-requests-count', agent: agent ?? false, headers }, body);
}

export function send(port: number, asked: RequestOptions, body?: string | Buffer): Promise<Sent> {
  const began = performance.now();
  return new Promise((resolve) => {
    const done = (status: number) => resolve({ status, ms: performance.now() - began });
    const request = nodeRequest({ host: '127.0.0.1', port, ...asked }, (response) => {
      response.resume();
      response.on('end', () => done(response.statusCode ?? 0));
      response.on('error', () => done(0));
    });
    request.on('error', () => done(0));
    request.end(body);
  });
}
