import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../refusal.ts';

/** The secret that Plumb makes for itself where PLUMB_SECRET is not set. Only the owner of the folder can read it. */
const fileName = 'secret';
/** The next secret while everything is encrypted again. A process that is killed meanwhile leaves both. */
const nextFileName = 'secret.next';

export const folderSecretPath = (folder: string): string => join(folder, fileName);

/** All secrets in a data folder, the newest last. */
export function folderSecrets(folder: string): string[] {
  return [fileName, nextFileName].flatMap((name) => secretIn(join(folder, name)) ?? []);
}

/** The newest secret of a folder, made where there is none. */
export function folderSecret(folder: string): string {
  return folderSecrets(folder).at(-1) ?? makeSecret(folderSecretPath(folder));
}

/** The secret that everything is to be encrypted with from now on: that of a change that was broken off, or a new one. */
export function nextFolderSecret(folder: string): string {
  const path = join(folder, nextFileName);
  return secretIn(path) ?? makeSecret(path);
}

/** Once nothing is encrypted with the one before any more. */
export function adoptNextFolderSecret(folder: string): void {
  renameSync(join(folder, nextFileName), folderSecretPath(folder));
}

function secretIn(path: string): string | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Refusal('unavailable', `The secret in ${path} cannot be read. Give the file to the user who runs Plumb.`);
  }
  if (text !== '') return text;
  throw new Refusal(
    'conflict',
    `The file ${path} is empty. Put the secret back into it, or delete it to begin with a new one.`,
  );
}

/** On the disk before anything is encrypted with it. */
function makeSecret(path: string): string {
  const secret = randomBytes(32).toString('base64url');
  const file = openSync(path, 'wx', 0o600);
  try {
    writeSync(file, `${secret}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  return secret;
}
