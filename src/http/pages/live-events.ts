import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { Sessions } from '../../access/sign-in-sessions.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Syncs } from '../../jobs/syncs.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { noQuery } from '../openapi.ts';
import { progressFor } from './status-routes.ts';

export interface LiveEventParts {
  readonly syncs: Pick<Syncs, 'watch' | 'progressOf' | 'isRunning'>;
  readonly warehouse: { versionOf(organisationId: string): number | undefined };
  readonly directory: Pick<Directory, 'store'>;
  readonly sessions: Pick<Sessions, 'isAlive'>;
  readonly pace?: Partial<LiveEventPace> | undefined;
}

interface LiveEventPace {
  /** How often it is looked whether there is something to tell. */
  readonly lookMs: number;
  /** How often a comment keeps the connection open, and sessions are looked at. */
  readonly commentMs: number;
}

interface LiveListener {
  readonly principal: Principal;
  readonly response: ServerResponse;
  /** Sources of which something new is known, with their names. */
  readonly news: Map<string, string>;
  version: number | undefined;
}

const defaultPace: LiveEventPace = { lookMs: 500, commentMs: 20_000 };
/** Tabs of one person. Browsers open six connections to a host, and need some for everything else. */
const maxForPerson = 4;
/** More events than this are not kept for a slow reader: the page asks again when it comes back. */
const maxBuffered = 256 * 1_024;

/** Tells pages what happens while they are open: how far syncs are, and that there is new data. */
export class LiveEvents {
  readonly #parts: LiveEventParts;
  readonly #listeners = new Set<LiveListener>();
  readonly #timers: NodeJS.Timeout[];
  readonly #unwatch: () => void;
  readonly #changed = new Set<string>();
  #isChecking = false;

  constructor(parts: LiveEventParts) {
    this.#parts = parts;
    const { lookMs, commentMs } = { ...defaultPace, ...parts.pace };
    this.#timers = [
      setInterval(() => this.#look(), lookMs).unref(),
      setInterval(() => this.#comment(), commentMs).unref(),
    ];
    this.#unwatch = parts.syncs.watch(({ id, name, organisation_id }) => {
      for (const { principal, news } of this.#listeners) {
        if (principal.organisationId === organisation_id) news.set(id, name);
      }
    });
    // Signing out, a new role and a removal are changes of the organisation.
    parts.directory.store.watch((organisationId) => this.#changed.add(organisationId));
  }

  /** Refused where the caller listens too often already. */
  refuseMany({ organisationId, personId }: Principal): void {
    const own = [...this.#listeners].filter(
      ({ principal }) => principal.organisationId === organisationId && principal.personId === personId,
    );
    if (own.length < maxForPerson) return;
    throw new Refusal('too-many-requests', `You have ${maxForPerson} pages open that listen already. Close one.`, {
      retryAfterSeconds: 60,
    });
  }

  /** Tells from now on. The response has its headers. */
  add(principal: Principal, response: ServerResponse): void {
    const version = this.#parts.warehouse.versionOf(principal.organisationId);
    const listener = { principal, response, news: new Map<string, string>(), version };
    this.#listeners.add(listener);
    response.once('close', () => this.#listeners.delete(listener));
    if (version !== undefined) this.#send(listener, 'data', { version });
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer);
    this.#unwatch();
    for (const { response } of this.#listeners) response.end();
    this.#listeners.clear();
  }

  #look(): void {
    const { syncs, warehouse } = this.#parts;
    const changed = [...this.#changed];
    this.#changed.clear();
    if (this.#listeners.size === 0) return;
    if (changed.length > 0) void this.#endDead(changed);
    for (const listener of this.#listeners) {
      const { principal, news } = listener;
      for (const [id, name] of news) {
        const progress = progressFor(principal, name, syncs.progressOf(id));
        this.#send(listener, 'sync', { source: { id, name }, is_running: syncs.isRunning(id), progress });
      }
      news.clear();
      const version = warehouse.versionOf(principal.organisationId);
      if (version === undefined || version === listener.version) continue;
      listener.version = version;
      this.#send(listener, 'data', { version });
    }
  }

  #comment(): void {
    for (const { response } of this.#listeners) response.write(': here\n\n');
    void this.#endDead();
  }

  /** Ends what belongs to sessions that have ended, or to people who may see something else now. */
  async #endDead(organisationIds?: readonly string[]): Promise<void> {
    // Events that come meanwhile are looked at with the next comment at the latest.
    if (this.#isChecking) {
      for (const id of organisationIds ?? []) this.#changed.add(id);
      return;
    }
    this.#isChecking = true;
    try {
      for (const { principal, response } of [...this.#listeners]) {
        if (organisationIds && !organisationIds.includes(principal.organisationId)) continue;
        // A store that is away for a moment ends no page.
        const isAlive = await this.#parts.sessions.isAlive(principal).catch(() => true);
        if (!isAlive) response.end();
      }
    } finally {
      this.#isChecking = false;
    }
  }

  #send({ response }: LiveListener, event: string, data: object): void {
    if (response.writableLength > maxBuffered) response.destroy();
    else response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Server-sent events: they last for as long as a page is open, its session lives and the service runs. */
export function eventRoutes(app: FastifyInstance, parts: LiveEventParts): void {
  const live = new LiveEvents(parts);
  app.addHook('preClose', (done) => {
    live.close();
    done();
  });

  // A HEAD request would wait for an end that never comes.
  const options = { exposeHeadRoute: false, schema: { hide: true, querystring: noQuery } };
  app.get('/app/events', options, (request, reply) => {
    const principal = principalOf(request);
    live.refuseMany(principal);
    const headers = { ...(reply.getHeaders() as OutgoingHttpHeaders), 'content-type': 'text/event-stream' };
    reply.hijack();
    // The stream lasts for hours and costs next to nothing: it does not count among the requests that wait for an
    // answer.
    request.visit?.leave();
    reply.raw.writeHead(200, { ...headers, 'x-accel-buffering': 'no' });
    live.add(principal, reply.raw);
  });
}
