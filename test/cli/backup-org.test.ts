import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callServer } from '../setup/called-server.ts';
import { isLong } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-backup-org-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const place = (name: string) => join(folder, name);

const create = async (data: string, name: string): Promise<string> => {
  const args = ['org', 'create', '--name', name, '--owner-email', `owner@${name.toLowerCase()}.example`, '--json'];
  return (await callPlumb(data, args)).json<{ id: string }>().id;
};
const namesIn = async (data: string): Promise<string[]> => {
  const listed = (await callPlumb(data, ['org', 'list', '--json'])).json<{ name: string }[]>();
  return listed.map(({ name }) => name);
};

test('One organisation moves from one instance to another, with and without a server', async () => {
  const [from, to] = [place('from'), place('to')];
  await copyAcme(from);
  const server = await callServer(from);
  await create(from, 'Globex');
  const served = await callPlumb(from, ['backup', '--org', 'Acme', place('served.backup'), '--json']);
  expect([served.code, served.stderr]).toEqual([0, '']);
  const unknown = await callPlumb(from, ['backup', '--org', 'Acne', place('unknown.backup')]);
  expect(unknown.code).not.toBe(0);
  expect(unknown.stderr).toContain("There is no organisation 'Acne'. Did you mean 'Acme'?");
  expect(existsSync(place('unknown.backup'))).toBe(false);
  await server.stop();
  const alone = await callPlumb(from, ['backup', '--org', 'acme', place('alone.backup'), '--json']);
  expect([alone.code, alone.stderr]).toEqual([0, '']);

  await create(to, 'Initech');
  const restored = await callPlumb(to, ['restore', place('served.backup'), '--json']);
  expect([restored.code, restored.stderr]).toEqual([0, '']);
  expect(await namesIn(to)).toEqual(['Acme', 'Initech']);
  // What comes of a restore is verified in safety/one-organisation.test.ts.
  if (isLong) expect((await callPlumb(to, ['verify', '--json'])).json()).toMatchObject({ ok: true, findings: [] });
  const again = await callPlumb(to, ['restore', place('alone.backup')]);
  expect(again.code).not.toBe(0);
  expect(again.stderr).toMatch(/Organisation [0-9a-f-]{36} is here already\./);
});
