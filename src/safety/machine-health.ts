import { accessSync, constants, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { isClosedWhenOpened } from '../data-folder.ts';
import { readNotice } from '../server-notice.ts';
import { engineVersion } from '../warehouse/open.ts';
import {
  type Diagnosis,
  type Judgement,
  judgeDisk,
  judgeNode,
  judgePermissions,
  judgeThreadPool,
  judgeTimeZones,
} from './diagnosis.ts';

/** Looks at what Plumb runs on. */
export async function examineMachine(environment: Readonly<Record<string, string | undefined>>): Promise<Diagnosis[]> {
  return [
    { name: 'node', ...judgeNode(process.version) },
    { name: 'native module', ...(await loadNativeModule()) },
    { name: 'thread pool', ...judgeThreadPool(environment.UV_THREADPOOL_SIZE) },
    { name: 'time zones', ...judgeTimeZones(hourInVienna()) },
  ];
}

async function loadNativeModule(): Promise<Judgement> {
  try {
    return { status: 'ok', detail: await engineVersion() };
  } catch {
    return {
      status: 'problem',
      detail: `The engine has no binary for ${process.platform}-${process.arch} here. Install the dependencies again on this machine.`,
    };
  }
}

function hourInVienna(): string | undefined {
  try {
    const format = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Vienna', hour: '2-digit' });
    return format.format(Date.UTC(2024, 0, 1, 12));
  } catch {
    return undefined;
  }
}

/** Looks at the data folder, at the disk that it is on, and at the server that is said to run there. */
export async function examineFolder(folder: string): Promise<Diagnosis[]> {
  const found: Diagnosis[] = [];
  const name = 'data folder';
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    found.push({ name, status: 'ok', detail: folder });
  } catch {
    found.push({
      name,
      status: 'problem',
      detail: `${folder} cannot be written to. Give it to the user who runs Plumb.`,
    });
  }
  found.push({ name: 'permissions', ...judgePermissions(folder, statSync(folder).mode, isClosedWhenOpened(folder)) });
  const { bavail, bsize } = await statfs(folder);
  found.push({ name: 'disk', ...judgeDisk(bavail * bsize) });
  found.push({ name: 'server', ...runningServer(folder) });
  return found;
}

function runningServer(folder: string): Judgement {
  const notice = readNotice(folder);
  if (!notice) return { status: 'ok', detail: 'none runs on this folder' };
  return isAlive(notice.pid)
    ? { status: 'ok', detail: `process ${notice.pid} serves ${notice.url}` }
    : {
        status: 'warning',
        detail: `The server that ran here as process ${notice.pid} ended without a word. Start it again.`,
      };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
