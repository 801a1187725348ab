import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedServer, attackedServer } from './attacked-server.ts';
import { attacks } from './body-shapes.ts';

interface LoopTurns {
  readonly turns: number;
  readonly p99: number;
  /** How many took more than 20 ms. */
  readonly over: number;
  readonly most: number;
  /** The longest garbage collection, by the clock: a part of the turn in which it came. */
  readonly peakCollection: number;
}

/** Only there are threads counted apart. */
const isMeasured = existsSync('/proc/self/schedstat');
const report: object[] = [];
let server: AttackedServer;
let probed: string;
/** How long the other organisation waits while nothing goes on: what else the machine does must not decide. */
let quietMs = 0;

beforeAll(async () => {
  const probe = new URL('./loop-probe.mjs', import.meta.url).href;
  probed = join(import.meta.dirname, `.loop-probe-${process.pid}.json`);
  server = await attackedServer({ PLUMB_MEMORY: '1GB', LOOP_PROBE_FILE: probed, NODE_OPTIONS: `--import=${probe}` });
  const quiet = await server.meanwhile(new Promise((resolve) => setTimeout(resolve, 5_000)));
  quietMs = share(quiet.milliseconds, 0.99);
}, 180_000);
afterAll(async () => {
  await server.close();
  rmSync(probed, { force: true });
  console.table([{ name: 'nothing', p99: quietMs.toFixed(0) }, ...report]);
});

async function turnsSoFar(): Promise<LoopTurns> {
  rmSync(probed, { force: true });
  server.serving.child.kill('SIGUSR2');
  for (let waited = 0; !existsSync(probed); waited += 5) {
    if (!server.isAlive() || waited > 20_000) throw new Error('The server does not say how long its turns were.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return JSON.parse(readFileSync(probed, 'utf8')) as LoopTurns;
}

const peakMemory = (): number => {
  const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${server.serving.pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
};

const share = (values: readonly number[], part: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

test.each(attacks)(
  '$name: others wait for less than a quarter of a second',
  async ({ name, path, asked, status }) => {
    const body = await asked();
    await turnsSoFar();
    const began = performance.now();
    const { result, statuses, milliseconds } = await server.meanwhile(server.send(path, body));
    const seconds = (performance.now() - began) / 1_000;
    const loop = await turnsSoFar();
    const p99 = share(milliseconds, 0.99);
    report.push({
      name,
      seconds: seconds.toFixed(1),
      asked: milliseconds.length,
      p99: p99.toFixed(0),
      peakLoop: loop.most.toFixed(1),
      loopP99: loop.p99.toFixed(1),
      over20: loop.over,
      peakCollection: loop.peakCollection.toFixed(1),
      memoryMiB: peakMemory().toFixed(0),
    });
    expect(result.status).toBe(status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(p99).toBeLessThan(250);
    if (!isMeasured) return;
    expect(loop.p99).toBeLessThan(20);
    expect(loop.most).toBeLessThan(20);
    expect(peakMemory()).toBeLessThan(900);
  },
  300_000,
);
