import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { ConfiguredSources } from '../../../src/configured-sources/configured-sources.ts';
import { WebhookIntake } from '../../../src/configured-sources/webhook-intake.ts';
import { Rereads, type RereadsParts } from '../../../src/jobs/rereads.ts';
import { githubWebhook } from '../../../src/sources/github/webhook.ts';
import { type Clock, systemClock } from '../../../src/sources/http/clock.ts';
import type { ChangedObject, Page, SourceKind } from '../../../src/sources/source.ts';
import { type HttpAnswer, type Service, type ServiceOptions, startService } from '../../setup/running-app.ts';

/** A provider of pull requests that calls as GitHub does. Its answers are counted. */
export class Provider {
  /** Number → title as it is now. */
  readonly titles = new Map<number, string>();
  readonly reads: number[] = [];
  /** Answers with this status instead, while it is set. */
  failure: number | undefined;
  readonly #server: Server;

  private constructor() {
    this.#server = createServer((request, response) => {
      const number = Number(request.url?.split('/').at(-1));
      this.reads.push(number);
      const title = this.titles.get(number);
      const status = this.failure ?? (title === undefined ? 404 : 200);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ number, title }));
    });
  }

  static async start(): Promise<Provider> {
    const provider = new Provider();
    await new Promise<void>((resolve) => provider.#server.listen(0, '127.0.0.1', resolve));
    return provider;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** A kind that is as small as one can be: a webhook names a pull request, which is one request. */
const hooked: SourceKind = {
  kind: 'hooked',
  label: 'Hooked',
  meaning: 'Pull requests of a test.',
  accounts: 'own',
  settings: [
    { name: 'base_url', label: 'Address', meaning: 'Where it is.', type: 'address', isRequired: true },
    { name: 'token', label: 'Token', meaning: 'Its token.', type: 'text', isSecret: true },
  ],
  webhook: {
    ...githubWebhook,
    objectsOf(event, payload): readonly ChangedObject[] {
      const { number } = payload as { readonly number?: number };
      if (event !== 'pull_request' || number === undefined) return [];
      return [{ id: `pull_request@${number}`, kind: 'pull_request', scope: 'acme/web', reference: number }];
    },
  },
  open: ({ requests }) => ({
    check: async () => ({ sees: [], missing: [] }),
    streams: () => [],
    async reread({ reference }): Promise<Page> {
      const { status, body, at } = await requests.get(`/pulls/${reference}`, { alsoGood: [404] });
      const pr_id = `github:acme/web#${reference}`;
      const { title } = (body ?? {}) as { readonly title?: string };
      const record = status === 404 ? { pr_id, _deleted: true } : { pr_id, source: 'github', pr_title: title };
      return { records: [{ table: 'pull_requests', records: [record] }], count: 1, at };
    },
  }),
};

/** The same of a provider that has no place for a secret but the address. */
const tokened: SourceKind = {
  ...hooked,
  kind: 'tokened',
  label: 'Tokened',
  webhook: {
    token: 'in the address',
    objectsOf: (_, payload) => hooked.webhook?.objectsOf('pull_request', payload) ?? [],
  },
};

export const secret = 'a secret of the webhook';
export const signed = (body: string | Buffer, by = secret): string =>
  `sha256=${createHmac('sha256', by).update(body).digest('hex')}`;

export interface Call {
  readonly body?: string | Buffer;
  readonly signature?: string | undefined;
  readonly delivery?: string;
  readonly event?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Goes as clocks do, but that no wait begins while it is held. */
class HeldClock implements Clock {
  readonly now = systemClock.now;
  #held: Promise<void> = Promise.resolve();

  async holdDuring(work: () => Promise<void>): Promise<void> {
    let release = () => {};
    this.#held = new Promise((resolve) => {
      release = resolve;
    });
    await work().finally(release);
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await this.#held;
    await systemClock.sleep(ms, signal);
  }
}

/** A service with one source whose provider calls it. */
export class HookedService {
  readonly service: Service;
  readonly provider: Provider;
  readonly sourceId: string;
  readonly withoutSecretId: string;
  readonly tokened: { readonly id: string; readonly token: string };
  readonly rereads: Rereads;
  readonly prepare: RereadsParts['prepare'];
  readonly sources: ConfiguredSources;
  /** Of what reads again. */
  readonly clock: HeldClock;

  private constructor(
    parts: Pick<
      HookedService,
      'service' | 'provider' | 'sourceId' | 'withoutSecretId' | 'tokened' | 'rereads' | 'prepare' | 'sources' | 'clock'
    >,
  ) {
    this.prepare = parts.prepare;
    this.sources = parts.sources;
    this.service = parts.service;
    this.provider = parts.provider;
    this.sourceId = parts.sourceId;
    this.withoutSecretId = parts.withoutSecretId;
    this.tokened = parts.tokened;
    this.rereads = parts.rereads;
    this.clock = parts.clock;
  }

  static async start(options: Pick<ServiceOptions, 'isQuick'> = {}): Promise<HookedService> {
    const provider = await Provider.start();
    const clock = new HeldClock();
    let sources: ConfiguredSources | undefined;
    let rereads: Rereads | undefined;
    const service = await startService({
      ...options,
      parts: ({ store, secrets, now, directory, ingest }) => {
        const own = new ConfiguredSources({
          store,
          secrets,
          kinds: [hooked, tokened],
          now,
          sourceHosts: [],
          environment: {},
        });
        const onError = (error: unknown) => {
          throw error;
        };
        const reading = new Rereads({ directory, ingest, prepare: (row) => own.prepare(row), onError, clock });
        [sources, rereads] = [own, reading];
        return { webhooks: new WebhookIntake({ store, sources: own, now, kept: (id) => reading.nudge(id) }) };
      },
    });
    if (!sources || !rereads) throw new Error('the service was built without its parts');
    const own = sources;
    const change = {
      organisationId: service.organisationId,
      actor: { via: 'command', user: 'test' },
      origin: 'command',
    } as const;
    const settings = { base_url: provider.url, token: 'a-token' };
    const { id: sourceId } = await sources.add(change, 'hooked', 'Code', { ...settings, webhook_secret: secret });
    const { id: withoutSecretId } = await sources.add(change, 'hooked', 'No secret', settings);
    const { id, webhookSecret: token = '' } = await sources.add(change, 'tokened', 'By token', settings);
    await service.app.store.note((session) =>
      session.run('UPDATE sources SET webhook_secret = NULL WHERE id = $1', [withoutSecretId]),
    );
    const prepare: RereadsParts['prepare'] = (row) => own.prepare(row);
    return new HookedService({
      service,
      provider,
      sourceId,
      withoutSecretId,
      tokened: { id, token },
      rereads,
      prepare,
      sources: own,
      clock,
    });
  }

  call(path: string, { body = '{"number": 1}', event = 'pull_request', ...call }: Call = {}): Promise<HttpAnswer> {
    const signature = 'signature' in call ? call.signature : signed(body);
    return this.service.request('POST', path, {
      body,
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': call.delivery ?? signed(body),
        ...(signature === undefined ? {} : { 'x-hub-signature-256': signature }),
        ...call.headers,
      },
    });
  }

  deliver(call: Call = {}): Promise<HttpAnswer> {
    return this.call(`/webhooks/hooked/${this.sourceId}`, call);
  }

  /** Titles of the pull requests in the tables, by id. */
  async titles(): Promise<Readonly<Record<string, string>>> {
    const { warehouse } = this.service.app;
    const rows = await warehouse.read(this.service.organisationId, (session) =>
      session.select(pullRequests, ['pr_id', 'pr_title']),
    );
    return Object.fromEntries(rows.map(({ pr_id, pr_title }) => [String(pr_id), String(pr_title)]));
  }

  openDeliveries(): Promise<number> {
    return this.service.app.store.read(async (session) => {
      const rows = await session.rows('SELECT delivery_id FROM webhook_deliveries WHERE done_at IS NULL', []);
      return rows.length;
    });
  }

  async stop(): Promise<void> {
    await this.rereads.close();
    await this.service.close();
    await this.provider.stop();
  }
}
