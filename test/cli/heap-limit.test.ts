import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { heapMebibytes } from '../../src/cli/heap-limit.ts';
import { callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { runPlumb, servePlumb } from '../setup/plumb-process.ts';
import { copyAcme } from './acme-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'plumb-heap-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folders = 0;
const newFolder = () => join(root, `data-${folders++}`);

describe('the heap that JavaScript may take', () => {
  const file = join(root, 'memory');
  writeFileSync(file, '2GB\n');

  test.each([
    [{ PLUMB_MEMORY: '1GB' }, [], 333],
    [{ PLUMB_MEMORY_FILE: file }, [], 667],
    [{}, [], undefined],
    [{ PLUMB_MEMORY: 'lots' }, [], undefined],
    [{ PLUMB_MEMORY: '1MB' }, [], undefined],
    [{ PLUMB_MEMORY_FILE: join(root, 'absent') }, [], undefined],
    [{ PLUMB_MEMORY: '1GB', NODE_OPTIONS: '--max-old-space-size=100' }, [], undefined],
    [{ PLUMB_MEMORY: '1GB' }, ['--max-old-space-size=100'], undefined],
  ])('%j with %j is %s MiB', (environment, options, mebibytes) => {
    expect(heapMebibytes(environment, options)).toBe(mebibytes);
  });
});

describe('a command with PLUMB_MEMORY', () => {
  const environment = { PLUMB_MEMORY: '1GB' };

  test('A command with PLUMB_MEMORY has the output, the input and the exit code that it has without', async () => {
    const folder = newFolder();
    await copyAcme(folder);
    // What imports then is the server, and the processes need not load an engine.
    const server = await callServer(folder);
    onTestFinished(() => server.abandon());
    const words = ['import', '--org', 'Acme', '--table', 'people', '--strict', '--json', '-'];
    const stdin = '{"main_email": "ada@a.example"}\n{"main_email": "grace@a.example"}\n{"onboarded": "perhaps"}\n';
    const [limited, plain] = [
      await runPlumb(folder, words, { stdin, environment }),
      await callPlumb(folder, words, { stdin }),
    ];
    expect([limited.code, limited.json()]).toEqual([plain.code, plain.json()]);
    // Not 0, which a process has that ends by itself.
    expect(limited.code).toBe(1);
    const refused = await callPlumb(folder, ['serve'], { environment: { PLUMB_MEMORY: '100MB' } });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('must be at least 512MB')]);
  });

  test('A command with PLUMB_MEMORY runs in a process whose heap is limited, and ends with the signal that the first process gets', async () => {
    const server = await servePlumb(newFolder(), environment);
    const { pid } = server;
    expect(pid).not.toBe(server.child.pid);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toContain('--max-old-space-size=333');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toMatch(/DUCKDB_JE_MALLOC_CONF=narenas:1,/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });
});

/** What bin/plumb.cjs does for any command, with a script in its place that waits: it starts in a tenth of the time. */
describe('the first of the two processes', () => {
  async function startWaiting() {
    const script = join(root, 'waiting.cjs');
    const built = join(import.meta.dirname, '../../dist/heap-limit.js');
    writeFileSync(
      script,
      `import(${JSON.stringify(built)}).then(async ({ runWithHeapLimit }) => {
        const code = await runWithHeapLimit(__filename);
        if (code !== undefined) return process.exit(code);
        process.on('SIGINT', () => process.exit(7));
        setInterval(() => {}, 60_000);
        console.log(process.pid);
      });`,
    );
    const env = { ...process.env, PLUMB_MEMORY: '1GB' };
    const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    const [printed] = (await once(child.stdout, 'data')) as [Buffer];
    const pid = Number(printed.toString());
    expect(pid).not.toBe(child.pid);
    return { child, ended, pid };
  }

  test('The first of the two processes leaves nobody behind who could own the data folder when it is killed', async () => {
    const { child, ended, pid } = await startWaiting();
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('The first of the two processes passes an interrupt on, and the exit code back', async () => {
    const { child, ended } = await startWaiting();
    child.kill('SIGINT');
    expect(await ended).toEqual([7, null]);
  });

  test('The first of the two processes says by its exit code that the second one was killed', async () => {
    const { ended, pid } = await startWaiting();
    process.kill(pid, 'SIGKILL');
    expect(await ended).toEqual([137, null]);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
