import { createHash } from 'node:crypto';
import type { Json } from '../../catalogue/record.ts';
import type { Page, SourceMemory, Stream } from '../source.ts';

/** The newest that are remembered, and how many are asked for in one sync: the others have their turn later. */
const maxRemembered = 500;
const maxAsked = 50;

/** Things of one scope that had not ended when they were listed. A list of what is new does not say how they end. */
export class UnendedThings {
  readonly #memory: SourceMemory | undefined;
  readonly #key: string;
  /** Without a memory, and after each change. */
  #known: readonly string[] | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(memory: SourceMemory | undefined, scope: string) {
    this.#memory = memory;
    this.#key = `unended@${scope}`;
  }

  async all(): Promise<readonly string[]> {
    this.#known ??= ((await this.#memory?.get(this.#key)) as readonly string[] | undefined) ?? [];
    return this.#known;
  }

  /** Several pages are converted at a time: each change waits for the one before. */
  change(change: (known: readonly string[]) => readonly string[]): Promise<void> {
    const changed = this.#last.then(async () => {
      const before = await this.all();
      const after = change(before).slice(-maxRemembered);
      if (after.length === before.length && after.every((one, place) => one === before[place])) return;
      await this.#memory?.set(this.#key, after);
      this.#known = after;
    });
    this.#last = changed.catch(() => undefined);
    return changed;
  }

  add(references: readonly string[]): Promise<void> {
    return this.change((known) => [...known, ...references.filter((one) => !known.includes(one))]);
  }
}

/** A thing as it is now, and whether it may still change. */
export interface ReadThing extends Page {
  readonly isOpen: boolean;
}

interface UnendedList extends Pick<Stream, 'id' | 'name' | 'scope' | 'feeds'> {
  readonly things: UnendedThings;
  /** The provider's clock, in seconds since 1970. */
  readonly now: number;
  reread(reference: string): Promise<ReadThing>;
}

/** The things of the last read: all of them, and each that had ended. Kept once its rows are stored. */
interface LastRead {
  readonly digest: string;
  readonly ended: Readonly<Record<string, string>>;
}

/**
 * Reads what had not ended, by itself, until it has. Something is forgotten when it is found a second time as it was at its
 * end: then that is stored.
 */
export const unendedStream = ({ things, now, reread, ...stream }: UnendedList): Stream => ({
  ...stream,
  read: async ({ mark }) => {
    const last = mark as unknown as LastRead | undefined;
    const all = await things.all();
    const asked = all.slice(0, maxAsked);
    const pages: ReadThing[] = [];
    const ended: Record<string, string> = {};
    const over: string[] = [];
    for (const reference of asked) {
      const page = await reread(reference);
      pages.push(page);
      const digest = digestOf(page.records);
      if (page.isOpen) continue;
      if (last?.ended[reference] === digest) over.push(reference);
      else ended[reference] = digest;
    }
    const isMore = all.length > asked.length;
    await things.change((known) =>
      turned(
        known.filter((one) => !over.includes(one)),
        isMore ? asked : [],
      ),
    );
    const records = pages.flatMap((page) => page.records);
    const next: LastRead = { digest: digestOf(records), ended };
    const problems = pages.flatMap((page) => page.problems ?? []);
    const read = { count: pages.length, at: pages.at(-1)?.at ?? now, mark: next as unknown as Json };
    if (last?.digest === next.digest && problems.length === 0) return { ...read, records: [], isUnchanged: true };
    return {
      ...read,
      records,
      ...(problems.length > 0 && { problems }),
    };
  },
});

/** Those that were asked for go behind the others, where there are too many for one sync. */
const turned = (known: readonly string[], asked: readonly string[]): readonly string[] => [
  ...known.filter((one) => !asked.includes(one)),
  ...known.filter((one) => asked.includes(one)),
];

const digestOf = (records: Page['records']): string =>
  createHash('sha256').update(JSON.stringify(records)).digest('hex');
