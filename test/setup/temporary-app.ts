import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedApp, openApp } from '../../src/main.ts';
import { threadsForFewRows } from './how-long.ts';

/** A app with an embedded store in a folder of its own, which goes away with it. */
export async function openTemporaryApp(now?: () => Date): Promise<EmbeddedApp & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-house-'));
  const app = await openApp({ folder, databaseUrl: undefined, threads: threadsForFewRows }, now ? { now } : {});
  return {
    ...app,
    folder,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
