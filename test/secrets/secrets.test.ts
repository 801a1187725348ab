import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type SecretSettings, Secrets } from '../../src/secrets/secrets.ts';
import { freshFolder } from '../conformance/stores.ts';

const folders: ReturnType<typeof freshFolder>[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) folder.remove();
});
function somewhere(): string {
  const folder = freshFolder();
  folders.push(folder);
  return folder.path;
}
const secretsIn = (folder: string, more: Omit<SecretSettings, 'folder'> = {}) => new Secrets({ folder, ...more });

test('What was encrypted is decrypted in its own context, and in no other', async () => {
  const secrets = secretsIn(somewhere(), { secret: 'word' });
  const encrypted = await secrets.encrypt('ghp_tök€n', 'sources/1');
  expect(encrypted).not.toContain('ghp');
  expect(await secrets.decrypt(encrypted, 'sources/1', 'The secrets')).toBe('ghp_tök€n');
  await expect(secrets.decrypt(encrypted, 'sources/2', 'The secrets')).rejects.toThrow(/are damaged/);
});

test('The same text is never encrypted to the same twice', async () => {
  const secrets = secretsIn(somewhere(), { secret: 'word' });
  expect(await secrets.encrypt('x', 'c')).not.toBe(await secrets.encrypt('x', 'c'));
});

test('A changed byte is noticed', async () => {
  const secrets = secretsIn(somewhere(), { secret: 'word' });
  const encrypted = await secrets.encrypt('a token', 'c');
  const changed = `${encrypted.slice(0, -2)}${encrypted.endsWith('A', encrypted.length - 1) ? 'B' : 'A'}${encrypted.slice(-1)}`;
  await expect(secrets.decrypt(changed, 'c', 'The secrets')).rejects.toThrow(/are damaged/);
  for (const cut of ['', 'v1', encrypted.split('.').slice(0, 2).join('.')]) {
    await expect(secrets.decrypt(cut, 'c', 'The secrets')).rejects.toMatchObject({ reason: 'conflict' });
  }
});

test('Another PLUMB_SECRET is recognised, named and told what to do about, without the secret', async () => {
  const folder = somewhere();
  const encrypted = await secretsIn(folder, { secret: 'first word' }).encrypt('token', 'c');
  const other = secretsIn(folder, { secret: 'second word' });
  expect(await other.isReadable(encrypted)).toBe(false);
  const refusal = await other.decrypt(encrypted, 'c', "The secrets of source 'Code'").catch((error: Error) => error);
  expect(refusal).toMatchObject({ name: 'Refusal', reason: 'conflict' });
  expect(String(refusal)).toMatch(
    /source 'Code' were encrypted with another PLUMB_SECRET.*PLUMB_SECRET_OLD.*source set/,
  );
  expect(String(refusal)).not.toMatch(/word|token/);
  const meanwhile = secretsIn(folder, { secret: 'second word', secretOld: 'first word' });
  expect(await meanwhile.decrypt(encrypted, 'c', '')).toBe('token');
  expect(await meanwhile.isCurrent(encrypted)).toBe(false);
  expect(await meanwhile.isCurrent(await meanwhile.encrypt('token', 'c'))).toBe(true);
});

test('Without PLUMB_SECRET one is made when it is first needed, and only the owner can read it', async () => {
  const folder = somewhere();
  const secrets = secretsIn(folder);
  expect(await secrets.isReadable('v1.0123.AAAA')).toBe(false);
  expect(() => statSync(join(folder, 'secret'))).toThrow(/ENOENT/);
  const encrypted = await secrets.encrypt('token', 'c');
  expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
  expect(await secretsIn(folder).decrypt(encrypted, 'c', '')).toBe('token');
  expect(await secretsIn(folder, { secret: 'word' }).decrypt(encrypted, 'c', '')).toBe('token');
});

test('An empty secret file is told, not replaced', async () => {
  const folder = somewhere();
  writeFileSync(join(folder, 'secret'), '\n');
  await expect(secretsIn(folder).encrypt('token', 'c')).rejects.toThrow(/is empty\. Put the secret back/);
  expect(readFileSync(join(folder, 'secret'), 'utf8')).toBe('\n');
});

test('A rotation of the secret in the folder that is broken off leaves everything readable, and can be repeated', async () => {
  const folder = somewhere();
  const before = await secretsIn(folder).encrypt('token', 'c');
  let rotated = '';
  const killed = secretsIn(folder).rotate(async (reencrypt) => {
    rotated = reencrypt('token', 'c');
    throw new Error('killed');
  });
  await expect(killed).rejects.toThrow('killed');
  for (const encrypted of [before, rotated]) expect(await secretsIn(folder).decrypt(encrypted, 'c', '')).toBe('token');
  const secrets = secretsIn(folder);
  const kept = await secrets.rotate(async (reencrypt) => reencrypt('token', 'c'));
  expect(await secrets.isCurrent(kept)).toBe(true);
  expect(await secrets.isReadable(before)).toBe(false);
  expect(() => statSync(join(folder, 'secret.next'))).toThrow(/ENOENT/);
});
