import { cpSync } from 'node:fs';
import { madeOnce } from './made-once.ts';
import { runPlumb, servePlumb } from './plumb-process.ts';

export interface DemoGreeting {
  readonly key: string;
  readonly sign_in_url: string;
}

/**
 * Copies the data folder of a demo into a new one, and answers what the server printed that filled it. It is
 * small, and filling it takes half a minute, so that only the first test of a run has it done.
 */
export async function copyDemo(into: string): Promise<DemoGreeting> {
  const { folder, value } = await madeOnce('demo', async (data) => {
    const filled = await runPlumb(data, ['demo', '--scale', '0.03', '--json']);
    if (filled.code !== 0) throw new Error(filled.stderr);
    const server = await servePlumb(data, {}, ['--demo']);
    await server.stop();
    return server.greeting as DemoGreeting;
  });
  cpSync(folder, into, { recursive: true });
  return value;
}
