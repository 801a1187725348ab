import type { SourceMemory } from '../../source.ts';
import type { GithubApi } from '../api.ts';
import type { Repository } from '../convert/repository.ts';

/** A list of releases that was read to its end. */
interface ReadReleases {
  /** When its first page was read, by the provider's clock: it tells one read from another. */
  readonly startedAt: number;
  /** Of the read before it that is stored as complete. */
  readonly lastReadAt?: number;
  /** The tags of its releases. */
  readonly names: readonly string[];
}

/** The releases that the last read has found. */
interface KnownTags {
  readonly startedAt: number;
  readonly tags: readonly string[];
  /** Tags that it found to be gone. */
  readonly gone: readonly string[];
}

/**
 * The releases of a repository that were listed when they were last read: GitHub's list does not say what is gone from it.
 * Only what this source has listed itself can be gone, not what tags of a clone or an import have brought.
 */
export class KnownReleases {
  readonly #api: GithubApi;
  readonly #memory: SourceMemory | undefined;

  constructor(api: GithubApi, memory: SourceMemory | undefined) {
    this.#api = api;
    this.#memory = memory;
  }

  /** The tags of releases that were listed before and are gone. */
  async goneFrom(
    repository: Repository,
    { startedAt, lastReadAt, names: tags }: ReadReleases,
  ): Promise<readonly string[]> {
    const key = `releases@${repository.id}`;
    const known = (await this.#memory?.get(key)) as unknown as KnownTags | undefined;
    const listed = new Set(tags);
    // Releases or items of a read that was stopped before its rows were stored are still to be removed.
    const before = known && known.startedAt !== lastReadAt ? known.gone : [];
    const gone = before.filter((tag) => !listed.has(tag));
    const missing = known?.tags.filter((tag) => !listed.has(tag)) ?? [];
    const present: string[] = [];
    for (const tag of missing) ((await this.#isThere(repository, tag)) ? present : gone).push(tag);
    await this.#memory?.set(key, { startedAt, tags: [...tags, ...present], gone });
    return gone;
  }

  /** One that moves while pages are read may stand on none of them. */
  async #isThere({ name }: Repository, tag: string): Promise<boolean> {
    const path = `/repos/${name}/releases/tags/${encodeURIComponent(tag)}`;
    const { status } = await this.#api.get(path, { alsoGood: [404] });
    return status < 300;
  }
}
