import { expect, test } from 'vitest';
import { apiKeyKind, hashOf, hintOf, isWellFormed, makeSecret, signInKind } from '../../src/access/secret-token.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

test('A key is its prefix and 39 letters and digits, enough for 192 bits and a checksum', () => {
  expect(62 ** 33).toBeGreaterThan(2 ** 192);
  for (let i = 0; i < 200; i += 1) {
    const key = makeSecret(apiKeyKind);
    expect(key).toMatch(/^plumb_[0-9A-Za-z]{39}$/);
    expect(isWellFormed(apiKeyKind, key)).toBe(true);
  }
});

test('Keys differ everywhere: no position is always the same', () => {
  const keys = Array.from({ length: 500 }, () => makeSecret(apiKeyKind));
  expect(new Set(keys).size).toBe(500);
  // The first digit of 192 bits is small, every other one takes any value.
  for (let at = apiKeyKind.prefix.length + 1; at < 45; at += 1) {
    expect(new Set(keys.map((key) => key[at])).size).toBeGreaterThan(at === 39 ? 3 : 40);
  }
});

test('One mistyped character is always noticed', () => {
  const key = makeSecret(apiKeyKind);
  for (let at = 0; at < key.length; at += 1) {
    for (const letter of `${alphabet}_ -é`) {
      if (letter === key[at]) continue;
      expect(isWellFormed(apiKeyKind, `${key.slice(0, at)}${letter}${key.slice(at + 1)}`)).toBe(false);
    }
  }
});

test('Two characters in the wrong order, a missing one and a further one are always noticed', () => {
  for (let i = 0; i < 20; i += 1) {
    const key = makeSecret(apiKeyKind);
    for (let at = 0; at < key.length - 1; at += 1) {
      const swapped = `${key.slice(0, at)}${key[at + 1]}${key[at]}${key.slice(at + 2)}`;
      if (swapped !== key) expect(isWellFormed(apiKeyKind, swapped)).toBe(false);
      expect(isWellFormed(apiKeyKind, key.slice(0, at) + key.slice(at + 1))).toBe(false);
      expect(isWellFormed(apiKeyKind, `${key.slice(0, at)}0${key.slice(at)}`)).toBe(false);
    }
  }
});

test('A secret of one kind is none of the other', () => {
  const [key, signIn] = [makeSecret(apiKeyKind), makeSecret(signInKind)];
  expect(isWellFormed(signInKind, key)).toBe(false);
  expect(isWellFormed(apiKeyKind, signIn)).toBe(false);
  expect(isWellFormed(apiKeyKind, signIn.replace(signInKind.prefix, apiKeyKind.prefix))).toBe(false);
});

test('What is kept of a key does not give it away', () => {
  const key = makeSecret(apiKeyKind);
  expect(hashOf(key)).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOf(key)).toBe(hashOf(key));
  expect(key.endsWith(hintOf(key))).toBe(true);
  expect(hintOf(key)).toHaveLength(4);
});
