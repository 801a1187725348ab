import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isLong } from '../setup/how-long.ts';
import { type ForwardedCommands, forwardCommands } from './forwarded-commands.ts';
import { root } from './page-blocks.ts';

export interface Ran {
  /** Standard output and standard error, as a terminal shows them. */
  readonly printed: string;
  readonly code: number;
}

/**
 * A shell in a folder of its own, in which the commands of a page are typed one after another: variables stay, `$?` is
 * that of the command before. `plumb` and `npx plumb` are the command: as it was built in the long run, for a server and
 * beside a server that runs already, and else in this process. curl fails where a server refuses.
 */
export class ShellSession {
  readonly #folder: string;
  readonly #shell: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #forwarded: ForwardedCommands | undefined;
  #printed = '';
  #address: string | undefined;
  #server: number | undefined;

  private constructor(folder: string, environment: Readonly<Record<string, string>>, isBuilt: boolean) {
    this.#folder = folder;
    const commands = join(folder, '.commands');
    mkdirSync(commands, { recursive: true });
    this.#forwarded = isBuilt ? undefined : forwardCommands(join(commands, 'forwarded'));
    const built = `exec '${process.execPath}' '${join(root, 'bin/plumb.cjs')}' "$@"`;
    const plumb = this.#forwarded
      ? `test "$1" = serve || exec '${process.execPath}' '${this.#forwarded.client}' "$@"\n${built}`
      : built;
    script(join(commands, 'plumb'), plumb);
    script(join(commands, 'npx'), `test "$1" = plumb || { echo "no such command: $1"; exit 1; }\nshift\n${plumb}`);
    script(join(commands, 'curl'), `PATH='${process.env.PATH}'\nexec curl --fail-with-body "$@"`);
    this.#shell = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: { PATH: `${commands}:${process.env.PATH}`, HOME: folder, PLUMB_LOG: 'warn', ...environment },
    });
    this.#ended = once(this.#shell, 'exit');
    this.#shell.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      this.#printed += chunk;
    });
    this.#shell.stdin?.write('last=0\n');
  }

  /** In a folder where a server may run already, at this address. */
  static in(folder: string, address?: string, environment: Readonly<Record<string, string>> = {}): ShellSession {
    const session = new ShellSession(folder, environment, isLong || address !== undefined);
    session.#address = address;
    return session;
  }

  /** The folder in which it works. */
  get folder(): string {
    return this.#folder;
  }

  /** Pages write the usual port; tests take a free one. */
  toHere(text: string): string {
    return this.#address === undefined ? text : text.replaceAll('http://127.0.0.1:4400', this.#address);
  }

  fromHere(text: string): string {
    return this.#address === undefined ? text : text.replaceAll(this.#address, 'http://127.0.0.1:4400');
  }

  async run(words: string): Promise<Ran> {
    if (/\bplumb serve\b/.test(words)) return this.#serve(words);
    const { printed, code } = await this.#type(this.toHere(words));
    return { printed: this.fromHere(printed), code };
  }

  async #type(words: string): Promise<Ran> {
    this.#printed = '';
    const end = `end-of-command-${process.pid}`;
    this.#shell.stdin?.write(
      [
        `words=$(cat <<'${end}'\n${words}\n${end}\n)`,
        '(exit $last)',
        'eval "$words" 2>&1 </dev/null',
        'last=$?',
        `echo "${end} $last"`,
        '',
      ].join('\n'),
    );
    const ending = new RegExp(`${end} (\\d+)\\n$`);
    while (!ending.test(this.#printed)) {
      if (this.#shell.exitCode !== null) throw new Error(`The shell has ended: ${this.#printed}`);
      await pause(5);
    }
    return { printed: this.#printed.replace(ending, ''), code: Number(ending.exec(this.#printed)?.[1]) };
  }

  /** A server goes on: what it says when it is ready is its answer. It takes the place of the one before. */
  async #serve(words: string): Promise<Ran> {
    await this.#stopServer();
    const said = join(this.#folder, '.server-said');
    const { printed } = await this.#type(`PLUMB_PORT=0 ${words} >.server-said 2>&1 & echo $!`);
    this.#server = Number(printed);
    for (;;) {
      const text = existsSync(said) ? readFileSync(said, 'utf8') : '';
      const [, address] = /Plumb is running at (\S+)/.exec(text) ?? [];
      if (address !== undefined) {
        // What a proxy would serve is not here.
        if (address.startsWith('http://127.0.0.1:')) this.#address = address;
        return { printed: this.fromHere(text), code: 0 };
      }
      if (!isAlive(this.#server)) return { printed: text, code: 1 };
      await pause(20);
    }
  }

  async #stopServer(): Promise<void> {
    if (this.#server === undefined || !isAlive(this.#server)) return;
    process.kill(this.#server, 'SIGTERM');
    await this.#type(`wait ${this.#server}`);
    this.#server = undefined;
  }

  async close(): Promise<void> {
    if (this.#shell.exitCode === null) await this.#stopServer();
    this.#shell.stdin?.end();
    await this.#ended;
    await this.#forwarded?.close();
  }
}

function script(path: string, lines: string): void {
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
