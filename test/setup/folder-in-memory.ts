import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const memory = '/dev/shm';
const gibibyte = 1_024 ** 3;

/**
 * Has the temporary files of this process, and of those that it starts, lie in memory, where there is plenty of it:
 * nothing that tests write has to outlive them. Whoever sets TMPDIR decides where instead.
 */
export function useFolderInMemory(): void {
  if (process.env.TMPDIR !== undefined || !hasRoom()) return;
  const folder = mkdtempSync(join(memory, 'plumb-tests-'));
  // PostgreSQL runs as another user, in a folder inside.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 4 * gibibyte && freemem() > 6 * gibibyte;
  } catch {
    return false;
  }
}
