import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { WebhookKind } from '../../src/sources/source.ts';
import { isPathName, isProven, objectsByEvent, webhookAddress } from '../../src/sources/webhooks.ts';

const body = Buffer.from('{"zen":"Keep it logically awesome."}');
const digestOf = (text: Buffer, secret: string) => createHmac('sha256', secret).update(text).digest('hex');
const kind = (proof: Pick<WebhookKind, 'signature' | 'token'>): WebhookKind => ({ ...proof, objectsOf: () => [] });

describe('a signature', () => {
  const signing = kind({ signature: { header: 'x-signature', prefix: 'v1=' } });
  const isGood = (signature: string | undefined, secret = 'hush') =>
    isProven(signing, { headers: { 'x-signature': signature }, body, token: secret }, secret);
  const good = `v1=${digestOf(body, 'hush')}`;

  test('A signature is good for the very bytes and the secret, in small letters or capitals', () => {
    expect(isGood(good)).toBe(true);
    expect(isGood(`v1=${digestOf(body, 'hush').toUpperCase()}`)).toBe(true);
  });

  test('A signature is good as one of several, while a secret is replaced', () => {
    expect(isGood(`v1=${digestOf(body, 'old')},${good}`)).toBe(true);
    expect(isGood(`${good}, v1=${digestOf(body, 'new')}`)).toBe(true);
    expect(isGood(`v1=${digestOf(body, 'old')},v1=${digestOf(body, 'new')}`)).toBe(false);
  });

  test('A signature is looked for among the first ten', () => {
    const others = Array.from({ length: 10 }, (_, i) => `v1=${digestOf(body, `other ${i}`)}`);
    expect(isGood([...others.slice(1), good].join(','))).toBe(true);
    expect(isGood([...others, good].join(','))).toBe(false);
  });

  test.each([
    ['another secret', `v1=${digestOf(body, 'loud')}`],
    ['another body', `v1=${digestOf(Buffer.from('{}'), 'hush')}`],
    ['another prefix', good.replace('v1=', 'v0=')],
    ['no prefix', good.replace('v1=', '')],
    ['a cut one', good.slice(0, -2)],
    ['a longer one', `${good}00`],
    ['none', ''],
    ['no header', undefined],
  ])('A signature is bad for %s', (_, signature) => {
    expect(isGood(signature)).toBe(false);
  });

  test('A signature is never good where there is no secret', () => {
    expect(isGood(`v1=${digestOf(body, '')}`, '')).toBe(false);
  });
});

describe('a token', () => {
  const inHeader = kind({ token: { header: 'x-token' } });
  const inAddress = kind({ token: 'in the address' });
  const withHeader = (token?: string) => ({ headers: { 'x-token': token }, body });

  test('A token is good as a whole and at its place only', () => {
    expect(isProven(inHeader, withHeader('hush'), 'hush')).toBe(true);
    expect(isProven(inAddress, { headers: {}, body, token: 'hush' }, 'hush')).toBe(true);
    expect(isProven(inHeader, { headers: {}, body, token: 'hush' }, 'hush')).toBe(false);
    expect(isProven(inAddress, withHeader('hush'), 'hush')).toBe(false);
  });

  test.each(['', 'hus', 'hushh', 'HUSH', undefined])('A token is bad where it is %s', (token) => {
    expect(isProven(inHeader, withHeader(token), 'hush')).toBe(false);
    expect(isProven(inAddress, { headers: {}, body, token }, 'hush')).toBe(false);
  });

  test('A token is never good where there is no secret', () => {
    expect(isProven(inHeader, withHeader(''), '')).toBe(false);
  });

  test('A token is in the printed address only where providers have no other place for it', () => {
    const url = 'https://plumb.example/webhooks/jenkins/1';
    expect(webhookAddress(inAddress, { url, secret: 'a/b' })).toBe(`${url}?token=a%2Fb`);
    expect(webhookAddress(inAddress, { url })).toBe(url);
    expect(webhookAddress(inHeader, { url, secret: 'a/b' })).toBe(url);
  });
});

test('A provider that signs and takes a token in the address may prove a call by either', () => {
  const both = kind({ signature: { header: 'x-signature', prefix: 'sha256=' }, token: 'in the address' });
  const signed = { 'x-signature': `sha256=${digestOf(body, 'hush')}` };
  expect(isProven(both, { headers: signed, body }, 'hush')).toBe(true);
  expect(isProven(both, { headers: {}, body, token: 'hush' }, 'hush')).toBe(true);
  expect(isProven(both, { headers: signed, body: Buffer.from('{}'), token: 'loud' }, 'hush')).toBe(false);
});

test('A delivery that is not as it is published is about nothing', () => {
  const objectsOf = objectsByEvent({
    build: (payload) => ({ id: payload.id('build'), kind: 'build', scope: '', reference: null }),
  });
  expect(objectsOf('build', { build: 7 })).toHaveLength(1);
  for (const payload of [{}, { build: {} }, null, [], 'text']) expect(objectsOf('build', payload)).toEqual([]);
  for (const event of ['other', '__proto__', 'constructor', '']) expect(objectsOf(event, { build: 7 })).toEqual([]);
});

test('A name that leads elsewhere is no part of an address', () => {
  expect(['web', 'web.js', '-', '...'].map(isPathName)).toEqual([true, true, true, true]);
  expect(['', '.', '..', 'a/b', 'a b', 'a?b', 'a%2fb'].some(isPathName)).toBe(false);
});
