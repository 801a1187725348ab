import { jsonPieces } from '../../formats/json-pieces.ts';
import { collected } from '../../formats/text-pieces.ts';

/**
 * The JSON of a listing, made once for as long as the listing stays the same: a listing that has not changed is the same
 * array, and one that has is garbage together with its bytes.
 */
export class ListingBytes<T extends object> {
  readonly #made = new WeakMap<readonly T[], Buffer | Promise<Buffer | undefined>>();
  readonly #body: (listing: readonly T[]) => unknown;

  constructor(body: (listing: readonly T[]) => unknown) {
    this.#body = body;
  }

  async of(listing: readonly T[]): Promise<Buffer> {
    let made = this.#made.get(listing);
    if (!made) {
      made = collected(jsonPieces(this.#body(listing)), Number.POSITIVE_INFINITY);
      this.#made.set(listing, made);
    }
    return (await made) ?? Buffer.alloc(0);
  }
}
