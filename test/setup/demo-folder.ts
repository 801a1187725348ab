import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { servePlumb } from './plumb-process.ts';

export interface DemoGreeting {
  readonly key: string;
  readonly sign_in_url: string;
}

const run = inject('runFolder');
const [claimed, making, made, failed] = [
  join(run, 'demo-claimed'),
  join(run, 'demo-making'),
  join(run, 'demo'),
  join(run, 'demo-failed'),
];

/**
 * Copies the data folder of a demo into a new one, and answers what the server printed that filled it. Filling takes
 * half a minute, so that only the first test of a run has it done, by `plumb serve --demo` on an empty folder.
 */
export async function copyDemo(into: string): Promise<DemoGreeting> {
  if (isFirst()) await fill();
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    await pause(50);
  }
  cpSync(join(made, 'data'), into, { recursive: true });
  return JSON.parse(readFileSync(join(made, 'greeting.json'), 'utf8')) as DemoGreeting;
}

/** Test files run in several processes; one of them makes this folder. */
function isFirst(): boolean {
  try {
    mkdirSync(claimed);
    return true;
  } catch {
    return false;
  }
}

async function fill(): Promise<void> {
  try {
    mkdirSync(making);
    const server = await servePlumb(join(making, 'data'), {}, ['--demo']);
    writeFileSync(join(making, 'greeting.json'), JSON.stringify(server.greeting));
    await server.stop();
    renameSync(making, made);
  } catch (error) {
    writeFileSync(failed, `The demo could not be filled: ${String(error)}`);
  }
}
