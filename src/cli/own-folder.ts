import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config.ts';
import { operationsOf } from '../control/operations.ts';
import { DataFolder, FolderInUse } from '../data-folder.ts';
import { type App, type DirectoryApp, openApp, openDirectoryApp } from '../main.ts';
import { StoreInUse } from '../store/open.ts';
import { baseUrl, type CommandConnection, commandUser, findServer, serverConnection } from './server-connection.ts';

const patienceMs = 15_000;
const retryMs = 100;

/** The connection of a command that owns the folder itself, or of a server that starts while it waits for that. */
export async function ownFolder(settings: Settings): Promise<CommandConnection> {
  const found = await waitForFolder(settings.folder, () => findServer(settings.folder));
  return found instanceof DataFolder ? openFolder(settings, found) : serverConnection(settings, found);
}

/**
 * Claims the folder. Another command may own it for a moment, or a server may be just starting: both are worth waiting
 * for. `meanwhile` looks whether something better than waiting has come up, and what it finds is taken instead.
 */
export async function waitForFolder<T>(path: string, meanwhile: () => Promise<T | undefined>): Promise<DataFolder | T> {
  for (let waited = 0; ; waited += retryMs) {
    try {
      return await DataFolder.claim(path);
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      const found = await meanwhile();
      if (found !== undefined) return found;
      if (waited >= patienceMs) throw error;
      await pause(retryMs);
    }
  }
}

async function openFolder(settings: Settings, folder: DataFolder): Promise<CommandConnection> {
  try {
    const { app, tables } = await openOwned(settings);
    const actor = { via: 'command', user: commandUser() } as const;
    // A sync of this process is over before it does something else.
    const parts = {
      ...app,
      tables,
      place: settings,
      baseUrl: () => settings.publicUrl ?? baseUrl(settings),
      progressOf: () => undefined,
      isServing: false,
    };
    return {
      operations: operationsOf(parts, actor),
      async close() {
        await app.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

/**
 * Everything in a folder that this process owns. Where another server keeps the store's tables, the folder has the
 * store alone: commands that need tables are refused, with the host to go to.
 */
async function openOwned(settings: Settings): Promise<{ readonly app: DirectoryApp; readonly tables: () => App }> {
  try {
    const app = await openApp(settings);
    return { app, tables: () => app };
  } catch (error) {
    if (!(error instanceof StoreInUse) || error.holder?.kind !== 'serve') throw error;
    const tables = () => {
      throw error;
    };
    return { app: await openDirectoryApp(settings), tables };
  }
}
