import { createHash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { Settings } from '../config.ts';
import { answers, remoteOperations } from '../control/control-client.ts';
import type { Operations } from '../control/operations.ts';
import { Refusal } from '../refusal.ts';
import { readNotice, type ServerNotice } from '../server-notice.ts';

/** The way to the data: through the server that owns the folder, or, when none runs, by owning it for a moment. */
export interface CommandConnection {
  readonly operations: Operations;
  /** The server that it goes through, if it does. */
  readonly server?: Pick<ServerNotice, 'url' | 'pid'>;
  close(): Promise<void>;
}

export async function findServer(folder: string): Promise<ServerNotice | undefined> {
  const notice = readNotice(folder);
  return notice && isAlive(notice.pid) && (await answers(notice)) ? notice : undefined;
}

/** The port of a server that was killed may be another program's by now, which must not be shown the token. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The way through the running server, if there is one: for commands that must not open a damaged folder themselves. */
export async function connectToServer(
  settings: Pick<Settings, 'folder' | 'databaseUrl'>,
): Promise<CommandConnection | undefined> {
  const notice = await findServer(settings.folder);
  return notice && serverConnection(settings, notice);
}

export function serverConnection(
  settings: Pick<Settings, 'folder' | 'databaseUrl'>,
  notice: ServerNotice,
): CommandConnection {
  refuseOtherStore(settings, notice);
  return {
    operations: remoteOperations(notice, commandUser()),
    server: { url: notice.url, pid: notice.pid },
    close: async () => {},
  };
}

/** Tells stores apart without giving an address away that may hold a password. */
export function storeMark({ databaseUrl }: Pick<Settings, 'databaseUrl'>): string {
  return databaseUrl === undefined ? 'embedded' : createHash('sha256').update(databaseUrl).digest('hex');
}

/** A command that names its own database must not end up in another one because a server happens to run here. */
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

/** The account of the operating system that types the commands, for the audit log. */
export function commandUser(): string {
  try {
    return `${userInfo().username}@${hostname()}`;
  } catch {
    // A container may run under a number that has no name.
    return `${process.getuid?.() ?? 'unknown'}@${hostname()}`;
  }
}
