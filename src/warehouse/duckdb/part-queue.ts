/** Some rows of an answer on disk, one row a line. */
export interface SpooledPart {
  readonly path: string;
  readonly rows: number;
  /** Bytes of the file. */
  readonly bytes: number;
}

/**
 * Parts of an answer between the engine, which writes them, and the reader. The engine is kept from writing far ahead:
 * it waits until enough of what it wrote has been read.
 */
export class PartQueue {
  readonly #parts: SpooledPart[] = [];
  #unread = 0;
  #isEnded = false;
  #error: unknown;
  #wakeReader = () => {};
  #wakeWriter = () => {};

  /** Bytes on the disk that have not been read to their end. */
  get unread(): number {
    return this.#unread;
  }

  put(part: SpooledPart): void {
    this.#parts.push(part);
    this.#unread += part.bytes;
    this.#wakeReader();
  }

  end(): void {
    this.#isEnded = true;
    this.#wakeReader();
  }

  fail(error: unknown): void {
    this.#error = error;
    this.end();
  }

  /** Waits until there are so few unread bytes that this many more are not too many, or none at all. */
  async roomFor(bytes: number, most: number, signal: AbortSignal): Promise<void> {
    while (this.#unread > 0 && this.#unread + bytes > most) {
      signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const aborted = () => reject(signal.reason);
        signal.addEventListener('abort', aborted, { once: true });
        this.#wakeWriter = () => {
          signal.removeEventListener('abort', aborted);
          resolve();
        };
      });
    }
  }

  /** Each part once. A reader that asks for the next part has read the last one to its end. */
  async *read(): AsyncGenerator<SpooledPart> {
    for (;;) {
      const part = this.#parts.shift();
      if (part) {
        yield part;
        this.#unread -= part.bytes;
        this.#wakeWriter();
      } else if (this.#isEnded) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else {
        await new Promise<void>((resolve) => {
          this.#wakeReader = resolve;
        });
      }
    }
  }
}
