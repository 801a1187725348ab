import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The pages as they were built: one HTML file, and files with a hash of their contents in their names. */
export interface WebBuild {
  readonly index: Buffer;
  readonly assets: string;
}

/** Beside the compiled server, and beside its sources. */
export const builtFolder: string = fileURLToPath(new URL('../../dist-web/', import.meta.url));

/** Undefined where they were not built. What is built later is served after the next start. */
export function readWebBuild(folder: string): WebBuild | undefined {
  const [index, assets] = [join(folder, 'index.html'), join(folder, 'assets')];
  return existsSync(index) && existsSync(assets) ? { index: readFileSync(index), assets } : undefined;
}
