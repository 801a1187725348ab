import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyAcme } from '../cli/acme-folder.ts';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { connectAgent } from './connected-agent.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-mcp-'));
const data = join(folder, 'data');
const root = join(import.meta.dirname, '..', '..');
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeAll(async () => {
  const people = join(folder, 'people.ndjson');
  const bo = { name: 'Bo', main_email: 'bo@acme.example', access_role: 'Engineer', teams: ['Core'] };
  writeFileSync(people, JSON.stringify(bo));
  await copyAcme(data);
  const { code } = await callPlumb(data, ['import', '--org', 'Acme', '--table', 'people', people]);
  expect(code).toBe(0);
});

const mcp = (as: string, ...more: string[]) => ['mcp', '--org', 'Acme', '--as', as, ...more];

test('An agent asks as one person, with a server on the folder and without, as servers come and go', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'bin/plumb.cjs'), ...mcp('bo@acme.example')],
    env: { PLUMB_DATA: data, PLUMB_PORT: '0', PATH: process.env.PATH ?? '' },
  });
  const agent = await connectAgent(transport);
  const question = { metric: 'users-count', filters: {}, group_by: ['name'] };
  const bo = [{ date_level_not_set: true, name: 'Bo', number_of_users: 1 }];
  const both = () => Promise.all([agent.ask('query_metric', question), agent.ask('list_teams')]);
  try {
    const alone = await both();
    expect(alone).toMatchObject([{ rows: bo }, { rows: [{ team_name: 'Core' }] }]);
    // Only possible because nobody owns the folder between two questions.
    const server = await callServer(data);
    expect(await both()).toEqual(alone);
    expect(await agent.refused('query_metric', { ...question, metric: 'user-count' })).toContain("'users-count'");
    await server.stop();
    expect(await both()).toEqual(alone);
  } finally {
    await agent.close();
  }
});

test('Messages from a pipe are all answered before it ends', async () => {
  const messages = [1, 2, 3].map((id) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'list_people', arguments: {} },
  }));
  const stdin = messages.map((message) => `${JSON.stringify(message)}\n`).join('');
  const { code, stdout, stderr } = await callPlumb(data, mcp('ada@acme.example'), { stdin });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ id, result }) => [id, result.structuredContent.total_rows]).sort()).toEqual([
    [1, 2],
    [2, 2],
    [3, 2],
  ]);
});

test('Whoever names nobody is told so at once', async () => {
  const { code, stdout, stderr } = await callPlumb(data, mcp('nobody@acme.example'));
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('nobody@acme.example');
  expect((await callPlumb(data, mcp('ada@acme.example', '--json'))).code).toBe(2);
});
