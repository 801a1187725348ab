import { Agent, type IncomingMessage, request } from 'node:http';

/** Asks Plumb over one connection that stays open, as a program would. */
export class PlumbClient {
  readonly #url: string;
  readonly #key: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** How many rows there were in all, where the last answer had only some of them. */
  total: number | undefined;

  constructor(url: string, key: string) {
    this.#url = url;
    this.#key = key;
  }

  /** The whole answer as text. Refuses one that was kept: what is measured would be another thing. */
  async ask(path: string, body: object): Promise<string> {
    const pieces: Buffer[] = [];
    await this.read(path, body, (piece) => pieces.push(piece));
    return Buffer.concat(pieces).toString();
  }

  /** The answer piece by piece. */
  async read(path: string, body: object, take: (piece: Buffer) => void): Promise<void> {
    const response = await this.#send(path, JSON.stringify(body));
    const total = response.headers['x-total-rows'];
    this.total = total === undefined ? undefined : Number(total);
    const isGood = response.statusCode === 200;
    const refused: Buffer[] = [];
    for await (const piece of response) isGood ? take(piece as Buffer) : refused.push(piece as Buffer);
    if (!response.complete) throw new Error(`${path}: the answer broke off`);
    if (!isGood) throw new Error(`${path} answered ${response.statusCode}: ${Buffer.concat(refused)}`);
    if (response.headers['x-cache'] === 'HIT') throw new Error(`${path}: ${JSON.stringify(body)} was kept`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #send(path: string, body: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization: this.#key,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const sent = request(`${this.#url}/metrics/${path}`, { method: 'POST', agent: this.#agent, headers }, resolve);
      sent.once('error', reject);
      sent.end(body);
    });
  }
}
