import { createPrivateKey, type KeyObject } from 'node:crypto';
import { isDay } from '../calendar.ts';
import { withoutTrailing } from '../trailing-characters.ts';
import type { SettingField, SettingValues } from './source.ts';

export type SettingValue = SettingValues[string];

/** How the text of a setting is read, and what is said where it cannot be. */
export const settingParsers: {
  readonly [T in SettingField['type']]: {
    readonly wanted: string;
    readonly read: (text: string) => SettingValue | undefined;
  };
} = {
  text: { wanted: 'a text', read: (text) => text },
  list: { wanted: 'a list such as one,two', read: listOf },
  date: { wanted: 'a date such as 2027-01-31', read: (text) => (isDay(text) ? text : undefined) },
  boolean: { wanted: 'true or false', read: booleanOf },
  'private-key': {
    wanted:
      'an RSA key without a passphrase, whole, from -----BEGIN RSA PRIVATE KEY----- to -----END RSA PRIVATE KEY-----',
    read: readPrivateKey,
  },
  integer: { wanted: 'a whole number', read: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined) },
  address: {
    wanted: 'an address such as https://code.acme.example/api/v3, without a user or a query',
    read: addressOf,
  },
};

function booleanOf(text: string): boolean | undefined {
  return /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
}

function listOf(text: string): readonly string[] | undefined {
  const items = text.split(',').map((item) => item.trim());
  return items.includes('') ? undefined : items;
}

function addressOf(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  const { username, password, search, hash } = url;
  return username + password + search + hash === '' ? withoutTrailing(url.href, '/') : undefined;
}

const pem = /^-----BEGIN ((?:RSA )?PRIVATE KEY)-----([A-Za-z0-9+/=\s]+)-----END \1-----$/;

/**
 * An RSA key in the form in which it can be read. Variables of the environment and files of settings often hold its line
 * breaks as `\n`, and a field of a form takes them out: both are put right. Undefined for everything else, such as a public
 * key, a key with a passphrase or one of another kind.
 */
function readPrivateKey(text: string): string | undefined {
  const [, label, body = ''] = pem.exec(text.replaceAll('\\r', '').replaceAll('\\n', '\n').trim()) ?? [];
  if (label === undefined) return undefined;
  const lines = body.replace(/\s/g, '').match(/.{1,64}/g) ?? [];
  const key = [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
  return isRsa(key) ? key : undefined;
}

function isRsa(text: string): boolean {
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    return false;
  }
  return key.asymmetricKeyType === 'rsa';
}
