import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readSettings, settingMeanings } from '../src/config.ts';
import { freshFolder } from './conformance/stores.ts';

const folder = freshFolder();
afterAll(() => folder.remove());

let files = 0;
function fileWith(text: string): string {
  files += 1;
  const path = join(folder.path, `f${files}`);
  writeFileSync(path, text);
  return path;
}
const refusalOf = (environment: Record<string, string>): string => {
  try {
    readSettings(environment);
  } catch (error) {
    expect(error).toMatchObject({ name: 'Refusal', reason: 'bad-input' });
    return String((error as Error).message);
  }
  throw new Error('it was accepted');
};

test('Without any setting, everything has a value that works', () => {
  expect(readSettings({ PATH: '/bin', HOME: '/root' })).toMatchObject({
    folder: resolve('data'),
    host: '127.0.0.1',
    port: 4400,
    adminPort: undefined,
    adminHost: '127.0.0.1',
    databaseUrl: undefined,
    tablesUrl: undefined,
    rateLimit: 6_000,
    logLevel: 'info',
    trustProxy: false,
  });
});

const url = 'postgresql://plumb:s3cret@db:5432/plumb';
const cases: readonly [name: string, text: string, field: string, value: unknown][] = [
  ['PLUMB_DATA', '/var/lib/plumb', 'folder', '/var/lib/plumb'],
  ['PLUMB_HOST', '0.0.0.0', 'host', '0.0.0.0'],
  ['PLUMB_HOST', '::1', 'host', '::1'],
  ['PLUMB_PORT', '0', 'port', 0],
  ['PLUMB_PORT', '65535', 'port', 65_535],
  ['PLUMB_ADMIN_PORT', '9000', 'adminPort', 9_000],
  ['PLUMB_ADMIN_HOST', '0.0.0.0', 'adminHost', '0.0.0.0'],
  ['DATABASE_URL', url, 'databaseUrl', url],
  ['DATABASE_URL', 'postgres://db/plumb', 'databaseUrl', 'postgres://db/plumb'],
  ['CLICKHOUSE_URL', 'https://plumb:s3cret@ch:8443/plumb', 'tablesUrl', 'https://plumb:s3cret@ch:8443/plumb'],
  ['PLUMB_RATE_LIMIT', '0', 'rateLimit', 0],
  ['PLUMB_QUERY_SECONDS', '5', 'querySeconds', 5],
  ['PLUMB_MEMORY', '512MB', 'memory', 512e6],
  ['PLUMB_MEMORY', '4 GiB', 'memory', 4 * 2 ** 30],
  ['PLUMB_THREADS', '2', 'threads', 2],
  ['PLUMB_LOG', 'DEBUG', 'logLevel', 'debug'],
  ['PLUMB_TRUST_PROXY', 'true', 'trustProxy', true],
  ['PLUMB_PUBLIC_URL', 'https://Plumb.acme.example:443/', 'publicUrl', 'https://plumb.acme.example'],
  ['PLUMB_PUBLIC_URL', 'http://localhost:4400', 'publicUrl', 'http://localhost:4400'],
  ['PLUMB_OIDC_ISSUER', 'https://login.acme.example/a', 'openid.issuer', 'https://login.acme.example/a'],
  ['PLUMB_OIDC_ISSUER', 'http://127.0.0.1:9000', 'openid.issuer', 'http://127.0.0.1:9000'],
  ['PLUMB_OIDC_CLIENT_ID', 'plumb', 'openid.clientId', 'plumb'],
  ['PLUMB_OIDC_CLIENT_SECRET', 's3cret', 'openid.clientSecret', 's3cret'],
  ['PLUMB_OIDC_ORGANISATIONS', 'Acme, Initech', 'openid.organisations', ['Acme', 'Initech']],
  ['PLUMB_OIDC_NAME', 'Acme login', 'openid.name', 'Acme login'],
  [
    'PLUMB_SMTP_URL',
    'smtps://plumb%40acme.example:p%3Aw@smtp.acme.example',
    'mailServer',
    { host: 'smtp.acme.example', port: 465, isSecure: true, user: 'plumb@acme.example', password: 'p:w' },
  ],
  ['PLUMB_SMTP_URL', 'smtp://[::1]:2525/', 'mailServer', { host: '::1', port: 2525, isSecure: false }],
  ['PLUMB_SMTP_FROM', '"Plumb" <plumb@acme.example>', 'mailSender', { name: 'Plumb', address: 'plumb@acme.example' }],
  ['PLUMB_SMTP_FROM', 'plumb@acme.example', 'mailSender', { name: '', address: 'plumb@acme.example' }],
  ['PLUMB_SECRET', 'a long word', 'secret', 'a long word'],
  ['PLUMB_SECRET_OLD', 'another word', 'secretOld', 'another word'],
  [
    'PLUMB_CORS_ORIGINS',
    'https://a.example, http://localhost:3000/',
    'corsOrigins',
    ['https://a.example', 'http://localhost:3000'],
  ],
  ['PLUMB_SOURCE_HOSTS', 'code.acme.example, [::1]', 'sourceHosts', ['code.acme.example', '::1']],
  ['PLUMB_TRUST_PROXY', '10.0.0.1, 10.1.0.0/16', 'trustProxy', ['10.0.0.1', '10.1.0.0/16']],
];

/** One setting of a provider needs the others, and tables elsewhere need a store elsewhere. */
const besides = (name: string): Record<string, string> => {
  if (name === 'CLICKHOUSE_URL') return { DATABASE_URL: url };
  if (name.startsWith('PLUMB_SMTP_')) {
    const { [name]: _, ...others }: Record<string, string> = {
      PLUMB_SMTP_URL: 'smtp://localhost',
      PLUMB_SMTP_FROM: 'plumb@acme.example',
      PLUMB_PUBLIC_URL: 'https://plumb.acme.example',
    };
    return others;
  }
  if (!name.startsWith('PLUMB_OIDC_')) return {};
  const { [name]: _, ...others }: Record<string, string> = {
    PLUMB_OIDC_ISSUER: 'https://login.acme.example',
    PLUMB_OIDC_CLIENT_ID: 'plumb',
    PLUMB_OIDC_ORGANISATIONS: 'Acme',
  };
  return others;
};

describe.each(cases)('%s=%s', (name, text, field, value) => {
  test('A setting is read from the environment', () => {
    expect(readSettings({ ...besides(name), [name]: text })).toHaveProperty(field, value);
  });
  test('A setting is read from the file that its _FILE form names', () => {
    expect(readSettings({ ...besides(name), [`${name}_FILE`]: fileWith(`${text}\n`) })).toHaveProperty(field, value);
  });
});

test('Every setting that has a meaning is covered here', () => {
  const covered = new Set(cases.map(([name]) => name));
  expect(settingMeanings.map(([name]) => name).filter((name) => !covered.has(name))).toEqual([]);
});

test.each([
  ['PLUMB_PORT', '70000', /PLUMB_PORT must be a whole number from 0 to 65535, not '70000'/],
  ['PLUMB_PORT', '80.5', /PLUMB_PORT must be a whole number/],
  ['PLUMB_PORT', '-1', /PLUMB_PORT must be a whole number/],
  ['PLUMB_PORT', '1e3', /PLUMB_PORT must be a whole number/],
  ['PLUMB_HOST', 'http://x', /PLUMB_HOST must be an address or a host name/],
  ['PLUMB_LOG', 'loud', /PLUMB_LOG must be one of fatal, error, warn/],
  ['PLUMB_TRUST_PROXY', 'yes', /PLUMB_TRUST_PROXY must be true, false, or addresses/],
  ['PLUMB_RATE_LIMIT', 'none', /PLUMB_RATE_LIMIT must be a whole number/],
  ['PLUMB_MEMORY', 'lots', /PLUMB_MEMORY must be an amount such as/],
  ['PLUMB_MEMORY', '1.5GB', /PLUMB_MEMORY must be an amount such as/],
  ['PLUMB_MEMORY', '511MB', /PLUMB_MEMORY must be at least 512MB for the whole process to work in, not '511MB'/],
  ['PLUMB_CORS_ORIGINS', '*', /PLUMB_CORS_ORIGINS must be origins without a path/],
  ['PLUMB_CORS_ORIGINS', 'https://a.example/path', /PLUMB_CORS_ORIGINS must be origins without a path/],
  ['PLUMB_CORS_ORIGINS', 'a.example', /PLUMB_CORS_ORIGINS must be origins without a path/],
  ['PLUMB_SOURCE_HOSTS', 'code.acme.example:8443', /PLUMB_SOURCE_HOSTS must be host names or addresses without ports/],
  ['PLUMB_SOURCE_HOSTS', 'https://code.acme.example', /PLUMB_SOURCE_HOSTS must be host names or addresses without/],
  ['PLUMB_THREADS', '0', /PLUMB_THREADS must be a whole number/],
  ['DATABASE_URL', 'mysql://db/x', /DATABASE_URL must be a PostgreSQL address/],
  ['CLICKHOUSE_URL', 'http://ch', /CLICKHOUSE_URL is set, but tables there also need DATABASE_URL/],
  ['CLICKHOUSE_URL', 'tcp://ch:9000', /CLICKHOUSE_URL must be an http or https address/],
  ['PLUMB_OIDC_ISSUER', 'x', /PLUMB_OIDC_ISSUER must be an https address/],
  ['PLUMB_OIDC_ISSUER', 'http://login.acme.example', /PLUMB_OIDC_ISSUER must be an https address/],
  [
    'PLUMB_OIDC_ISSUER',
    'https://login.acme.example',
    /PLUMB_OIDC_ISSUER is set, but .* also needs PLUMB_OIDC_CLIENT_ID and PLUMB_OIDC_ORGANISATIONS/,
  ],
  ['PLUMB_SMTP_URL', 'https://smtp.acme.example', /PLUMB_SMTP_URL must be an address such as smtps:/],
  ['PLUMB_SMTP_URL', 'smtps://smtp.acme.example/inbox', /PLUMB_SMTP_URL must be an address such as smtps:/],
  ['PLUMB_SMTP_FROM', 'Plumb', /PLUMB_SMTP_FROM must be an email address/],
  ['PLUMB_SMTP_FROM', 'A <a@x.org>\nBcc: b@x.org', /PLUMB_SMTP_FROM must be an email address/],
  [
    'PLUMB_SMTP_URL',
    'smtps://smtp.acme.example',
    /PLUMB_SMTP_URL is set, but sending email also needs PLUMB_SMTP_FROM and PLUMB_PUBLIC_URL/,
  ],
  [
    'PLUMB_SMTP_FROM',
    'plumb@acme.example',
    /PLUMB_SMTP_FROM is set, but sending email also needs PLUMB_SMTP_URL and PLUMB_PUBLIC_URL/,
  ],
  ['PLUMB_OIDC_ORGANISATIONS', 'Acme,', /PLUMB_OIDC_ORGANISATIONS must be names/],
  ['PLUMB_PUBLIC_URL', 'plumb.acme.example', /PLUMB_PUBLIC_URL must be an address without a path/],
  ['PLUMB_PUBLIC_URL', 'https://plumb.acme.example/metrics', /PLUMB_PUBLIC_URL must be an address without a path/],
  ['PLUMB_PUBLIC_URL', 'ftp://plumb.acme.example', /PLUMB_PUBLIC_URL must be an address without a path/],
])('%s=%s is refused in words', (name, text, message) => {
  expect(refusalOf({ [name]: text })).toMatch(message);
});

test('All problems come in one message', () => {
  const message = refusalOf({ PLUMB_PORT: 'x', PLUMB_LOG: 'y', PLUMB_HOTS: 'z', DATABASE_URL: 'w' });
  expect(message.split('\n').slice(1)).toEqual([
    expect.stringContaining('PLUMB_PORT'),
    expect.stringContaining('DATABASE_URL'),
    expect.stringContaining('PLUMB_LOG'),
    expect.stringContaining('PLUMB_HOTS'),
  ]);
});

test('A misspelt setting is named with what was probably meant', () => {
  expect(refusalOf({ PLUMB_PROT: '1' })).toMatch(/PLUMB_PROT is not a setting\. Did you mean 'PLUMB_PORT'/);
  expect(refusalOf({ PLUMB_HOTS_FILE: '/x' })).toMatch(/Did you mean 'PLUMB_HOST'/);
});

test('An empty setting is one that is not given', () => {
  expect(readSettings({ PLUMB_PORT: '', PLUMB_LOG_FILE: '', PLUMB_TYPO: '' })).toMatchObject({
    port: 4400,
    logLevel: 'info',
  });
});

test('A setting given twice, or by a file that cannot be read, is refused', () => {
  expect(refusalOf({ PLUMB_PORT: '1', PLUMB_PORT_FILE: fileWith('2') })).toMatch(/PLUMB_PORT is given twice/);
  expect(refusalOf({ PLUMB_PORT_FILE: '/does/not/exist' })).toMatch(
    /PLUMB_PORT cannot be read from PLUMB_PORT_FILE=\/does\/not\/exist/,
  );
});

test('Both servers cannot have the same port, unless each takes a free one', () => {
  expect(refusalOf({ PLUMB_ADMIN_PORT: '4400' })).toMatch(/PLUMB_ADMIN_PORT must differ from PLUMB_PORT/);
  expect(readSettings({ PLUMB_PORT: '0', PLUMB_ADMIN_PORT: '0' })).toMatchObject({ port: 0, adminPort: 0 });
});

test.each(['mysql://plumb:s3cret@db/x', 'postgresql//plumb:s3cret@db', 'plumb:s3cret'])(
  'No message repeats a password: %s',
  (text) => {
    expect(refusalOf({ DATABASE_URL: text })).not.toContain('s3cret');
    expect(refusalOf({ DATABASE_URL_FILE: fileWith(text) })).not.toContain('s3cret');
  },
);
