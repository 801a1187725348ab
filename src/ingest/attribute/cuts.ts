/** A cut before everything: all of a repository is attributed. */
export const theBeginning = Number.NEGATIVE_INFINITY;
/** A cut after everything: only rows that stand at no moment are touched. */
export const theEnd = Number.POSITIVE_INFINITY;

/** For each key the earliest moment from which on something may be different. */
export class Cuts extends Map<string, number> {
  /** A row without a time touches its key and no moment. A time that was not read may be any. */
  touch(key: string, at: number | null | undefined): void {
    const moment = at === undefined ? theBeginning : (at ?? theEnd);
    this.set(key, Math.min(this.get(key) ?? theEnd, moment));
  }

  /** The cuts of some of the keys, the earliest first. */
  inOrder(keys: Iterable<string> = this.keys()): { readonly key: string; readonly cut: number }[] {
    return [...keys]
      .map((key) => ({ key, cut: this.get(key) ?? theEnd }))
      .sort((a, b) => (a.cut === b.cut ? 0 : a.cut - b.cut));
  }
}
