import { expect } from 'vitest';
import { ConfiguredSources } from '../../../src/configured-sources/configured-sources.ts';
import { WebhookIntake } from '../../../src/configured-sources/webhook-intake.ts';
import { Rereads } from '../../../src/jobs/rereads.ts';
import { Syncs } from '../../../src/jobs/syncs.ts';
import type { Clock } from '../../../src/sources/http/clock.ts';
import { sourceKinds } from '../../../src/sources/kinds.ts';
import { asking, putRecords } from '../../http/metrics/some-metrics.ts';
import { tableStateOf } from '../../ingest/state.ts';
import { clickhouseAvailable } from '../../setup/clickhouse.ts';
import { isLong } from '../../setup/how-long.ts';
import { type Service, startService } from '../../setup/running-app.ts';

export const now = Date.UTC(2026, 2, 31, 12) / 1_000;
export const ago = (days: number): number => Math.round(now - days * 86_400);
export const isoAgo = (days: number): string => new Date(ago(days) * 1_000).toISOString().replace('.000', '');

type Engine = 'DuckDB' | 'ClickHouse';
/** ClickHouse takes many times as long for so few rows: the long run tries it, too. */
export const engines: readonly Engine[] = isLong && clickhouseAvailable ? ['DuckDB', 'ClickHouse'] : ['DuckDB'];

type Rows = readonly Readonly<Record<string, unknown>>[];

/** An organisation that several sources feed at once: synced, called by webhooks, and asked, all over real HTTP. */
export class FedOrganisation {
  readonly service: Service;
  readonly #sources: ConfiguredSources;
  readonly #syncs: Syncs;
  readonly #rereads: Rereads;
  readonly #ids = new Map<string, { readonly id: string; readonly secret: string }>();

  private constructor(service: Service, sources: ConfiguredSources, syncs: Syncs, rereads: Rereads) {
    this.service = service;
    this.#sources = sources;
    this.#syncs = syncs;
    this.#rereads = rereads;
  }

  static async start(engine: Engine, people: readonly object[]): Promise<FedOrganisation> {
    const clock: Clock = { now: () => now * 1_000, sleep: async () => {} };
    let made: [ConfiguredSources, Syncs, Rereads] | undefined;
    const service = await startService({
      isQuick: true,
      isOnClickHouse: engine === 'ClickHouse',
      now: () => new Date(now * 1_000),
      parts: ({ store, secrets, now: at, directory, ingest }) => {
        const sources = new ConfiguredSources({
          store,
          secrets,
          kinds: sourceKinds,
          now: at,
          sourceHosts: [],
          environment: {},
        });
        const onError = (error: unknown) => {
          throw error;
        };
        const prepare = (row: Parameters<ConfiguredSources['prepare']>[0]) => sources.prepare(row);
        const parts = { directory, ingest, prepare, onError, clock };
        const rereads = new Rereads(parts);
        made = [sources, new Syncs({ ...parts, holder: 'test' }), rereads];
        return { webhooks: new WebhookIntake({ store, sources, now: at, kept: (id) => rereads.nudge(id) }) };
      },
    });
    if (!made) throw new Error('the service has no sources');
    await putRecords(service, 'people', people);
    return new FedOrganisation(service, ...made);
  }

  async add(kind: string, settings: Readonly<Record<string, string>>): Promise<void> {
    const actor = { via: 'command', user: 'test' } as const;
    const change = { organisationId: this.service.organisationId, actor, origin: 'command' } as const;
    const { id, webhookSecret = '' } = await this.#sources.add(change, kind, kind, settings);
    this.#ids.set(kind, { id, secret: webhookSecret });
  }

  put(table: string, records: readonly object[]): Promise<void> {
    return putRecords(this.service, table, records);
  }

  /** Throws where any of them could not be read whole. */
  async sync(): Promise<void> {
    for (const [kind, { id }] of this.#ids) {
      const result = await this.#syncs.sync(id, { signal: new AbortController().signal });
      if (result?.outcome !== 'complete') throw new Error(`${kind} was not read whole: ${JSON.stringify(result)}`);
    }
  }

  /** A call of a provider, with the headers that prove it, and what is read again because of it. */
  async call(
    kind: string,
    body: object,
    headersOf: (secret: string, text: string) => Readonly<Record<string, string>>,
  ): Promise<void> {
    const { id = '', secret = '' } = this.#ids.get(kind) ?? {};
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', ...headersOf(secret, text) };
    const answer = await this.service.request('POST', `/webhooks/${kind}/${id}`, { body: text, headers });
    expect(answer.status).toBe(202);
    await this.#rereads.settled();
  }

  async rows(table: string): Promise<Rows> {
    const lines = await tableStateOf(this.service.app.warehouse, this.service.organisationId, table);
    return lines.map((line) => JSON.parse(line) as Rows[number]);
  }

  /** One column of each row of a table by another one. */
  async column(table: string, by: string, of: string): Promise<Readonly<Record<string, unknown>>> {
    return Object.fromEntries((await this.rows(table)).map((row) => [String(row[by]), row[of]]));
  }

  async metric(name: string, body: object = {}): Promise<Rows> {
    const filters = { start_date: '2026-03-01', end_date: '2026-03-31' };
    const answer = await asking(() => this.service)(name, { filters, ...body });
    expect(answer.status, answer.text).toBe(200);
    return answer.json as Rows;
  }

  async close(): Promise<void> {
    await this.#rereads.close();
    await this.service.close();
  }
}
