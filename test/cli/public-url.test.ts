import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer } from '../../src/cli/start-server.ts';
import { welcome } from '../../src/cli/welcome.ts';
import { readSettings } from '../../src/config.ts';
import { callPlumb } from '../setup/plumb-call.ts';

const publicUrl = 'https://plumb.acme.example';
const environment = { PLUMB_PUBLIC_URL: publicUrl };
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plumb-public-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('Every link that a command prints begins with PLUMB_PUBLIC_URL, with or without a server', async () => {
  const create = ['org', 'create', '--name', 'Acme', '--owner-email', 'ada@acme.example', '--json'];
  const made = await callPlumb(folder, create, { environment });
  expect(made.json<{ sign_in_url: string }>().sign_in_url).toMatch(
    /^https:\/\/plumb\.acme\.example\/sign-in\/plumbsignin_/,
  );

  const terminal = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, environment: {} };
  const settings = readSettings({ PLUMB_DATA: folder, PLUMB_PORT: '0', PLUMB_LOG: 'silent', ...environment });
  const server = await startServer(settings, terminal, { withFurtherHandles: false });
  try {
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:/);
    // The command itself knows nothing of the address: the server does.
    const link = await callPlumb(folder, ['person', 'sign-in', '--org', 'Acme', 'ada@acme.example', '--json']);
    expect(link.json<{ sign_in_url: string }>().sign_in_url).toMatch(/^https:\/\/plumb\.acme\.example\/sign-in\//);
    const add = ['source', 'add', 'github', '--org', 'Acme', '--name', 'code', '--set', 'token=x', '--set'];
    const added = await callPlumb(folder, [...add, 'repositories=acme/web', '--no-check', '--json']);
    expect(added.stdout).toContain(`${publicUrl}/webhooks/github/`);
    expect((await callPlumb(folder, ['status'])).stdout).toContain(`is running at ${publicUrl} (process`);
    const { text } = await welcome(server, terminal, true);
    expect(text).toContain(`Plumb is running at ${publicUrl}\n`);
    expect(text).not.toContain(server.url);
  } finally {
    await server.stop();
  }
});

test.each(['plumb.acme.example', 'ftp://plumb.acme.example', 'https://acme.example/plumb'])(
  '%s is no address that people find Plumb at: exit 2',
  async (wrong) => {
    const { code, stderr } = await callPlumb(folder, ['org', 'list'], { environment: { PLUMB_PUBLIC_URL: wrong } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('PLUMB_PUBLIC_URL must be an address without a path')]);
  },
);
