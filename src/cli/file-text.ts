import { readFile } from 'node:fs/promises';
import { text as allText } from 'node:stream/consumers';
import { Refusal } from '../refusal.ts';
import type { Terminal } from './terminal.ts';

/** What a file holds that somebody has named, or standard input for `-`. */
export async function fileText({ stdin }: Terminal, path: string): Promise<string> {
  if (path === '-') return allText(stdin);
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const [reason, why] =
      error.code === 'ENOENT'
        ? (['not-found', 'there is no such file'] as const)
        : (['bad-input', error.code] as const);
    throw new Refusal(reason, `${path} cannot be read: ${why}.`);
  });
}
