import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readMemory } from '../../src/admission/memory-division.ts';
import { createOrganisation } from '../../src/directory/organisations.ts';
import { openApp } from '../../src/main.ts';
import { servePlumb } from '../setup/plumb-process.ts';
import { count, grouped, putTitles, several } from './large-answers.ts';
import { megabytes, memoryOf } from './process-memory.ts';

const setting = '512MB';
/** Of the quarter more that is promised, so small an attack needs nothing. */
const most = megabytes(readMemory(setting) ?? 0);
const actor = { via: 'command', user: 'test' } as const;

/** The long run does the same with 200 texts, with larger ones and with 120 organisations: memory-attacks.long.test.ts. */
test.skipIf(!existsSync('/proc/self/status'))(
  'a server stays within its memory while six ask at once for 120 texts of a megabyte',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-resident-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const app = await openApp({ folder, databaseUrl: undefined });
    const made = await createOrganisation(app.directory, actor, { name: 'large', ownerEmail: 'owner@large.example' });
    // Of one key two such statements run at once, of an organisation three.
    const keys = await Promise.all(
      ['a', 'b', 'c'].map((name) => app.keys.create(made.id, actor, { creatorId: made.ownerId, name })),
    );
    const keyOf = (n: number) => keys[n % keys.length]?.key ?? '';
    await putTitles(app, made.id, 120, 1_000_000);
    await app.close();
    const server = await servePlumb(folder, { PLUMB_MEMORY: setting, PLUMB_RATE_LIMIT: '0' });
    onTestFinished(async () => void (await server.stop()));
    const port = Number(new URL(server.url).port);
    const sixAtOnce = (path: string, body: object) =>
      Promise.all(Array.from({ length: 6 }, (_, n) => count(port, path, keyOf(n), body).catch(() => undefined)));
    await sixAtOnce('/metrics/pull-requests-count', grouped);
    await sixAtOnce('/metrics/get-multiple-metrics', several);
    const { peak } = memoryOf(server.pid);
    expect(megabytes(peak)).toBeLessThan(most);
    expect(server.child.exitCode).toBeNull();
    expect((await count(port, '/metrics/users-count', keyOf(0), { filters: {} })).status).toBe(200);
  },
);
