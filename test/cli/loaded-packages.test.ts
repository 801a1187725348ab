import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';

/** What reads a command line, a CSV file and a misspelt word, and aligns columns. All else is for servers. */
const light = ['commander', 'csv-parse', 'fastest-levenshtein', 'get-east-asian-width'];
/** What speaks MCP, and no other command needs. */
const speakingMcp = [
  '@modelcontextprotocol/sdk',
  'ajv',
  'ajv-formats',
  'fast-deep-equal',
  'json-schema-traverse',
  'zod',
];

/** The packages that a built file holds code of, by its source map; or the one that it belongs to. */
function packagesIn(file: string): string[] {
  const path = file.replace(/^file:\/\/|\?\d+$/g, '');
  const sources = existsSync(`${path}.map`)
    ? (JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }).sources
    : [path];
  return sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
}

/**
 * Runs the built command with one line of words after the other, in one process, and prints for each its exit code and the
 * files that it was the first to load, as ES modules or required.
 */
const watch = `
import { createRequire, register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
const [, , built, report, ...lines] = process.argv;
const { appendFileSync } = await import('node:fs');
const { port1, port2 } = new MessageChannel();
const hooks = 'let port; export const initialize = (given) => { port = given; };' +
  'export const load = (url, context, next) => { port.postMessage(url); return next(url, context); };';
register('data:text/javascript,' + encodeURIComponent(hooks), { data: port2, transferList: [port2] });
port1.unref();
const { cache } = createRequire(import.meta.url);
const required = new Set();
for (const [n, line] of lines.entries()) {
  process.argv = [process.execPath, built, ...line.split(' ')];
  // Another address is another module to Node.js, which runs it again; what that imports is there already.
  await import(built + '?' + n);
  const loaded = Object.keys(cache).filter((file) => !required.has(file));
  for (const file of loaded) required.add(file);
  for (let one = receiveMessageOnPort(port1); one; one = receiveMessageOnPort(port1)) loaded.push(one.message);
  appendFileSync(report, JSON.stringify({ line, code: process.exitCode, loaded }) + '\\n');
  process.exitCode = 0;
}`;

describe('a command, where a server runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-loaded-'));
  const [data, teams, report] = [join(folder, 'data'), join(folder, 'teams.ndjson'), join(folder, 'report')];
  // The last one is that which may load most.
  const lines = [
    'org list',
    'source list --org A',
    'query users-count --org A --as ada@a.example',
    `import --org A --table teams ${teams}`,
    'export --org A --table teams',
    `backup ${join(folder, 'a.backup')}`,
    'doctor',
    'verify',
    'mcp --org A --as ada@a.example',
  ];
  let server: CalledServer;
  let reports: { readonly line: string; readonly code: number; readonly loaded: readonly string[] }[];
  beforeAll(async () => {
    writeFileSync(teams, '{"team_name": "Core"}\n');
    const watching = join(folder, 'watch.mjs');
    writeFileSync(watching, watch);
    server = await callServer(data);
    const made = await callPlumb(data, ['org', 'create', '--name', 'A', '--owner-email', 'ada@a.example']);
    expect(made.code).toBe(0);
    const built = join(import.meta.dirname, '../../dist/plumb.js');
    const child = spawn(process.execPath, [watching, built, report, ...lines], {
      env: { PATH: process.env.PATH, PLUMB_DATA: data, PLUMB_PORT: '0', PLUMB_LOG: 'warn' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await once(child, 'exit');
    const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
    reports = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  });
  afterAll(async () => {
    await server?.abandon();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(lines)('A command, where a server runs loads no engine for plumb %s', (line) => {
    const found = reports.find((one) => one.line === line);
    expect({ line, code: found?.code }).toEqual({ line, code: 0 });
    const loaded = new Set(found?.loaded.flatMap(packagesIn));
    if (line === lines[0]) expect(loaded).toContain('commander');
    const allowed = line.startsWith('mcp ') ? [...light, ...speakingMcp] : light;
    expect([...loaded].filter((name) => !allowed.includes(name))).toEqual([]);
    expect(found?.loaded.filter((file) => file.includes('node-bindings'))).toEqual([]);
  });
});
