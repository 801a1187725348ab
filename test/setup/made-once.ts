import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';

interface MadeFolder<T> {
  readonly folder: string;
  /** What was said of the folder when it was filled. */
  readonly value: T;
}

/**
 * A folder that the first test of the run to ask for it fills, and that tests in other processes wait for. Whoever asks
 * copies it and leaves it as it is. `fill` answers what JSON can say of its contents.
 */
export async function madeOnce<T>(name: string, fill: (folder: string) => Promise<T>): Promise<MadeFolder<T>> {
  const [claimed, making, made, failed] = ['claimed', 'making', 'made', 'failed'].map((state) =>
    join(inject('runFolder'), `${name}-${state}`),
  ) as [string, string, string, string];
  if (isFirst(claimed)) {
    try {
      mkdirSync(join(making, 'data'), { recursive: true, mode: 0o700 });
      writeFileSync(join(making, 'value.json'), JSON.stringify(await fill(join(making, 'data'))));
      renameSync(making, made);
    } catch (error) {
      writeFileSync(failed, `${name} could not be filled: ${String(error)}`);
      throw error;
    }
  }
  while (!existsSync(made)) {
    if (existsSync(failed)) throw new Error(readFileSync(failed, 'utf8'));
    await pause(20);
  }
  return { folder: join(made, 'data'), value: JSON.parse(readFileSync(join(made, 'value.json'), 'utf8')) as T };
}

/** Test files run in several processes; one of them makes this folder. */
function isFirst(claimed: string): boolean {
  try {
    mkdirSync(claimed);
    return true;
  } catch {
    return false;
  }
}
