import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readMemory } from '../../src/admission/memory-division.ts';
import { fillWithOrganisations, type SomeOrganisation } from '../setup/many-organisations.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';

/** What may be taken beyond the setting: allocators keep what was given back to them. */
const slack = 1.25;
const organisationCount = 40;
const pullRequests = 30_000;
const sendersAtOnce = 4;

/** Watches the resident memory of a process, as the kernel tells it, while work goes on. */
class WatchedMemory {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #phase = 'start';
  #peaks = new Map<string, number>();

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), 50);
  }

  during(phase: string): void {
    this.#phase = phase;
  }

  /** The most that was seen, in bytes, and in which part of the work how much. */
  stop(): { readonly peak: number; readonly phases: Readonly<Record<string, string>> } {
    clearInterval(this.#timer);
    const phases = [...this.#peaks].map(([name, bytes]) => [name, `${Math.round(bytes / 1e6)} MB`]);
    return { peak: Math.max(...this.#peaks.values()), phases: Object.fromEntries(phases) };
  }

  #look(): void {
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${this.#pid}/status`, 'utf8')) ?? [];
    this.#peaks.set(this.#phase, Math.max(this.#peaks.get(this.#phase) ?? 0, Number(kilobytes) * 1_024));
  }
}

/** Pull requests of one part of a history, one a line. */
function records(organisation: number, from: number, count: number): string {
  const lines: string[] = [];
  for (let i = from; i < from + count; i++) {
    const created = Date.UTC(2024, 0, 1) + ((i * 7_919) % 525_600) * 60_000;
    lines.push(
      JSON.stringify({
        pr_id: `${organisation}-${i}`,
        pr_number: i,
        pr_title: `Change ${i} of the thing that ${(i * 31) % 977} needs`,
        pr_body: `It was ${i % 7} times as slow as it had to be. `.repeat(6),
        source: 'github',
        repository: `acme/service-${i % 40}`,
        person_login: `login-${i % 500}`,
        pr_state: 'merged',
        pr_created_at: new Date(created).toISOString(),
        pr_merged_at: new Date(created + ((i % 90) + 1) * 3_600_000).toISOString(),
        additions: i % 900,
        deletions: i % 300,
        changed_files: i % 30,
        labels: [`label-${i % 9}`],
      }),
    );
  }
  return `${lines.join('\n')}\n`;
}

describe.each(['1GB', '512MB'])('a server with PLUMB_MEMORY=%s', (setting) => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-memory-'));
  let organisations: SomeOrganisation[];
  let server: ServingPlumb;
  let watched: WatchedMemory;
  beforeAll(async () => {
    organisations = await fillWithOrganisations(folder, organisationCount);
    server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0', PLUMB_MEMORY: setting });
    watched = new WatchedMemory(server.pid);
  }, 300_000);
  afterAll(async () => {
    if (watched) console.log(`PLUMB_MEMORY=${setting}, resident at most`, watched.stop());
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const send = (path: string, organisation: number, body: string, accept = 'application/json') =>
    fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: organisations[organisation]?.key ?? '',
        'content-type': path.startsWith('/ingest') ? 'application/x-ndjson' : 'application/json',
        accept,
      },
      body,
    });

  /** Sent again for as long as the server asks for patience. */
  async function sendPatiently(path: string, organisation: number, body: string, accept?: string): Promise<number> {
    for (let tries = 0; tries < 100; tries++) {
      const response = await send(path, organisation, body, accept);
      let bytes = 0;
      for await (const piece of response.body ?? []) bytes += piece.length;
      if (response.status === 200) return bytes;
      expect([429, 503]).toContain(response.status);
      await new Promise((resolve) => setTimeout(resolve, 1_000 * Number(response.headers.get('retry-after') ?? 1)));
    }
    throw new Error(`${path} was never answered`);
  }

  test('A server with PLUMB_MEMORY stays below it while records arrive, large questions are asked and everything is exported', async () => {
    watched.during('records');
    await Promise.all(
      Array.from({ length: sendersAtOnce }, async (_, organisation) => {
        for (let from = 0; from < pullRequests; from += 15_000) {
          await sendPatiently('/ingest/pull_requests', organisation, records(organisation, from, 15_000));
        }
      }),
    );
    const window = { start_date: '2024-01-01', end_date: '2024-12-31' };
    const rows = (columns: readonly string[]) =>
      JSON.stringify({
        metrics: ['pull-requests-count'],
        filters: window,
        date_fields: { 'pull-requests-count': 'created_at' },
        group_by: columns,
      });
    watched.during('questions');
    const question = (groups: readonly string[], level: string) =>
      JSON.stringify({
        filters: window,
        date_field: 'created_at',
        group_by: groups,
        date_level: level,
      });
    const questions = [
      question(['repository', 'name'], 'day'),
      question(['repository'], 'week'),
      question(['name', 'pr_category'], 'month'),
    ];
    const asked = await Promise.all(
      Array.from({ length: 24 }, async (_, i) => {
        const response = await send('/metrics/pull-requests-count', i % sendersAtOnce, questions[i % 3] ?? '');
        await response.arrayBuffer();
        return response.status;
      }),
    );
    expect(asked.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    watched.during('exports');
    const types = ['application/x-ndjson', 'text/csv', 'application/json', 'application/vnd.apache.parquet'];
    const exported = await Promise.all(
      types.flatMap((type) =>
        Array.from({ length: sendersAtOnce }, (_, organisation) =>
          sendPatiently('/metrics/get-multiple-metrics', organisation, rows(['pr_id', 'pr_title', 'repository']), type),
        ),
      ),
    );
    // Parquet is the shortest by far.
    expect(Math.min(...exported)).toBeGreaterThan(100_000);
    watched.during('every organisation');
    for (const [i] of organisations.entries()) {
      await sendPatiently('/metrics/users-count', i, '{"filters": {}}');
    }
    watched.during('records and questions');
    await Promise.all([
      sendPatiently('/ingest/pull_requests', 0, records(0, 0, 20_000)),
      sendPatiently('/ingest/pull_requests', 1, records(1, 20_000, 20_000)),
      ...questions.map((body) => send('/metrics/pull-requests-count', 2, body).then((r) => r.arrayBuffer())),
      sendPatiently('/metrics/get-multiple-metrics', 3, rows(['pr_id', 'pr_title', 'repository']), types[0]),
    ]);
    expect(server.child.exitCode).toBeNull();
    expect(watched.stop().peak).toBeLessThan(slack * (readMemory(setting) ?? 0));
  }, 1_200_000);
});
