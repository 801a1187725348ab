import { isIP } from 'node:net';
import { minMemory, readMemory } from './admission/memory-division.ts';
import { didYouMean } from './nearest.ts';

export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** A value that does not fit; the message goes behind the variable's name. */
export class UnfitSetting extends Error {}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\s*\d+\s*$/.test(text) && value >= min && value <= max) return value;
    throw new UnfitSetting(`must be a whole number from ${min} to ${max}, not '${text}'`);
  };
}

export function host(text: string): string {
  const name = text.trim();
  if (isIP(name) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name)) return name;
  throw new UnfitSetting(`must be an address or a host name, such as 0.0.0.0 or localhost, not '${text}'`);
}

export function hosts(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().replace(/^\[(.*)\]$/, '$1'));
  const isHost = (name: string) => isIP(name) !== 0 || /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/i.test(name);
  if (names.every(isHost)) return names;
  throw new UnfitSetting(
    `must be host names or addresses without ports, such as code.acme.example,10.0.0.7, not '${text}'`,
  );
}

export function names(text: string): readonly string[] {
  const all = text.split(',').map((name) => name.trim());
  if (all.every((name) => name !== '')) return all;
  throw new UnfitSetting(`must be names or identifiers of organisations, such as Acme,Initech, not '${text}'`);
}

/** Over plain http anybody on the way could say who signs in. */
export function issuer(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isHere = url?.protocol === 'http:' && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  if (url && (url.protocol === 'https:' || isHere)) return text.trim();
  throw new UnfitSetting(`must be an https address such as https://login.acme.example, not '${text}'`);
}

export function memory(text: string): number {
  const bytes = readMemory(text);
  if (bytes === undefined) throw new UnfitSetting(`must be an amount such as 512MB or 4GB, not '${text}'`);
  if (bytes >= minMemory) return bytes;
  throw new UnfitSetting(`must be at least ${minMemory / 1e6}MB for the whole process to work in, not '${text}'`);
}

export function logLevel(text: string): LogLevel {
  const level = logLevels.find((known) => known === text.trim().toLowerCase());
  if (level) return level;
  const hint = didYouMean(text, logLevels);
  throw new UnfitSetting(`must be one of ${logLevels.join(', ')}, not '${text}'${hint && `.${hint}`}`);
}

/** The message must not repeat the address: it may hold a password. */
export function databaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^postgres(ql)?:$/.test(url.protocol)) return text;
  throw new UnfitSetting('must be a PostgreSQL address such as postgresql://user:password@host:5432/plumb');
}

export function httpUrl(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (url && /^https?:$/.test(url.protocol)) return text.trim();
  throw new UnfitSetting('must be an http or https address such as http://user:password@host:8123/plumb');
}

/** The server that mails are handed to, in its parts. The message must not repeat the address: it may hold a password. */
export function mailServer(text: string) {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isSecure = url?.protocol === 'smtps:';
  const isBare = url !== undefined && /^\/?$/.test(url.pathname) && url.search + url.hash === '';
  if (!url || !isBare || url.hostname === '' || !(isSecure || url.protocol === 'smtp:')) {
    throw new UnfitSetting(
      'must be an address such as smtps://user:password@smtp.acme.example:465, or smtp://… for STARTTLS',
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    ...(url.username === ''
      ? {}
      : { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }),
  };
}

/** `Plumb <plumb@acme.example>`, or the address alone. */
export function mailSender(text: string): { readonly name: string; readonly address: string } {
  const [, name = '', inBrackets] = /^([^<>\p{Cc}]*)<([^<>]*)>$/u.exec(text.trim()) ?? [];
  const address = (inBrackets ?? text).trim();
  if (/^[^\s@<>()[\],;:\\"\p{Cc}]+@[^\s@<>()[\],;:\\"\p{Cc}]+$/u.test(address) && address.length <= 254) {
    return { name: name.trim().replace(/^"(.*)"$/, '$1'), address };
  }
  throw new UnfitSetting(`must be an email address, such as Plumb <plumb@acme.example>, not '${text}'`);
}

/** Kept without the slash at its end, so that paths can follow it. */
export function publicUrl(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  const isOrigin = url?.pathname === '/' && url.search + url.hash + url.username + url.password === '';
  if (url && isOrigin && /^https?:$/.test(url.protocol)) return url.origin;
  throw new UnfitSetting(
    `must be an address without a path, such as https://plumb.acme.example, not '${text.replace(/\/\/[^/]*@/, '//…@')}'`,
  );
}

/** The address as browsers send it: without a path, and without the default port. */
export function origins(text: string): readonly string[] {
  const all = text.split(',').map((one) => one.trim());
  const isOrigin = (one: string) =>
    URL.canParse(one) && /^https?:$/.test(new URL(one).protocol) && `${new URL(one).origin}` === one.replace(/\/$/, '');
  if (all.every(isOrigin)) return all.map((one) => new URL(one).origin);
  throw new UnfitSetting(
    `must be origins without a path, such as https://grafana.acme.example,http://localhost:3000, not '${text}'`,
  );
}

export function proxies(text: string): boolean | readonly string[] {
  const word = text.trim().toLowerCase();
  if (word === 'true') return true;
  if (word === 'false') return false;
  const addresses = word.split(',').map((address) => address.trim());
  const isAddress = (address: string) => isIP(address.replace(/\/\d{1,3}$/, '')) !== 0;
  if (addresses.every(isAddress)) return addresses;
  throw new UnfitSetting(`must be true, false, or addresses such as 10.0.0.1,10.1.0.0/16, not '${text}'`);
}
