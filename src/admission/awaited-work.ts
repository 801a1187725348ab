/** Work that several callers wait for. It is stopped when the last caller has left, not when the first has. */
export class AwaitedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;
  #isOver = false;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
    const over = () => {
      this.#isOver = true;
    };
    // Every caller who waits gets the error; when nobody waits, nobody needs it.
    this.#result.then(over, over);
  }

  /** Whether every caller left before there was a result. A caller that comes now must start the work over. */
  get isAbandoned(): boolean {
    return this.#controller.signal.aborted;
  }

  /** The result, or the reason of the caller's own signal once the caller leaves. */
  wait(caller?: AbortSignal): Promise<T> {
    this.#waiting += 1;
    return new Promise<T>((resolve, reject) => {
      let hasLeft = false;
      const leave = (settle: () => void): void => {
        if (hasLeft) return;
        hasLeft = true;
        caller?.removeEventListener('abort', gone);
        settle();
        this.#waiting -= 1;
        if (this.#waiting === 0 && !this.#isOver)
          this.#controller.abort(new Error('nobody waits for the result any more'));
      };
      const gone = (): void => leave(() => reject(caller?.reason));
      if (caller?.aborted) return gone();
      caller?.addEventListener('abort', gone);
      this.#result.then(
        (value) => leave(() => resolve(value)),
        (error: unknown) => leave(() => reject(error)),
      );
    });
  }
}
