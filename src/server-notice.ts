import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where the running server of a data folder can be reached by commands. Readable by its owner only. */
export interface ServerNotice {
  readonly pid: number;
  /** The address that people use. */
  readonly url: string;
  /** The store that the server serves, without telling how to get in. */
  readonly store: string;
  /** The loopback port for commands, and what they must show there. */
  readonly controlPort: number;
  readonly token: string;
}

const noticeFile = 'server.json';

/** The notice of the last server of a folder. That server may be dead, so the caller has to ask it. */
export function readNotice(folder: string): ServerNotice | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, noticeFile), 'utf8')) as ServerNotice;
  } catch {
    return undefined;
  }
}

export function writeNotice(folder: string, notice: ServerNotice): void {
  const path = join(folder, noticeFile);
  // Created from scratch: a file that is there already would keep the mode it has, whatever is said here.
  rmSync(`${path}.new`, { force: true });
  writeFileSync(`${path}.new`, JSON.stringify(notice), { mode: 0o600, flag: 'wx' });
  renameSync(`${path}.new`, path);
}

export const removeNotice = (folder: string): void => rmSync(join(folder, noticeFile), { force: true });
