import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageFolder } from '../package-folder.ts';

/** The pages as they were built: one HTML file, and files with a hash of their contents in their names. */
interface WebBuild {
  readonly index: Buffer;
  readonly assets: string;
}

export const builtFolder: string = fileURLToPath(new URL('dist-web/', packageFolder));

/** Undefined where they were not built. What is built later is served after the next start. */
export function readWebBuild(folder: string): WebBuild | undefined {
  const [index, assets] = [join(folder, 'index.html'), join(folder, 'assets')];
  return existsSync(index) && existsSync(assets) ? { index: readFileSync(index), assets } : undefined;
}
