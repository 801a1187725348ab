import { fileURLToPath } from 'node:url';

/** How the reader of a message starts Plumb. Outside a clone `npx plumb` would fetch a package of the same name. */
export const ownCommand = commandIn(fileURLToPath(import.meta.url));

/** Of npx the file is not known that it was given. */
function commandIn(folder: string): string {
  if (/[\\/]_npx[\\/]/.test(folder)) return 'npx --yes ./FILE.tgz';
  return /[\\/]node_modules[\\/]/.test(folder) ? 'plumb' : 'npx plumb';
}
