import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ClickHouseServer {
  readonly url: string;
  readonly cluster?: string | null;
  stop(): Promise<void>;
}

const engines = fileURLToPath(new URL('../engines', import.meta.url));

/** For tables of a few rows: threads and compiled expressions take a quarter of the time, and bring nothing. */
export const forFewRows = ['max_threads=1', 'compile_expressions=0', 'compile_aggregate_expressions=0'];

/**
 * The server at CLICKHOUSE_URL, or else the engine that comes as an npm package, in a folder that goes away with it, and
 * with settings for all of its statements.
 */
export async function startClickHouseServer(settings: readonly string[] = []): Promise<ClickHouseServer> {
  const given = process.env.CLICKHOUSE_URL;
  // Processes that tests start choose their engines themselves.
  delete process.env.CLICKHOUSE_URL;
  if (given) {
    const url = new URL(given);
    const cluster = url.searchParams.get('cluster');
    url.searchParams.delete('cluster');
    return { url: url.href, cluster, stop: async () => {} };
  }
  const { node, server: program } = engineHere();
  const folder = mkdtempSync(join(tmpdir(), 'plumb-clickhouse-'));
  const server = spawn(node, [program, folder, ...settings], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  // A run cut short never comes to `stop`; the server then ends with its pipe.
  process.once('exit', remove);
  const port = await new Promise<string>((resolve, reject) => {
    const printed: string[] = [];
    createInterface(server.stderr).on('line', (line) => {
      if (printed.length < 100) printed.push(line);
    });
    createInterface(server.stdout).once('line', resolve);
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`it did not start:\n${printed.join('\n')}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.stdin.end();
      await ended;
      process.off('exit', remove);
      remove();
    },
  };
}

/** What runs the engine: this node, or an emulated one where the engine is not built for the machine. */
function engineHere(): { readonly node: string; readonly server: string } {
  const emulated = join(engines, 'emulated/node');
  if (existsSync(emulated)) return { node: emulated, server: join(engines, 'emulated/clickhouse-server.mjs') };
  const library = join(engines, `node_modules/@chdb/lib-${process.platform}-${process.arch}-gnu`);
  if (!existsSync(library)) throw new Error(`its package for ${process.platform}-${process.arch} is not installed`);
  return { node: process.execPath, server: join(engines, 'clickhouse-server.mjs') };
}
