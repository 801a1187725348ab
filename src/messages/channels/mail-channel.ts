import SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Channel, Delivery, Outcome } from './channel.ts';

/** PLUMB_SMTP_URL in its parts. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise by STARTTLS where the server has it. */
  readonly isSecure: boolean;
  readonly user?: string;
  readonly password?: string;
}

/** A mail as it is queued: the same bytes on every try. */
export interface QueuedMail {
  readonly from: string;
  readonly to: string;
  readonly raw: string;
}

interface MailChannelParts {
  /** Undefined where mail is not set up any more. */
  readonly server: MailServer | undefined;
  readonly timeouts?: MailTimeouts;
}

interface MailTimeouts {
  /** Until there is a connection and a greeting. */
  readonly greetingMs: number;
  /** Without a byte of the server. After the last byte of a mail, a server may take its time to accept it. */
  readonly idleMs: number;
  readonly exchangeMs: number;
}

const defaultTimeouts: MailTimeouts = { greetingMs: 15_000, idleMs: 45_000, exchangeMs: 80_000 };

/** Sends mails over SMTP, each over a connection of its own. */
export class MailChannel implements Channel {
  readonly #parts: MailChannelParts;

  constructor(parts: MailChannelParts) {
    this.#parts = parts;
  }

  async send({ content }: Pick<Delivery, 'content'>): Promise<Outcome> {
    const { server, timeouts = defaultTimeouts } = this.#parts;
    if (server === undefined) return { isTaken: false, status: 'mail is not set up' };
    const connection = connectionTo(server, timeouts);
    try {
      return { isTaken: true, status: await exchange(connection, server, JSON.parse(content), timeouts) };
    } catch (error) {
      return { isTaken: false, status: reasonOf(error) };
    } finally {
      connection.close();
    }
  }

  close(): void {}
}

function connectionTo(
  { host, port, isSecure, user }: MailServer,
  { greetingMs, idleMs }: MailTimeouts,
): SMTPConnection {
  return new SMTPConnection({
    host,
    port,
    secure: isSecure,
    // A password never travels in clear from one machine to another.
    requireTLS: !isSecure && user !== undefined && !isLoopback(host),
    connectionTimeout: greetingMs,
    greetingTimeout: greetingMs,
    dnsTimeout: greetingMs,
    socketTimeout: idleMs,
  });
}

/** The status with which the server has taken a mail. A connection says what went wrong in one of two ways. */
function exchange(
  connection: SMTPConnection,
  { user, password = '' }: MailServer,
  { from, to, raw }: QueuedMail,
  { exchangeMs }: MailTimeouts,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new LateServer()), exchangeMs);
    const failed = (error: unknown) => {
      clearTimeout(late);
      reject(error);
    };
    connection.on('error', failed);
    connection.once('end', () => failed(new Error('the server hung up')));
    const send = () =>
      connection.send({ from, to: [to] }, raw, (error, info) => {
        if (error) return failed(error);
        clearTimeout(late);
        resolve(`smtp ${/^\d{3}/.exec(info?.response ?? '')?.[0] ?? '250'}`);
      });
    connection.connect((error) => {
      if (error) return failed(error);
      if (user === undefined) return send();
      connection.login({ user, credentials: { user, pass: password } }, (refused) =>
        refused ? failed(refused) : send(),
      );
    });
  });
}

class LateServer extends Error {}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);

interface MailError {
  readonly responseCode?: number;
  readonly code?: string;
  /** What the system said. */
  readonly originalCode?: string;
}

/** The code of the answer, or why there was none. */
function reasonOf(error: unknown): string {
  if (error instanceof LateServer) return 'no answer in time';
  const { responseCode, code = '', originalCode = '' } = error as MailError;
  if (responseCode !== undefined) return `smtp ${responseCode}`;
  if (code === 'ETIMEDOUT') return 'no answer in time';
  if (code === 'ETLS' || /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|TLS_ALTNAME/.test(originalCode)) return 'no trusted TLS';
  if (originalCode === 'ECONNREFUSED') return 'connection refused';
  if (code === 'EDNS' || code === 'ENOTFOUND') return 'host not found';
  if (code === 'EAUTH') return 'smtp login refused';
  return 'connection broken';
}
