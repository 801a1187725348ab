/**
 * A real server in a process of its own, with little memory, and two organisations: one that sends what nobody should,
 * and one whose requests have to be answered all the while.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { times } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { type ServingPlumb, servePlumb } from '../setup/plumb-process.ts';
import { ask, type HttpAnswer, type HttpRequest } from '../setup/running-app.ts';

/** The more often the other organisation asks, the more of the processor it takes from what is tested. */
const betweenQuestionsMs = times(100, 10);

export interface Neighbour {
  /** Statuses of the requests of the other organisation while something went on. */
  readonly statuses: readonly number[];
  readonly milliseconds: readonly number[];
}

export interface AttackedServer {
  readonly serving: ServingPlumb;
  readonly port: number;
  readonly folder: string;
  /** Sends something with the key of the organisation that attacks. */
  send(path: string, asked: HttpRequest): Promise<HttpAnswer>;
  readonly key: string;
  /** Has the other organisation ask, over and over, until the work is done. */
  meanwhile<T>(work: Promise<T>): Promise<Neighbour & { readonly result: T }>;
  isAlive(): boolean;
  close(): Promise<void>;
}

export async function attackedServer(environment: Readonly<Record<string, string>> = {}): Promise<AttackedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-attack-'));
  const serving = await servePlumb(folder, {
    PLUMB_RATE_LIMIT: '0',
    ...environment,
    NODE_OPTIONS: `--max-old-space-size=512 ${environment.NODE_OPTIONS ?? ''}`,
  });
  const keyOf = async (name: string): Promise<string> => {
    const email = `owner@${name.toLowerCase()}.example`;
    const commands = [
      ['org', 'create', '--name', name, '--owner-email', email, '--json'],
      ['key', 'create', '--org', name, '--as', email, '--name', 'test', '--json'],
    ];
    let key = '';
    for (const command of commands) {
      const { code, stdout, stderr } = await callPlumb(folder, command);
      if (code !== 0) throw new Error(stderr);
      key = (JSON.parse(stdout) as { key?: string }).key ?? '';
    }
    return key;
  };
  const key = await keyOf('Attacker');
  const other = await keyOf('Neighbour');
  const port = Number(new URL(serving.url).port);

  const questions: readonly (() => Promise<HttpAnswer>)[] = [
    () => ask(port, 'GET', '/teams', { key: other }),
    () =>
      ask(port, 'POST', '/metrics/pull-requests-count', {
        key: other,
        body: { filters: { start_date: '2024-01-01' } },
      }),
  ];
  for (const question of questions) await question();

  return {
    serving,
    port,
    folder,
    key,
    send: (path, asked) => ask(port, 'POST', path, { key, ...asked }),
    async meanwhile(work) {
      const settled = { is: false };
      const done = work.finally(() => {
        settled.is = true;
      });
      const statuses: number[] = [];
      const milliseconds: number[] = [];
      const asking = (async () => {
        for (let i = 0; !settled.is || i < questions.length; i += 1) {
          const began = performance.now();
          const question = questions[i % questions.length];
          if (question) statuses.push((await question()).status);
          milliseconds.push(performance.now() - began);
          await new Promise((resolve) => setTimeout(resolve, betweenQuestionsMs));
        }
      })();
      const [result] = await Promise.all([done, asking]);
      return { result, statuses, milliseconds };
    },
    isAlive: () => serving.child.exitCode === null && serving.child.signalCode === null,
    async close() {
      await serving.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
