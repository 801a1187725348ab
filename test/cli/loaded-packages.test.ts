import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runPlumb, type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';

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
  const path = file.replace(/^file:\/\//, '');
  const sources = existsSync(`${path}.map`)
    ? (JSON.parse(readFileSync(`${path}.map`, 'utf8')) as { sources: string[] }).sources
    : [path];
  return sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
}

/** Writes which packages a process has loaded as ES modules or required by the time it ends, onto standard error. */
const watch = `
import { createRequire, register } from 'node:module';
import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
const { port1, port2 } = new MessageChannel();
const hooks = 'let port; export const initialize = (given) => { port = given; };' +
  'export const load = (url, context, next) => { port.postMessage(url); return next(url, context); };';
register('data:text/javascript,' + encodeURIComponent(hooks), { data: port2, transferList: [port2] });
port1.unref();
process.on('exit', () => {
  const loaded = Object.keys(createRequire(import.meta.url).cache);
  for (let one = receiveMessageOnPort(port1); one; one = receiveMessageOnPort(port1)) loaded.push(one.message);
  for (const file of loaded) process.stderr.write('loaded ' + file + '\\n');
});`;

describe('a command, where a server runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-loaded-'));
  const teams = join(folder, 'teams.ndjson');
  const watching = join(folder, 'watch.mjs');
  let server: ServingPlumb;
  beforeAll(async () => {
    writeFileSync(teams, '{"team_name": "Core"}\n');
    writeFileSync(watching, watch);
    server = await servePlumb(join(folder, 'data'));
    const made = await runPlumb(join(folder, 'data'), [
      'org',
      'create',
      '--name',
      'A',
      '--owner-email',
      'ada@a.example',
    ]);
    expect(made.code).toBe(0);
  });
  afterAll(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['org list'],
    ['source list --org A'],
    ['query users-count --org A --as ada@a.example'],
    ['mcp --org A --as ada@a.example'],
    [`import --org A --table teams ${teams}`],
    ['export --org A --table teams'],
    [`backup ${join(folder, 'a.backup')}`],
    ['doctor'],
    ['verify'],
  ])('loads no engine for plumb %s', async (line) => {
    const environment = { NODE_OPTIONS: `--import ${watching}` };
    const { code, stderr } = await runPlumb(join(folder, 'data'), line.split(' '), { environment });
    expect({ line, code }).toEqual({ line, code: 0 });
    const loaded = new Set([...stderr.matchAll(/^loaded (\S+)$/gm)].flatMap(([, file = '']) => packagesIn(file)));
    expect(loaded).toContain('commander');
    const allowed = line.startsWith('mcp ') ? [...light, ...speakingMcp] : light;
    expect([...loaded].filter((name) => !allowed.includes(name))).toEqual([]);
    expect(stderr).not.toMatch(/loaded .*node-bindings/);
  });
});
