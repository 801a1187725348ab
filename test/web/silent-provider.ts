import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A provider that takes every request and never answers: what is read from it stays under way. */
export interface SilentProvider {
  readonly url: string;
  /** Settles when somebody asks for something. */
  readonly asked: Promise<unknown>;
  close(): Promise<void>;
}

export async function startSilentProvider(): Promise<SilentProvider> {
  const server = createServer(() => {});
  const asked = once(server, 'request');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
