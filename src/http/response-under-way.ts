import { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * The answer that a connection is waiting for, if any. Node keeps it in a property without a public name, which its own
 * handler of broken requests reads as well; keeping the same by hand would cost every request something.
 */
export function responseUnderWay(socket: Socket): ServerResponse | undefined {
  const message: unknown = Reflect.get(socket, '_httpMessage');
  return message instanceof ServerResponse && !message.writableFinished ? message : undefined;
}
