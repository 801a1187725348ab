import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { fillWithOrganisations, type SomeOrganisation } from '../setup/many-organisations.ts';

function flip(path: string, at: number): void {
  const bytes = readFileSync(path);
  for (let i = 0; i < 64; i++) bytes[at + i] = (bytes[at + i] ?? 0) ^ 0xff;
  writeFileSync(path, bytes);
}

/** What can be wrong with the file of an organisation, and what the log then says of it. */
const damages: readonly (readonly [name: string, damage: (path: string) => void, reason: RegExp])[] = [
  ['its first header is damaged', (path) => flip(path, 8), /not a valid DuckDB database file/],
  ['what it says about its tables is damaged', (path) => flip(path, 3 * 4_096 + 100), /checksum/],
  ['it is no database', (path) => writeFileSync(path, 'a letter to the editor\n'.repeat(1_000)), /not a valid DuckDB/],
  ['it was cut off', (path) => writeFileSync(path, readFileSync(path).subarray(0, 20_000)), /Error/],
  [
    'a folder is in its place',
    (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    /Error/,
  ],
  // Root reads everything.
  ...(process.getuid?.() === 0
    ? []
    : [['it may not be read', (path: string) => chmodSync(path, 0), /Permission denied/] as const]),
];

describe('a question to an organisation whose warehouse cannot be read', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-unreadable-'));
  let organisations: SomeOrganisation[];
  let server: CalledServer;
  beforeAll(async () => {
    organisations = await fillWithOrganisations(folder, damages.length + 1);
    for (const [i, [, damage]] of damages.entries()) {
      damage(join(folder, 'warehouse', `${organisations[i]?.id}.duckdb`));
    }
    server = await callServer(folder);
  });
  afterAll(async () => {
    await server?.abandon();
    rmSync(folder, { recursive: true, force: true });
  });

  const ask = async (organisation: SomeOrganisation | undefined) => {
    const response = await fetch(`${server.url}/metrics/users-count`, {
      method: 'POST',
      headers: { authorization: organisation?.key ?? '', 'content-type': 'application/json' },
      body: '{"filters": {}}',
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const sound = () => organisations.at(-1);

  test.each(damages.map(([name, , reason], i) => [name, reason, i] as const))(
    'A question to an organisation whose warehouse cannot be read because %s is 503, with the reason in the log and not in the answer',
    async (_, reason, i) => {
      const [broken, other] = await Promise.all([ask(organisations[i]), ask(sound())]);
      expect(broken.status).toBe(503);
      expect(broken.headers.get('retry-after')).toBe('30');
      expect(broken.text).toContain('The tables of this organisation cannot be read');
      expect(broken.text).not.toMatch(/duckdb|\//i);
      expect(other.status).toBe(200);
      const isMeant = (line: string) => line.includes(organisations[i]?.id ?? '') && line.includes('request failed');
      await expect.poll(() => server.stderr().split('\n').find(isMeant)).toMatch(reason);
      expect((await ask(sound())).status).toBe(200);
    },
  );
});
