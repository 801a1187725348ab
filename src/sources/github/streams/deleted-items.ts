import type { SourceMemory } from '../../source.ts';

/** The ids that the last whole reads of a list have found, and missed. */
interface Remembered {
  readonly listed: readonly string[];
  readonly missed: readonly string[];
}

/**
 * What a whole read of a list no longer has, and the one before had. It is said of each twice, with this read and the
 * next: whoever is stopped before it is stored finds it again.
 */
export async function deletedItems(
  memory: SourceMemory | undefined,
  key: string,
  listed: readonly string[],
): Promise<readonly string[]> {
  const before = ((await memory?.get(key)) ?? { listed: [], missed: [] }) as unknown as Remembered;
  const present = new Set(listed);
  const missed = before.listed.filter((id) => !present.has(id));
  await memory?.set(key, { listed: [...present], missed });
  return [...new Set([...missed, ...before.missed.filter((id) => !present.has(id))])];
}
