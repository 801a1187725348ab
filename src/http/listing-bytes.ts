/**
 * The JSON of a listing, made once for as long as the listing stays the same: a listing that has not changed is the same
 * array, and one that has is garbage together with its bytes.
 */
export class ListingBytes<T extends object> {
  readonly #made = new WeakMap<readonly T[], Buffer>();
  readonly #body: (listing: readonly T[]) => unknown;

  constructor(body: (listing: readonly T[]) => unknown) {
    this.#body = body;
  }

  of(listing: readonly T[]): Buffer {
    const made = this.#made.get(listing);
    if (made) return made;
    const bytes = Buffer.from(JSON.stringify(this.#body(listing)));
    this.#made.set(listing, bytes);
    return bytes;
  }
}
