import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Settings } from '../config.ts';
import { auditedBackup } from '../control/audited-backup.ts';
import { answers, remoteBackup, remoteOperations, remoteStreams } from '../control/client.ts';
import { type Operations, operationsOf } from '../control/operations.ts';
import { type Streams, streamsOf } from '../control/streams.ts';
import { DataFolder, FolderInUse, readNotice, type ServerNotice } from '../data-folder.ts';
import { type App, type DirectoryApp, openApp, openDirectoryApp } from '../main.ts';
import { Refusal } from '../refusal.ts';
import { StoreInUse } from '../store/open.ts';
import { version } from '../version.ts';

/** The way to the data: through the server that owns the folder, or, when none runs, by owning it for a moment. */
export interface Door {
  readonly operations: Operations;
  readonly streams: Streams;
  backup(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

const patienceMs = 15_000;
const retryMs = 100;

export async function openDoor(settings: Settings): Promise<Door> {
  const way = await waitForFolder(settings.folder, () => runningServer(settings.folder));
  return way instanceof DataFolder ? openFolder(settings, way) : openServer(settings, way);
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

async function runningServer(folder: string): Promise<ServerNotice | undefined> {
  const notice = readNotice(folder);
  return notice && (await answers(notice)) ? notice : undefined;
}

async function openFolder(settings: Settings, folder: DataFolder): Promise<Door> {
  try {
    const { app, tables } = await openOwned(settings);
    const actor = { via: 'command', user: commandUser() } as const;
    const parts = { ...app, tables, place: settings, baseUrl: () => baseUrl(settings) };
    return {
      operations: operationsOf(parts, actor),
      streams: streamsOf(parts, actor),
      backup: () => auditedBackup(tables(), actor, { at: app.now(), plumbVersion: version }),
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
 * Everything in a folder that this process owns. Where a server elsewhere keeps the tables that belong to the store,
 * there is the store alone: what needs tables is refused, with the host to go to.
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

/** The way through the running server, if there is one: for commands that must not open a damaged folder themselves. */
export async function remoteDoor(settings: Pick<Settings, 'folder' | 'databaseUrl'>): Promise<Door | undefined> {
  const notice = await runningServer(settings.folder);
  return notice && openServer(settings, notice);
}

function openServer(settings: Pick<Settings, 'folder' | 'databaseUrl'>, notice: ServerNotice): Door {
  refuseOtherStore(settings, notice);
  const user = commandUser();
  return {
    operations: remoteOperations(notice, user),
    streams: remoteStreams(notice, user),
    backup: () => remoteBackup(notice, user),
    close: async () => {},
  };
}

/** Tells stores apart without giving an address away that may hold a password. */
export function storeMark({ databaseUrl }: Pick<Settings, 'databaseUrl'>): string {
  return databaseUrl === undefined ? 'embedded' : createHash('sha256').update(databaseUrl).digest('hex');
}

/** Whoever names a database of their own must not end up in another one because a server happens to run here. */
function refuseOtherStore(settings: Pick<Settings, 'folder' | 'databaseUrl'>, notice: ServerNotice): void {
  if (settings.databaseUrl === undefined || storeMark(settings) === notice.store) return;
  throw new Refusal(
    'conflict',
    `The server that runs on the data folder ${settings.folder} uses another store than DATABASE_URL names. ` +
      'Unset DATABASE_URL, or set PLUMB_DATA to another folder.',
  );
}

/** An address that a person on this machine can open, also when the service listens on all of them. */
export function baseUrl({ host, port }: Pick<Settings, 'host' | 'port'>): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}

/** Who types the commands, as far as the operating system knows: for the audit log. */
export function commandUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A container may run under a number that has no name.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}
