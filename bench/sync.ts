// `npm run bench:sync`: `plumb sync` of 10,000 pull requests with their parts from a replayed GitHub in a process of its own,
// into a new data folder; then once more without news. PLUMB_BENCH_SHARE=0.01 runs a hundredth of it, to try it out. It
// runs with PLUMB_MEMORY=512MB, the least there is, unless that is set: with more, heap and engines keep what they had.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { repositoryNames } from './sync/history.ts';

const { PLUMB_BENCH_SHARE = '1', PLUMB_MEMORY = '512MB', ...environment } = process.env;
const pullRequests = Math.max(100, Math.round(10_000 * Number(PLUMB_BENCH_SHARE)));
const goals = { cpuMsEach: 20, megabytes: 400 };

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-sync-'));

interface Used {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly megabytes: number;
}

/** Runs a `plumb` command to its end. What it has used. */
async function plumb(...args: string[]): Promise<Used> {
  const began = performance.now();
  const usageFile = join(folder, 'usage');
  rmSync(usageFile, { force: true });
  const words = ['--require', here('sync/usage-at-exit.cjs'), here('../bin/plumb.cjs'), ...args];
  const child = spawn(process.execPath, words, {
    env: { ...environment, PLUMB_MEMORY, PLUMB_DATA: join(folder, 'data'), USAGE_FILE: usageFile },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = textOf(child.stdout);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`plumb ${args.join(' ')} ended with ${code}: ${await printed}`);
  const used = readFileSync(usageFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as NodeJS.ResourceUsage);
  return {
    seconds: (performance.now() - began) / 1_000,
    cpuSeconds: used.reduce((sum, { userCPUTime, systemCPUTime }) => sum + userCPUTime + systemCPUTime, 0) / 1e6,
    megabytes: Math.max(...used.map(({ maxRSS }) => maxRSS)) / 1_024,
  };
}

async function textOf(stream: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += chunk;
  return text;
}

async function answerOf<T>(child: ChildProcess, question?: string): Promise<T> {
  const answer = once(child, 'message');
  if (question !== undefined) child.send(question);
  const [first] = await answer;
  return first as T;
}

const whole = (value: number): string => Math.round(value).toLocaleString('en');
const report = (what: string, value: string): void => console.log(`${what.padEnd(48)} ${value}`);

const github = fork(here('sync/replay-process.ts'), [String(pullRequests)], { execArgv: ['--import', 'tsx'] });
try {
  const { url } = await answerOf<{ url: string }>(github);
  const requests = async () => (await answerOf<{ requests: number }>(github, 'requests')).requests;
  await plumb('org', 'create', '--name', 'Bench', '--owner-email', 'owner@bench.example');
  const settings = { base_url: url, token: 'replay-token', repositories: repositoryNames.join(',') };
  const words = Object.entries(settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
  await plumb('source', 'add', 'github', '--org', 'Bench', '--name', 'GitHub', ...words);
  const first = await plumb('sync', '--org', 'Bench', '--json');
  const asked = await requests();
  const cpuMsEach = (first.cpuSeconds * 1_000) / pullRequests;
  report(`${whole(pullRequests)} pull requests with their parts`, `${first.seconds.toFixed(1)} s`);
  report('  requests', `${whole(asked)}, ${(asked / pullRequests).toFixed(2)} for each`);
  report('  our own CPU for each', `${cpuMsEach.toFixed(1)} ms (goal: under ${goals.cpuMsEach})`);
  report(
    `  most memory, with PLUMB_MEMORY=${PLUMB_MEMORY}`,
    `${whole(first.megabytes)} MB (goal: under ${goals.megabytes})`,
  );
  const again = await plumb('sync', '--org', 'Bench', '--json');
  report('once more without news', `${again.seconds.toFixed(1)} s, ${whole((await requests()) - asked)} requests`);
} finally {
  github.disconnect();
  rmSync(folder, { recursive: true, force: true });
}
