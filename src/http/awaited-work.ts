/** Work that several callers wait for. It is stopped when the last of them left, not when the first did. */
export class AwaitedWork<T> {
  readonly #controller = new AbortController();
  #waiting = 0;

  /** Stops when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly result: T;

  constructor(first: AbortSignal, work: (signal: AbortSignal) => T) {
    this.join(first);
    this.result = work(this.signal);
  }

  /** Somebody waits as well, until their signal says that they left. */
  join(caller: AbortSignal): void {
    this.#waiting += 1;
    const leave = () => {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort(caller.reason);
    };
    if (caller.aborted) leave();
    else caller.addEventListener('abort', leave, { once: true });
  }
}
