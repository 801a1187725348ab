import type { Writable } from 'node:stream';

/**
 * The log, written once for each turn of the event loop: a line for each request, written by itself, costs more than the
 * rest of a cached answer. What is not written when the process ends is written then.
 */
export class LogLines {
  readonly #stream: Writable;
  readonly #flush = () => this.flush();
  #waiting = '';

  constructor(stream: Writable) {
    this.#stream = stream;
    process.once('exit', this.#flush);
  }

  write(line: string): void {
    if (this.#waiting === '') setImmediate(this.#flush);
    this.#waiting += line;
  }

  flush(): void {
    const lines = this.#waiting;
    this.#waiting = '';
    if (lines !== '') this.#stream.write(lines);
  }

  close(): void {
    process.off('exit', this.#flush);
    this.flush();
  }
}
