import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { FurtherHandles } from '../listening-handles.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** From now on every new request but the health checks is 503; those under way are finished. */
    drain(): void;
    /** Accepts connections beside the server's own handle. */
    readonly furtherHandles: FurtherHandles;
  }
}

/** Whether the process is shutting down. Shared by the public and the admin server. */
export class Drain {
  #begun = false;

  get isDraining(): boolean {
    return this.#begun;
  }

  begin(): void {
    this.#begun = true;
  }
}

/** How long requests under way may still take once the app closes. */
const maxClosingMs = 30_000;
/** How long a request that is still arriving waits for its refusal. */
const maxArrivingMs = 1_000;
const sweepEveryMs = 50;

/**
 * Makes `close` refuse what comes, finish what is under way, and end. Node closes the connections that are idle at that
 * moment only, and stops watching for slow senders: a connection that becomes idle later, or never sends its request to
 * the end, would keep the process alive.
 */
export function drainOnClose(app: FastifyInstance, drain: Drain): void {
  app.decorate('drain', () => drain.begin());
  const further = new FurtherHandles(app.server);
  app.decorate('furtherHandles', further);
  const connections = new Set<Socket>();
  app.server.on('connection', (socket) => {
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  app.addHook('preClose', (done) => {
    drain.begin();
    const begunAt = Date.now();
    const sweep = setInterval(() => {
      app.server.closeIdleConnections();
      const waited = Date.now() - begunAt;
      for (const socket of connections) {
        if (waited > maxClosingMs || (waited > maxArrivingMs && !responseUnderWay(socket))) socket.destroy();
      }
    }, sweepEveryMs);
    const closed = [new Promise<void>((resolve) => app.server.once('close', resolve)), further.close()];
    void Promise.all(closed).then(() => clearInterval(sweep));
    done();
  });
  app.addHook('onClose', () => further.close());
}

/**
 * The answer that a connection is waiting for, if any. Node keeps it in a property without a public name, which its own
 * handler of broken requests reads as well; keeping the same by hand would cost every request something.
 */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse && !message.writableFinished ? message : undefined;
}
