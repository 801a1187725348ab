import { createHmac } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import { checkedLookup, type PrivateHosts, RefusedHost, refuseLiteralAddress } from '../../outgoing/checked-hosts.ts';
import type { Channel, Delivery, Outcome } from './channel.ts';

interface HttpChannelParts {
  readonly mayBePrivate: PrivateHosts;
  readonly now: () => Date;
  /** From the first byte to the status of the answer. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 20_000;
/** No header says more. */
const maxRetryAfterMs = 7 * 24 * 3_600_000;

/**
 * Posts bodies to Slack, Teams and webhooks. Addresses are looked at where names are resolved, redirects are not
 * followed, and of an answer only its status is read.
 */
export class HttpChannel implements Channel {
  readonly #parts: HttpChannelParts;
  readonly #lookup: LookupFunction;
  // A connection that was kept may be closed by the other side at the moment it is used again, and nobody would know
  // whether the message was taken.
  readonly #http = new HttpAgent({ keepAlive: false });
  readonly #https = new HttpsAgent({ keepAlive: false });

  constructor(parts: HttpChannelParts) {
    this.#parts = parts;
    this.#lookup = checkedLookup(parts.mayBePrivate);
  }

  async send(delivery: Delivery): Promise<Outcome> {
    try {
      return await this.#post(delivery);
    } catch (error) {
      return { isTaken: false, status: reasonOf(error) };
    }
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  async #post({ id, receiver, content }: Delivery): Promise<Outcome> {
    const url = new URL(receiver.address);
    refuseLiteralAddress(url.hostname, this.#parts.mayBePrivate);
    const isSecure = url.protocol === 'https:';
    const body = Buffer.from(content);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
      'user-agent': 'plumb',
      'x-plumb-delivery': id,
      ...(receiver.signingSecret === undefined
        ? {}
        : { 'x-plumb-signature-256': signatureOf(body, receiver.signingSecret) }),
    };
    const options = { method: 'POST', headers, lookup: this.#lookup, agent: isSecure ? this.#https : this.#http };
    const request = (isSecure ? httpsRequest : httpRequest)(url, options);
    const late = setTimeout(() => request.destroy(new LateAnswer()), this.#parts.timeoutMs ?? defaultTimeoutMs);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', resolve);
        request.on('error', reject);
        // An answer that leaves HTTP, such as 101, closes the request without a word.
        request.on('close', () => reject(new Error('the host hung up')));
        request.end(body);
      });
      const status = response.statusCode ?? 0;
      const retryAfterMs = this.#retryAfter(response.headers['retry-after']);
      return {
        isTaken: status >= 200 && status < 300,
        status: String(status),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      };
    } finally {
      clearTimeout(late);
      // The status says it all: what follows is not read. An error of what is thrown away is nobody's.
      request.on('error', () => {});
      request.destroy();
    }
  }

  /** Seconds, or a date. */
  #retryAfter(header: string | undefined): number | undefined {
    if (header === undefined) return undefined;
    const text = header.trim();
    const ms = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - this.#parts.now().getTime();
    return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), maxRetryAfterMs);
  }
}

class LateAnswer extends Error {}

const signatureOf = (body: Buffer, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

/** In few words: neither the address nor what the other side wrote is kept. */
function reasonOf(error: unknown): string {
  if (error instanceof LateAnswer) return 'no answer in time';
  if (error instanceof RefusedHost) return `${error.range} address`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS_ALTNAME/.test(code)) return 'certificate not trusted';
  if (code === 'ECONNREFUSED') return 'connection refused';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'host not found';
  return 'connection broken';
}
