import type { IncomingMessage, Server } from 'node:http';

/** How long a request may take to arrive, from its first line to the end of its body. */
const ordinaryMs = 30_000;
/** The rest of a body that was answered before its end. */
export const restMs = 10_000;

/** Kept on the request itself: looking it up elsewhere takes longer than setting it. */
const deadline = Symbol('deadline');
type WatchedRequest = IncomingMessage & { [deadline]?: NodeJS.Timeout };

/**
 * Ends requests that take too long to arrive: that is what slow senders live from. Node has one time limit for all
 * requests, and a large body may take as long as its sender needs, so the limits are kept here.
 */
export class ArrivalDeadlines {
  readonly #server: Server;
  readonly #ordinaryMs: number;

  constructor(server: Server, ms: number = ordinaryMs) {
    this.#server = server;
    this.#ordinaryMs = ms;
  }

  /** Starts the clock of a request that has a body. */
  watch(request: WatchedRequest): void {
    const { headers } = request;
    if (headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0') return;
    request.on('close', () => clearTimeout(request[deadline]));
    this.give(request, this.#ordinaryMs);
  }

  /** Gives a request so long from now, in place of what it had. */
  give(request: WatchedRequest, ms: number): void {
    clearTimeout(request[deadline]);
    if (request.complete || request.destroyed) return;
    const timer = setTimeout(() => this.#end(request), ms);
    request[deadline] = timer.unref();
  }

  /** From here on other limits watch the request. */
  stop(request: WatchedRequest): void {
    clearTimeout(request[deadline]);
  }

  /** In the way in which Node ends such requests itself, so that they get the same answer. */
  #end(request: IncomingMessage): void {
    if (request.complete || request.socket.destroyed) return;
    const late = Object.assign(new Error('the request did not arrive in time'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    this.#server.emit('clientError', late, request.socket);
  }
}
