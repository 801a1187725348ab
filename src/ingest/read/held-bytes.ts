// The beginning that is kept of something that is too long to be held.
const headBytes = 1_000;

/** The bytes of one line while they come in, piece by piece: all of them up to a limit, beyond it only the head. */
export class HeldBytes {
  readonly #maxBytes: number;
  #pieces: Buffer[] = [];
  #length = 0;
  #cutHead: Buffer | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  hold(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#cutHead) return;
    this.#pieces.push(piece);
    if (this.#length > this.#maxBytes) {
      // A copy: a view would keep every chunk of the line alive.
      this.#cutHead = Buffer.from(joined(this.#pieces).subarray(0, headBytes));
      this.#pieces = [];
    }
  }

  /** Hands over what was held, and is empty again. */
  take(): { readonly bytes: Buffer; readonly cut: boolean } {
    const taken = { bytes: this.#cutHead ?? joined(this.#pieces), cut: this.#cutHead !== undefined };
    this.#pieces = [];
    this.#length = 0;
    this.#cutHead = undefined;
    return taken;
  }
}

const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
