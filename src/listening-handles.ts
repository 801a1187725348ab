import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/**
 * Node accepts one connection for each listening handle and turn of the event loop. While answers are rendered, a turn
 * takes 10 to 20 ms, and a caller behind 480 others would wait 5 to 9 seconds in the queue of the kernel, before anything
 * of ours sees it. With 15 further handles on the same socket it waits a sixteenth of that.
 */
export const publicHandleCount = 15;
/** For doors that only operators know. */
export const operatorHandleCount = 3;

/**
 * The handle that Node listens with. It has no name in Node's interface, but can be sent and listened on like a server;
 * a server that is sent would accept connections in the process that it is sent to.
 */
interface NativeHandle {
  close(): void;
}
const handleOf = (server: Server): NativeHandle | undefined =>
  (server as unknown as { readonly _handle?: NativeHandle | null })._handle ?? undefined;

/** Accepts connections for a server through further handles on the socket that it listens on. */
export class FurtherHandles {
  readonly #server: Server;
  readonly #acceptors: Server[] = [];
  #closed: Promise<unknown> | undefined;

  constructor(server: Server) {
    this.#server = server;
  }

  get count(): number {
    return this.#acceptors.length;
  }

  /** Takes over a handle that came back from another process. */
  add(received: NativeHandle): void {
    if (this.#closed) {
      received.close();
      return;
    }
    // As Node's HTTP server sets its own handle: a caller may end its side first, and small answers leave at once.
    const acceptor = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
      this.#server.emit('connection', socket),
    );
    // Where the machine has no descriptors left, the server's own handle has the same trouble, and reports it.
    acceptor.on('error', () => {});
    acceptor.listen(received);
    this.#acceptors.push(acceptor);
  }

  /** Accepts nothing more from now on, and waits until the connections that came this way have ended. */
  async close(): Promise<void> {
    this.#closed ??= Promise.all(
      this.#acceptors.map((acceptor) => new Promise<void>((resolve) => acceptor.close(() => resolve()))),
    );
    await this.#closed;
  }
}

/** A server that listens, and how many further handles it gets. Each takes a file descriptor. */
export interface ListeningServer {
  readonly server: Server;
  readonly further: FurtherHandles;
  readonly count: number;
}

/**
 * Sends back what it gets, and ends with its parent. It looks for that itself: a parent that is killed while a handle is
 * under way is not told of by 'disconnect', and the port of a server that is gone would stay taken.
 */
const echo = `const end = () => process.exit();
process.on('message', ({ at, count }, handle) => {
  for (let sent = 0; sent < count; sent += 1) process.send(at, handle, (error) => error && end());
});
process.on('disconnect', end);
setInterval(() => process.ppid === Number(process.argv[1]) || end(), 20);
setTimeout(end, 10_000);`;

/**
 * Gives servers that listen their further handles. Node cannot duplicate a descriptor, but each time that a handle comes
 * back from another process it has a new one. Answers whether all came; without them a server works, one connection a turn.
 */
export async function addFurtherHandles(
  listening: readonly ListeningServer[],
  start: typeof spawn = spawn,
): Promise<boolean> {
  // The child process needs nothing of ours: no settings, and so no secrets.
  const child = start(process.execPath, ['-e', echo, String(process.pid)], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    env: {},
  });
  let missing = listening.reduce((sum, { count }) => sum + count, 0);
  child.on('error', () => {});
  // A machine without descriptors left starts nothing, and gives no channel to it.
  if (!child.connected) return false;
  child.on('message', (at, received) => {
    listening[Number(at)]?.further.add(received as unknown as NativeHandle);
    missing -= 1;
    if (missing === 0) child.disconnect();
  });
  // Nobody waits for it at the end of a process.
  child.unref();
  child.channel?.unref();
  for (const [at, { server, count }] of listening.entries()) {
    child.send({ at, count }, handleOf(server) as unknown as Server, () => {});
  }
  try {
    await once(child, 'exit');
  } catch {
    // The child process could not be started.
  }
  return missing === 0;
}
