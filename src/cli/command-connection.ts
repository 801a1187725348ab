import type { Settings } from '../config.ts';
import { loadInParts } from './load-in-parts.ts';
import { type CommandConnection, connectToServer } from './server-connection.ts';

/** A server that runs is asked first: only where there is none is the engine loaded, which takes most of a second. */
export async function connect(settings: Settings): Promise<CommandConnection> {
  const remote = await connectToServer(settings);
  if (remote) return remote;
  await loadInParts();
  const { ownFolder } = await import('./own-folder.ts');
  return ownFolder(settings);
}
