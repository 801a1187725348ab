import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { heapMebibytes } from '../../src/cli/heap-limit.ts';
import { runPlumb, servePlumb } from '../setup/plumb-process.ts';

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

  test('has the output, the input and the exit code that it has without', async () => {
    const folder = newFolder();
    const made = await runPlumb(folder, ['org', 'create', '--name', 'A', '--owner-email', 'o@a.example', '--json'], {
      environment,
    });
    expect([made.code, typeof made.json().id]).toEqual([0, 'string']);
    const words = ['import', '--org', 'A', '--table', 'people', '--json', '-'];
    const stdin = '{"main_email": "ada@a.example"}\n{"main_email": "grace@a.example"}\n';
    const [limited, plain] = [
      await runPlumb(folder, words, { stdin, environment }),
      await runPlumb(folder, words, { stdin }),
    ];
    expect([limited.code, limited.json()]).toEqual([plain.code, plain.json()]);
    expect((await runPlumb(folder, ['org', 'lsit'], { environment })).code).toBe(2);
    const refused = await runPlumb(folder, ['serve'], { environment: { PLUMB_MEMORY: '100MB' } });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('must be at least 512MB')]);
  });

  test('runs in a process whose heap is limited, and ends with the signal that the first process gets', async () => {
    const server = await servePlumb(newFolder(), environment);
    const { pid } = server;
    expect(pid).not.toBe(server.child.pid);
    expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')).toContain('--max-old-space-size=333');
    expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toMatch(/DUCKDB_JE_MALLOC_CONF=narenas:1,/);
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    expect(await server.stop('SIGTERM')).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  test('leaves nobody behind who owns the data folder when the first process is killed', async () => {
    const folder = newFolder();
    const server = await servePlumb(folder, environment);
    const { pid } = server;
    await server.kill();
    await expect.poll(() => isAlive(pid)).toBe(false);
    const next = await servePlumb(folder, environment);
    expect(await next.stop('SIGINT')).toBe(0);
  });

  test('says by its exit code that it was killed', async () => {
    const server = await servePlumb(newFolder(), environment);
    const ended = new Promise((resolve) => server.child.once('exit', resolve));
    process.kill(server.pid, 'SIGKILL');
    expect(await ended).toBe(137);
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
