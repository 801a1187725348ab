import type { Settings } from '../config.ts';
import type { CommandConnection } from './server-connection.ts';

/**
 * The way to the data for a command that runs for hours. It is open only while something is asked: a folder that is
 * owned by nobody in between can be taken by a server or by another command.
 */
export class ReopenedConnection {
  readonly #settings: Settings;
  #opened: Promise<CommandConnection> | undefined;
  #closed: Promise<void> = Promise.resolve();
  #users = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Does something with the data, together with whatever else is being done at the same time. */
  async use<T>(work: (connection: CommandConnection) => Promise<T>): Promise<T> {
    this.#users += 1;
    this.#opened ??= this.#open();
    const opened = this.#opened;
    try {
      return await work(await opened);
    } finally {
      this.#users -= 1;
      if (this.#users === 0) {
        this.#opened = undefined;
        this.#closed = opened.then(
          (connection) => connection.close(),
          () => {},
        );
        await this.#closed;
      }
    }
  }

  async #open(): Promise<CommandConnection> {
    // The connection before must let go of the folder first.
    await this.#closed.catch(() => {});
    const { connect } = await import('./command-connection.ts');
    return connect(this.#settings);
  }
}
