import type { Json } from '../../catalogue/record.ts';
import type { ChangedObject, Page, SourceMemory, SourceRecords } from '../source.ts';

/** Something of a list: what it is asked for by, and the time that the list is in the order of. */
export type ListedItem = readonly [reference: string | number, at: number];

/** A read of a list, newest first, that is at its end. */
export interface ListRead {
  /** Of the list: `issues`. */
  readonly key: string;
  readonly kind: string;
  /** When its first page was read, by the provider's clock: it tells one read from another. */
  readonly startedAt: number;
  /** Of the read before it that is stored as complete. */
  readonly lastReadAt?: number;
  readonly items: readonly ListedItem[];
  /** Everything after this moment has been listed, in seconds since 1970. */
  readonly reachedDownTo: number;
}

/** The items on the list when it was last read. */
interface KnownItems {
  readonly startedAt: number;
  readonly items: readonly ListedItem[];
  /** The items that the read found to be gone. */
  readonly gone: readonly ListedItem[];
}

/** The newest of a list that are remembered, and how many are asked for after one read: the others have their turn later. */
const maxRemembered = 1_000;
const maxAsked = 50;

/**
 * Remembers the items of a list when it was last read, since lists do not say what is gone from them. One that is missing
 * is read by itself, as if a webhook had named it: it may have moved while pages were read, and then it is still there.
 */
export class ListedBefore<Scope extends { readonly id: string }> {
  readonly #memory: SourceMemory | undefined;
  readonly #reread: (scope: Scope, object: Pick<ChangedObject, 'kind' | 'reference'>) => Promise<Page>;

  constructor(
    memory: SourceMemory | undefined,
    reread: (scope: Scope, object: Pick<ChangedObject, 'kind' | 'reference'>) => Promise<Page>,
  ) {
    this.#memory = memory;
    this.#reread = reread;
  }

  /** Records of what was listed before and is missing now: most of them remove it. */
  async missingFrom(scope: Scope, read: ListRead): Promise<readonly SourceRecords[]> {
    const key = `${read.key}@${scope.id}`;
    const stored = (await this.#memory?.get(key)) as unknown as KnownItems | undefined;
    // An earlier version kept tags of releases in another form: they are remembered again.
    const known = stored?.items ? stored : undefined;
    // History takes long to be read, and newer reads come to their end before it.
    if (!this.#memory || (known && known.startedAt > read.startedAt)) return [];
    const listed = new Set(read.items.map(([reference]) => reference));
    // Releases or items of a read that was stopped before its rows were stored are still to be removed.
    const before = known ? [...known.items, ...(known.startedAt === read.lastReadAt ? [] : known.gone)] : [];
    const unlisted = before.filter(([reference]) => !listed.has(reference));
    const missing = unlisted.filter(([, at]) => at > read.reachedDownTo).slice(0, maxAsked);
    const records: SourceRecords[] = [];
    const gone: ListedItem[] = [];
    for (const item of missing) {
      const page = await this.#reread(scope, { kind: read.kind, reference: item[0] });
      records.push(...page.records);
      if (page.records.some((some) => some.records.some((record) => record._deleted === true))) gone.push(item);
    }
    const kept = [...read.items, ...unlisted.filter((item) => !gone.includes(item))]
      .toSorted(([, one], [, other]) => other - one)
      .slice(0, maxRemembered);
    const next: KnownItems = { startedAt: read.startedAt, items: kept, gone };
    await this.#memory.set(key, next as unknown as Json);
    return records;
  }
}

/** The findings of reads of one list so far. A read that another process has begun is not known from its start. */
export class ListReads {
  readonly #items = new Map<number, ListedItem[]>();

  begin(startedAt: number): void {
    this.#items.set(startedAt, []);
  }

  add(startedAt: number | undefined, items: readonly ListedItem[]): void {
    if (startedAt !== undefined) this.#items.get(startedAt)?.push(...items);
  }

  /** All that it has found, where it is known from its start. */
  end(startedAt: number | undefined): readonly ListedItem[] | undefined {
    if (startedAt === undefined) return undefined;
    const items = this.#items.get(startedAt);
    this.#items.delete(startedAt);
    return items;
  }
}
