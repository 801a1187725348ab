import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';

export interface Asked {
  readonly status: number;
  readonly text: string;
}

/** Asks the server at an address; a body is posted. */
export async function askAt(url: string, path: string, key: string, body?: unknown): Promise<Asked> {
  const given = { method: 'POST', body: JSON.stringify(body) };
  const headers = { authorization: key, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${path}`, { headers, ...(body === undefined ? {} : given) });
  return { status: answer.status, text: await answer.text() };
}

/** Several servers over one store and the same tables, each with a data folder of its own. */
export class Fleet {
  readonly #environment: Readonly<Record<string, string>>;
  readonly #folders: string[] = [];
  readonly #servers: (ServingPlumb | undefined)[] = [];
  /** What they have logged as trouble, whoever was killed meanwhile. */
  readonly logs: string[] = [];

  constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = environment;
  }

  get size(): number {
    return this.#folders.length;
  }

  get folders(): readonly string[] {
    return this.#folders;
  }

  get urls(): readonly string[] {
    return this.#servers.flatMap((server) => server?.url ?? []);
  }

  /** Of the processes that serve. */
  get pids(): readonly number[] {
    return this.#servers.flatMap((server) => server?.pid ?? []);
  }

  /** One more server, of this version unless another is given. */
  add(version?: string): Promise<void> {
    return this.addIn(mkdtempSync(join(tmpdir(), 'plumb-replica-')), version);
  }

  async addIn(folder: string, version?: string): Promise<void> {
    this.#folders.push(folder);
    await this.start(this.size - 1, version);
  }

  async start(i: number, version?: string): Promise<void> {
    const limits = version === undefined ? {} : { version };
    this.#servers[i] = await servePlumb(this.#folders[i] ?? '', this.#environment, [], limits);
  }

  /** As an upgrade does it: what is under way is answered. */
  async stop(i: number): Promise<void> {
    const server = this.#servers[i];
    this.#servers[i] = undefined;
    await server?.stop();
    this.logs.push(server?.stderr() ?? '');
  }

  /** Which of them a process is. */
  numberOf(pid: number): number {
    return this.#servers.findIndex((server) => server?.pid === pid);
  }

  isServing(i: number): boolean {
    return this.#servers[i] !== undefined;
  }

  /** In the middle of whatever it does. */
  async kill(i: number): Promise<void> {
    const server = this.#servers[i];
    this.#servers[i] = undefined;
    await server?.kill();
    this.logs.push(server?.stderr() ?? '');
  }

  /** Asks one of them; nothing where it is not there, or dies over it. */
  async ask(i: number, path: string, key: string, body?: unknown): Promise<Asked | undefined> {
    const server = this.#servers[i];
    if (!server) return undefined;
    try {
      return await askAt(server.url, path, key, body);
    } catch (error) {
      if (this.#servers[i] === server && server.child.exitCode !== null) throw error;
      return undefined;
    }
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      await server?.stop();
      this.logs.push(server?.stderr() ?? '');
    }
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
  }
}
