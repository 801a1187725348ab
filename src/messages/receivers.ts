import { randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { didYouMean } from '../nearest.ts';
import { isNamedHost, RefusedHost, refuseHost } from '../outgoing/checked-hosts.ts';
import { Refusal } from '../refusal.ts';
import { type Medium, media, type Receiver } from './message-content.ts';

/** Hosts inside the company's network that messages may go to. */
export interface ReceiverPolicy {
  readonly privateHosts: readonly string[];
  /** The addresses that a name has; injected by tests. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

/** The receivers of an alert or a digest, as they are to be kept. */
export interface ReadReceivers {
  readonly receivers: readonly Receiver[];
  /** What signs the bodies of new webhooks: shown now and never again. */
  readonly madeSecrets: readonly { readonly webhook: string; readonly secret: string }[];
}

const maxReceivers = 50;
const maxAddress = 2_000;
const maxMailAddress = 254;

const names: Readonly<Record<Medium, string>> = {
  slack: 'an incoming webhook of Slack, https://…',
  teams: 'a workflow webhook of Teams, https://…',
  email: 'an email address',
  webhook: 'an https address',
};

/** A receiver as people are shown it: of an address its host and its last four characters. */
export function shownAddress({ medium, address }: Pick<Receiver, 'medium' | 'address'>): string {
  if (medium === 'email') return address;
  return `${new URL(address).host}/…${address.slice(-4)}`;
}

/**
 * Reads `to`. An address that is kept already, whole or in the form in which it is shown, stays the same receiver with
 * the same secret.
 */
export async function readReceivers(
  written: unknown,
  kept: readonly Receiver[],
  policy: ReceiverPolicy,
): Promise<ReadReceivers> {
  if (!Array.isArray(written) || written.length === 0 || written.length > maxReceivers) {
    throw bad(`'to' must be a list of 1 to ${maxReceivers} receivers, such as [{"email": "ada@acme.example"}].`);
  }
  const entries = written.map((one: unknown, at) => {
    const place = `to[${at}]`;
    const { medium, text } = entryOf(one, place);
    return { place, medium, address: wholeAddress(medium, text, kept, place) };
  });
  // All at once: other changes wait until every name is looked up.
  await Promise.all(
    entries.map(async ({ place, medium, address }) => {
      if (medium !== 'email') await refuseAddress(address, medium, place, policy);
    }),
  );
  const receivers: Receiver[] = [];
  const madeSecrets: { webhook: string; secret: string }[] = [];
  for (const { place, medium, address } of entries) {
    const receiver =
      kept.find((known) => known.medium === medium && known.address === address) ?? made(medium, address);
    if (receivers.some((other) => other.medium === medium && other.address === address)) {
      throw bad(`${place} is the same receiver as another one.`);
    }
    receivers.push(receiver);
    if (receiver.signingSecret !== undefined && !kept.includes(receiver)) {
      madeSecrets.push({ webhook: shownAddress(receiver), secret: receiver.signingSecret });
    }
  }
  return { receivers, madeSecrets };
}

const bad = (message: string): Refusal => new Refusal('bad-input', message);

function entryOf(one: unknown, place: string): { readonly medium: Medium; readonly text: string } {
  const entries = typeof one === 'object' && one !== null && !Array.isArray(one) ? Object.entries(one) : [];
  const [[name, value] = ['', undefined]] = entries;
  const medium = media.find((known) => known === name);
  if (entries.length !== 1 || medium === undefined) {
    throw bad(`${place} must have exactly one of ${media.join(', ')}.${didYouMean(name, media)}`);
  }
  if (typeof value !== 'string' || value.trim() === '' || value.length > maxAddress) {
    throw bad(`${place}.${medium} must be ${names[medium]}.`);
  }
  return { medium, text: value.trim() };
}

/** The address that a text is or means. */
function wholeAddress(medium: Medium, text: string, kept: readonly Receiver[], place: string): string {
  if (medium === 'email') {
    const address = text.toLowerCase();
    if (address.length <= maxMailAddress && /^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}]+$/u.test(address)) {
      return address;
    }
    throw bad(`${place}.email must be an email address.`);
  }
  const shown = kept.filter((known) => known.medium === medium && shownAddress(known) === text);
  const [same] = shown;
  if (same && shown.length === 1) return same.address;
  if (text.includes('/…')) {
    throw bad(
      shown.length > 1
        ? `${place}.${medium} could be any of ${shown.length} addresses. Give the whole address.`
        : `${place}.${medium} is an address as it is shown, and none that is kept. Give the whole address.`,
    );
  }
  return text;
}

/** Over plain http, only to hosts inside the company's network: others on the way could read what is said. */
async function refuseAddress(
  address: string,
  medium: Medium,
  place: string,
  { privateHosts, addressesOf }: ReceiverPolicy,
): Promise<void> {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isNamed = url !== undefined && isNamedHost(url.hostname, privateHosts);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isNamed);
  if (!url || !isSafe || url.username !== '' || url.password !== '' || url.hash !== '') {
    throw bad(
      `${place}.${medium} must be ${names[medium]}, without a user, a password and a fragment. ` +
        'It is given itself: env: and file: are for sources.',
    );
  }
  try {
    await refuseHost(url.hostname, (host) => isNamedHost(host, privateHosts), addressesOf);
  } catch (error) {
    if (!(error instanceof RefusedHost)) throw error;
    throw bad(
      error.range === 'link-local'
        ? `${place}.${medium} must not lead to a link-local address, as ${url.hostname} does.`
        : `${place}.${medium} must not lead into a private network, as ${url.hostname} does. ` +
            'The operator of this server can name the host in PLUMB_SOURCE_HOSTS.',
    );
  }
}

/** A person stays the same receiver also where they are left out for a while: what they have stopped stays stopped. */
function made(medium: Medium, address: string): Receiver {
  if (medium === 'email') return { key: `email:${address}`, medium, address };
  const receiver = { key: `${medium}:${v4()}`, medium, address };
  return medium === 'webhook' ? { ...receiver, signingSecret: randomBytes(32).toString('base64url') } : receiver;
}
