import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Stands between a client and the server that an address names, and can come between them. */
export interface TcpProxy {
  /** The same address, through here. */
  readonly url: string;
  /** Breaks every connection, and takes no new one. */
  cut(): void;
  /** Lets a message with this text through to the server, loses the answer, and is cut from then on. */
  cutAfter(text: string): Promise<void>;
  /** Lets nothing through, in either direction, and keeps it: as a network that has stopped. */
  silence(): void;
  /** The same from a message with this text on, which is kept, too. */
  silenceBefore(text: string): Promise<void>;
  /** Lets everything through again, also what was kept. */
  restore(): void;
  close(): void;
}

export async function tcpProxy(url: string): Promise<TcpProxy> {
  const there = new URL(url);
  const sockets = new Set<Socket>();
  let [isCut, isSilent] = [false, false];
  let awaited: { readonly text: string; readonly come: (pass: () => void) => void } | undefined;
  let passKept = () => {};

  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  const pauseAll = () => {
    for (const socket of sockets) socket.pause();
  };
  const messageWith = (text: string, come: (pass: () => void) => void) =>
    new Promise<void>((resolve) => {
      awaited = {
        text,
        come: (pass) => {
          pauseAll();
          come(pass);
          resolve();
        },
      };
    });

  const proxy = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(Number(there.port), there.hostname);
    near.on('data', (sent) => {
      const { come } = awaited && sent.includes(awaited.text) ? awaited : {};
      if (!come) return void far.write(sent);
      awaited = undefined;
      come(() => far.write(sent));
    });
    far.on('data', (answer) => near.write(answer));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (isSilent) one.pause();
    }
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port } = proxy.address() as AddressInfo;
  return {
    url: Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
    cut() {
      isCut = true;
      breakAll();
    },
    cutAfter: (text) =>
      messageWith(text, (pass) => {
        isCut = true;
        pass();
        // The server has done by then what the message says.
        setTimeout(breakAll, 300);
      }),
    silence() {
      isSilent = true;
      pauseAll();
    },
    silenceBefore: (text) =>
      messageWith(text, (pass) => {
        isSilent = true;
        passKept = pass;
      }),
    restore() {
      [isCut, isSilent] = [false, false];
      passKept();
      passKept = () => {};
      for (const socket of sockets) socket.resume();
    },
    close() {
      breakAll();
      proxy.close();
    },
  };
}
