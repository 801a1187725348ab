import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedApp, openApp } from '../../src/main.ts';
import { threadsForFewRows } from './how-long.ts';

/** An app with an embedded store in a folder of its own, empty or a copy of another, which goes away with it. */
export async function openTemporaryApp(copyOf?: string): Promise<EmbeddedApp & { readonly folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumb-house-'));
  if (copyOf !== undefined) cpSync(copyOf, folder, { recursive: true });
  const app = await openApp({ folder, databaseUrl: undefined, threads: threadsForFewRows });
  return {
    ...app,
    folder,
    async close() {
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
