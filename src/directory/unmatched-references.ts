/** Ids that records name other rows by, by field and as they were sent. */
export type References = Readonly<Record<string, readonly string[]>>;

/** References of a field that are gathered at most. More of them are a whole table that is missing. */
const maxReferences = 20_000;

/** References that match nothing, each once, gathered from parts of one answer. */
export class UnmatchedReferences {
  readonly #byField = new Map<string, Set<string>>();

  readonly add = (references: References = {}): void => {
    for (const [field, ids] of Object.entries(references)) {
      const known = this.#byField.get(field) ?? new Set();
      this.#byField.set(field, known);
      for (const id of ids) if (known.size < maxReferences) known.add(id);
    }
  };

  /** As a part of what is said of records: nothing where all references match. */
  get found(): { readonly unmatched?: References } {
    if (this.#byField.size === 0) return {};
    return { unmatched: Object.fromEntries([...this.#byField].map(([field, ids]) => [field, [...ids]])) };
  }
}
