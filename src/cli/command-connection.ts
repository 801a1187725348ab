import type { Settings } from '../config.ts';
import { type CommandConnection, connectToServer } from './server-connection.ts';

/** A server that runs is asked first: only where there is none is the engine loaded, which takes most of a second. */
export async function connect(settings: Settings): Promise<CommandConnection> {
  const remote = await connectToServer(settings);
  if (remote) return remote;
  await loadInParts();
  const { ownFolder } = await import('./own-folder.ts');
  return ownFolder(settings);
}

/**
 * Loads what opens a data folder, one part after the other. Node.js opens all files of what it imports at once: where few
 * may be open, it would run out of them before anything is served.
 */
export async function loadInParts(): Promise<void> {
  await import('../catalogue/record-tables.ts');
  await import('../query/answer-metric.ts');
  await import('../store/open.ts');
  await import('../warehouse/open.ts');
  await import('../ingest/ingest.ts');
  await import('../sources/kinds.ts');
  await import('../main.ts');
  await import('../control/operations.ts');
}
