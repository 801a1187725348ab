import type { HostDirectory, OpenSource, StreamPosition } from './source.ts';

/** Members and teams of everything that a source reads, as they are now. */
export async function readDirectories(source: Pick<OpenSource, 'streams'>): Promise<HostDirectory[]> {
  const found: HostDirectory[] = [];
  for await (const stream of source.streams()) {
    if (!stream.isDirectory) continue;
    for (let position: StreamPosition | undefined = {}; position; ) {
      const { directory, next } = await stream.read(position);
      if (directory) found.push(directory);
      position = next === undefined ? undefined : { next };
    }
  }
  return found;
}
