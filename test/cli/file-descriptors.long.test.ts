import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fillWithOrganisations, type SomeOrganisation } from '../setup/many-organisations.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';

const fileDescriptors = 224;
/** More than those whose files may be open then. */
const organisationsMade = 200;
const askedAtOnce = 8;

describe(`a server with ${fileDescriptors} file descriptors and ${organisationsMade} organisations`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-descriptors-'));
  let organisations: SomeOrganisation[];
  let server: ServingPlumb;
  beforeAll(async () => {
    organisations = await fillWithOrganisations(folder, organisationsMade);
    server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' }, [], { fileDescriptors });
  }, 180_000);
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  /** Asks, and asks again as long as the copy of the directory is still being written. */
  async function post(path: string, key: string, body: unknown): Promise<Response> {
    for (;;) {
      const response = await fetch(`${server.url}/metrics/${path}`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      const isBusy = response.status === 503 && (await response.clone().text()).includes('brought up to the directory');
      if (!isBusy) return response;
      await response.body?.cancel();
    }
  }

  /** How many organisations were answered in which way, some of them asked at once. */
  async function askAll(body: unknown): Promise<Record<string, number>> {
    const answers: Record<string, number> = {};
    const waiting = [...organisations];
    const askNext = async () => {
      for (let one = waiting.shift(); one; one = waiting.shift()) {
        const response = await post('users-count', one.key, body);
        const answer = `${response.status} ${await response.text()}`;
        answers[answer] = (answers[answer] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: askedAtOnce }, askNext));
    return answers;
  }

  test('A server with few file descriptors answers every organisation, and again', async () => {
    expect(await askAll({ filters: {} })).toEqual({
      '200 [{"date_level_not_set":true,"number_of_users":1}]': organisationsMade,
    });
    // Another question, so that no answer is one that was kept.
    expect(await askAll({ filters: {}, group_by: ['department'] })).toEqual({
      '200 [{"date_level_not_set":true,"department":null,"number_of_users":1}]': organisationsMade,
    });
    expect(readdirSync(`/proc/${server.pid}/fd`).length).toBeLessThan(fileDescriptors);
  }, 240_000);

  test('A server with few file descriptors compares one organisation with all others', async () => {
    const response = await post('benchmark', organisations[0]?.key ?? '', {
      filters: { start_date: '2024-01-01', end_date: '2024-02-01' },
      benchmark_metric: 'cycle-time',
      date_field: 'merged_at',
    });
    expect(response.status).toBe(200);
    expect(await response.json()).not.toHaveProperty('meta.organisations_unreadable');
  }, 240_000);
});
