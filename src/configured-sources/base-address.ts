import { isNamedHost, RefusedHost, refuseHost } from '../outgoing/checked-hosts.ts';
import { Refusal } from '../refusal.ts';
import { isReference } from '../sources/setting-references.ts';
import type { SettingValues, SourceKind } from '../sources/source.ts';
import {
  type SettingsOrigin,
  type SettingTexts,
  settingFields,
  webhookSecretField,
} from '../sources/source-settings.ts';
import type { SourceRow } from '../store/source-rows.ts';
import { plainSettings } from './stored-settings.ts';

export interface AddressPolicy {
  readonly origin: SettingsOrigin;
  /** Hosts inside the company's network that a page or the API may name (PLUMB_SOURCE_HOSTS). */
  readonly sourceHosts: readonly string[];
  /** The addresses that a name has; injected by tests. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>;
}

/**
 * Refuses a base address that leads where it must not: to the machine's own link always, and into a private network
 * where a page or the API gave it. The connection checks the resolved address again.
 */
export async function refuseBaseAddress(
  address: string,
  { origin, sourceHosts, addressesOf }: AddressPolicy,
): Promise<void> {
  const { hostname } = new URL(address);
  try {
    await refuseHost(hostname, (host) => origin === 'command' || isNamedHost(host, sourceHosts), addressesOf);
  } catch (error) {
    if (!(error instanceof RefusedHost)) throw error;
    throw new Refusal(
      'bad-input',
      error.range === 'link-local'
        ? `base_url must not lead to a link-local address, as ${hostname} does.`
        : `base_url must not lead into a private network, as ${hostname} does. ` +
            'The operator of this server can name the host in PLUMB_SOURCE_HOSTS, or add the source by the command line.',
    );
  }
}

interface Change {
  /** All settings after the change. */
  readonly texts: SettingTexts;
  /** The settings that are given now. */
  readonly given: SettingTexts;
}

/**
 * Through which door a source has come once this change is made. Who says where a source leads must not have tokens sent
 * there that somebody else gave: references are only followed to an address of the command line, and another address
 * from the API takes no token along.
 */
export function setBy(origin: SettingsOrigin, source: SourceRow, kind: SourceKind, change: Change): string {
  if (origin === 'api') return redirects(source, kind, change) ? 'api' : source.added_by;
  return source.added_by === 'command' || isAllOfCommand(kind, change) ? 'command' : source.added_by;
}

const leadsOf = ({ settings }: SourceKind) =>
  settings.filter(({ name, type }) => type === 'address' || name === 'allow_hosts').map(({ name }) => name);

/** Whether the address changes. Refused where a token would go there that the caller does not know. */
function redirects(source: SourceRow, kind: SourceKind, { texts, given }: Change): boolean {
  const before = plainSettings(source);
  const changed = leadsOf(kind).filter((name) => name in given && (texts[name] ?? '') !== (before[name] ?? ''));
  if (changed.length === 0) return false;
  const kept = settingFields(kind).filter(({ name, isSecret }) => {
    const text = texts[name];
    if (name in given || text === undefined) return false;
    return isReference(text) || (isSecret === true && name !== webhookSecretField.name);
  });
  if (kept.length === 0) return true;
  throw new Refusal(
    'bad-input',
    `With another ${changed.join(' and ')}, give ${kept.map(({ name }) => name).join(' and ')} ` +
      'again: it was given for the address so far.',
  );
}

/**
 * Whether the command line says itself where a source of the API leads, and every reference in it. A reference is refused
 * where the address stays one that somebody else gave.
 */
function isAllOfCommand(kind: SourceKind, { texts, given }: Change): boolean {
  const leads = leadsOf(kind);
  const references = settingFields(kind).flatMap(({ name }) => (isReference(texts[name] ?? '') ? [name] : []));
  const givenReferences = references.filter((name) => name in given);
  if (givenReferences.length === 0 && !leads.some((name) => name in given)) return false;
  const missing = [...leads.filter((name) => name in texts), ...references].filter((name) => !(name in given));
  if (missing.length === 0) return true;
  if (givenReferences.length === 0) return false;
  throw new Refusal(
    'bad-input',
    `With ${givenReferences.join(' and ')} as a reference, give ${[...new Set(missing)].join(' and ')} again: ` +
      'this source was set on a page, and what env: and file: name is sent only to an address of the command line.',
  );
}

/** Hosts that the command line has named. */
export function privateHosts(settings: SettingValues): string[] {
  const { base_url, allow_hosts } = settings;
  const listed = Array.isArray(allow_hosts) ? allow_hosts.map((host) => String(host).replace(/:\d+$/, '')) : [];
  return [...(typeof base_url === 'string' ? [new URL(base_url).hostname] : []), ...listed];
}
