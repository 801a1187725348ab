import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { github as githubKind } from '../../src/sources/github/github.ts';
import {
  refuseBadSettings,
  repositoryByName,
  type SettingsOrigin,
  settingFields,
  settingValues,
} from '../../src/sources/source-settings.ts';
import { toyKind } from '../configured-sources/toy-kind.ts';
import { freshFolder } from '../conformance/stores.ts';

const folder = freshFolder();
afterAll(() => folder.remove());

const refusalOf = (texts: Record<string, string>, origin: SettingsOrigin = 'command'): string => {
  try {
    refuseBadSettings(toyKind, texts, { origin });
  } catch (error) {
    expect(error).toMatchObject({ name: 'Refusal', reason: 'bad-input' });
    return (error as Error).message;
  }
  throw new Error('they were accepted');
};
const valuesOf = (texts: Record<string, string>, environment: Record<string, string> = {}) =>
  settingValues(settingFields(toyKind), texts, environment);

test('All problems come in one message, each with what would be right, and no secret in it', () => {
  const message = refusalOf({
    tokn: 'ghp_secret',
    repositories: 'a/b,,c/d',
    since: '2027-02-31',
    forks: 'constructor',
    keep_free: '-1',
    base_url: 'https://user:pass@toy.example',
  });
  expect(message.split('\n').slice(1)).toEqual([
    expect.stringMatching(/tokn is not a setting\. Did you mean 'token'\? Settings: base_url, token/),
    expect.stringMatching(/base_url must be an address such as/),
    expect.stringMatching(/token is missing: access token/),
    expect.stringMatching(/repositories must be a list such as one,two, not 'a\/b,,c\/d'/),
    expect.stringMatching(/since must be a date such as 2027-01-31, not '2027-02-31'/),
    expect.stringMatching(/forks must be true or false, not 'constructor'/),
    expect.stringMatching(/keep_free must be a whole number, not '-1'/),
  ]);
  expect(message).not.toContain('ghp_secret');
});

test.each(['ftp://toy.example', 'toy.example', 'https://toy.example/?q=1', 'https://toy.example/#x'])(
  'base_url=%s is refused',
  (address) => {
    expect(refusalOf({ token: 't', base_url: address })).toMatch(/base_url must be an address/);
  },
);

test.each([`a*b*.files.example`, `${'x'.repeat(260)}.example`])('%s is no host that links may lead to', (host) => {
  const refuse = () =>
    refuseBadSettings(githubKind, { token: 't', allow_hosts: `*.files-*.example:8443,${host}` }, { origin: 'command' });
  expect(refuse).toThrow(
    `allow_hosts must be hosts of at most 253 characters, with one * between two dots at most, not '${host.slice(0, 100)}'`,
  );
});

describe('which repository something belongs to', () => {
  const field = {
    name: 'service_repositories',
    label: 'x',
    meaning: 'x',
    type: 'list',
    isRepositoryMap: true,
  } as const;
  const read = (text: string) => settingValues([field], { service_repositories: text }, {}).service_repositories;

  test('Which repository something belongs to is found by name, without regard to case, in groups and behind an equals sign too', () => {
    const repositoryOf = repositoryByName(read('Check out = acme/web , a=b=acme/shop/api'));
    expect(['check OUT ', 'a=b', 'a', null].map(repositoryOf)).toEqual(['acme/web', 'acme/shop/api', null, null]);
    expect(repositoryByName(undefined)('check out')).toBeNull();
  });

  test.each(['acme/web', '=acme/web', 'a=', 'a=web', 'a=acme/', 'a=acme/we b'])(
    'Which repository something belongs to is not said by %s',
    (text) => {
      expect(() => read(`ok=acme/web,${text}`)).toThrow(
        `must say each as Name=owner/name, such as Checkout=acme/web, not '${text}'`,
      );
    },
  );
});

test('A whole number beyond what is allowed is refused with how much that is', () => {
  expect(refusalOf({ token: 't', keep_free: '91' })).toMatch(/keep_free must be a whole number up to 90, not '91'/);
  expect(valuesOf({ token: 't', keep_free: '90' })).toMatchObject({ keep_free: 90 });
});

test('Texts become values of their types, and usual values fill the gaps', () => {
  expect(
    valuesOf({
      token: ' t ',
      base_url: 'https://code.acme.example/api/v3/',
      repositories: 'a/b, c/d',
      since: '2027-01-31',
      forks: 'TRUE',
    }),
  ).toEqual({
    base_url: 'https://code.acme.example/api/v3',
    token: 't',
    repositories: ['a/b', 'c/d'],
    since: '2027-01-31',
    forks: true,
    keep_free: 20,
  });
});

describe('a reference', () => {
  test('A reference is followed at each use, to the environment or to a file', () => {
    const path = join(folder.path, 'token');
    writeFileSync(path, 'first\n');
    expect(valuesOf({ token: `file:${path}` })).toMatchObject({ token: 'first' });
    writeFileSync(path, 'second\n');
    expect(valuesOf({ token: `file:${path}` })).toMatchObject({ token: 'second' });
    expect(valuesOf({ token: 'env:TOY_TOKEN' }, { TOY_TOKEN: 'third' })).toMatchObject({ token: 'third' });
  });

  test('A reference that leads nowhere says what to do', () => {
    expect(() => valuesOf({ token: 'env:TOY_TOKEN' })).toThrow(/environment of this server has no TOY_TOKEN/);
    expect(() => valuesOf({ token: `file:${folder.path}/none` })).toThrow(/none cannot be read \(ENOENT\)/);
    writeFileSync(join(folder.path, 'large'), 'x'.repeat(70_000));
    expect(() => valuesOf({ token: `file:${folder.path}/large` })).toThrow(/too large for a setting/);
  });

  test.each([
    'env:PLUMB_SECRET',
    'env:plumb_secret',
    'env:DATABASE_URL',
    'env:DATABASE_URL_FILE',
    'env:CLICKHOUSE_URL',
    'env:',
    'env:A B',
    'file:x',
  ])('%s is never accepted nor followed', (reference) => {
    expect(refusalOf({ token: reference })).toMatch(/token must/);
    const environment = {
      PLUMB_SECRET: 'x',
      plumb_secret: 'x',
      DATABASE_URL: 'x',
      DATABASE_URL_FILE: 'x',
      CLICKHOUSE_URL: 'x',
    };
    expect(() => valuesOf({ token: reference }, environment)).toThrow(/A setting must/);
  });

  test.each(['env:TOY_TOKEN', 'file:/etc/passwd'])('%s is refused from the API', (reference) => {
    expect(refusalOf({ token: reference }, 'api')).toMatch(/Token must be the value itself/);
    expect(refusalOf({ token: 't', repositories: reference }, 'api')).toMatch(/Repositories must be the value itself/);
  });
});
