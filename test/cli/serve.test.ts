import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callServer } from '../setup/called-server.ts';
import { copyDemo, type DemoGreeting } from '../setup/demo-folder.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { copyAcme } from './acme-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'plumb-serve-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(root, `data-${folders++}`);

describe('plumb serve', () => {
  describe('while it runs', () => {
    const folder = newFolder();
    let server: ServingPlumb;
    beforeAll(async () => {
      server = await servePlumb(folder, { PLUMB_HOST: '0.0.0.0', PLUMB_ADMIN_PORT: '0' });
    });
    afterAll(() => server.kill());

    test('A second server on the same folder is refused, and told of the first', async () => {
      const second = await callPlumb(folder, ['serve']);
      expect(second.code).toBe(1);
      expect(second.stderr).toContain(server.url);
      expect(second.stderr).toContain(String(server.pid));
    });

    test('The data folder and everything in it is for its owner only', () => {
      for (const path of ['.', 'store.duckdb', 'store.commits', 'server.json', 'folder.lock']) {
        expect(statSync(join(folder, path)).mode & 0o077, path).toBe(0);
      }
    });

    test('Commands are refused at the control door without the token of the folder', async () => {
      const { controlPort } = JSON.parse(readFileSync(join(folder, 'server.json'), 'utf8')) as { controlPort: number };
      const response = await fetch(`http://127.0.0.1:${controlPort}/listOrganisations`, { method: 'POST', body: '{}' });
      expect(response.status).toBe(401);
    });

    test('Prometheus metrics are on the admin port only', async () => {
      expect(server.adminUrl).not.toBeNull();
      const metrics = await fetch(`${server.adminUrl}/metrics`);
      expect(await metrics.text()).toContain('process_cpu_seconds_total');
      expect((await fetch(`${server.url}/metrics`)).status).not.toBe(200);
    });

    test('The admin port stays on this machine while the service listens everywhere', () => {
      const { port } = new URL(server.adminUrl ?? '');
      expect(listeningAddresses(Number(port))).toEqual(['127.0.0.1']);
    });

    test('plumb serve while it runs killed, it leaves nothing that stops a command or the next one, which SIGTERM ends well', async () => {
      await server.kill();
      expect((await callPlumb(folder, ['org', 'list', '--json'])).json()).toEqual([]);
      server = await servePlumb(folder, { PLUMB_RATE_LIMIT: '0' });
      expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
      await endsWell(server, 'SIGTERM');
    });
  });

  // Ctrl-C ends one in package.test.ts.
  if (isLong)
    test('SIGINT answers what is under way and ends it with 0 within ten seconds', async () =>
      endsWell(await servePlumb(newFolder(), { PLUMB_RATE_LIMIT: '0' }), 'SIGINT'));

  test('A taken port is said to be taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as { port: number };
    const { code, stderr } = await callPlumb(newFolder(), ['serve'], { environment: { PLUMB_PORT: String(port) } });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is taken`);
  });

  test('--demo prints a key that works, keeps the data of the last time, and answers the question in the README', async () => {
    const folder = newFolder();
    const first = await copyDemo(folder);
    const { server, greeting } = await runDemo(folder);
    const teamsFor = async (key: string) => {
      const response = await fetch(`${server.url}/teams`, { headers: { authorization: key } });
      expect(response.status).toBe(200);
      return (await response.json()) as unknown[];
    };
    const teams = await teamsFor(first.key);
    expect(teams.length).toBeGreaterThan(5);
    expect(await teamsFor(greeting.key)).toEqual(teams);
    expect(greeting.key).not.toBe(first.key);
    const listed = (await callPlumb(folder, ['org', 'list', '--json'])).json<{ id: string }[]>().map(({ id }) => id);
    expect(listed).toHaveLength(6);
    const again = (await callPlumb(folder, ['demo', '--json'])).json<{ id: string }[]>().map(({ id }) => id);
    expect(again.toSorted()).toEqual(listed.toSorted());

    const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
    const [, path, body, answer] =
      /curl -s http:\/\/127\.0\.0\.1:4400(\S+)[\s\S]*?-d '([^']+)'\n(.+)\n/.exec(readme) ?? [];
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { authorization: greeting.key, 'content-type': 'application/json' },
      body: body ?? '',
    });
    expect(await response.text()).toBe(answer);
    await server.abandon();
  });

  test('--demo adds no strangers to organisations that were there before', async () => {
    const folder = newFolder();
    await copyAcme(folder);
    const { server, greeting } = await runDemo(folder);
    expect(greeting).not.toHaveProperty('key');
    const names = (await callPlumb(folder, ['org', 'list', '--json'])).json<{ name: string }[]>();
    expect(names.map(({ name }) => name)).toEqual(['Acme']);
    await server.abandon();
  });

  test('The admin port is open to others where PLUMB_ADMIN_HOST is set', async () => {
    const open = await callServer(newFolder(), { PLUMB_ADMIN_PORT: '0', PLUMB_ADMIN_HOST: '0.0.0.0' });
    expect(listeningAddresses(Number(new URL(open.adminUrl ?? '').port))).toEqual(['0.0.0.0']);
    await open.abandon();
  });

  test('An admin address that this machine does not have is said with its setting', async () => {
    const { code, stderr } = await callPlumb(newFolder(), ['serve'], {
      environment: { PLUMB_ADMIN_PORT: '0', PLUMB_ADMIN_HOST: '192.0.2.1' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain('Cannot listen as PLUMB_ADMIN_HOST and PLUMB_ADMIN_PORT say');
  });
});

async function endsWell(server: ServingPlumb, signal: 'SIGTERM' | 'SIGINT'): Promise<void> {
  const began = performance.now();
  const underWay = Array.from({ length: 20 }, () => fetch(`${server.url}/openapi.json`).then((r) => r.status));
  await Promise.race(underWay);
  const code = server.stop(signal);
  const statuses = await Promise.allSettled(underWay);
  expect(await code).toBe(0);
  expect(performance.now() - began).toBeLessThan(10_000);
  const answered = statuses.flatMap((status) => (status.status === 'fulfilled' ? [status.value] : []));
  expect(answered.every((status) => status === 200 || status === 503)).toBe(true);
  expect(answered).toContain(200);
}

/** The IPv4 addresses on which this machine listens at a port, as the kernel tells them. */
function listeningAddresses(port: number): string[] {
  const wanted = port.toString(16).toUpperCase().padStart(4, '0');
  const lines = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1);
  return lines.flatMap((line) => {
    const [, local = '', , state] = line.trim().split(/\s+/);
    const [address = '', at] = local.split(':');
    if (at !== wanted || state !== '0A') return [];
    return [Buffer.from(address, 'hex').reverse().join('.')];
  });
}

async function runDemo(folder: string) {
  const server = await callServer(folder, {}, { isDemo: true });
  return { server, greeting: server.greeting as DemoGreeting };
}
