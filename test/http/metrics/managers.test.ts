import { afterAll, beforeAll, expect, test } from 'vitest';
import { mergePeople } from '../../../src/directory/merging.ts';
import type { Service } from '../../setup/running-app.ts';
import { asking, change, march, organise, putRecords, startMetrics } from './some-metrics.ts';

let service: Service;
beforeAll(async () => {
  service = await startMetrics({ isQuick: true });
  await organise(service, { team_restrictions: 'true' });
});
afterAll(() => service.close());
const ask = asking(() => service);

/** Whose pull requests Grace sees, who is a Manager without a team of her own. */
async function seenByGrace(): Promise<(string | null)[]> {
  const body = { filters: march, group_by: ['name'] };
  const { json } = await ask('pull-requests-count', body, { key: service.keys.manager });
  return (json as { name: string | null }[]).map(({ name }) => name).sort();
}

async function managersShown(): Promise<Readonly<Record<string, string | null>>> {
  const { json } = await ask('pull-requests-count', { filters: march, group_by: ['name', 'manager_name'] });
  const rows = json as { name: string; manager_name: string | null }[];
  return Object.fromEntries(rows.map(({ name, manager_name }) => [name, manager_name]));
}

test('A manager_email that is nobody’s yet becomes its owner’s once they are known by it', async () => {
  await change(service, 'edsger@example.com', { manager_email: ' Hopper@Example.ORG ' });
  expect(await seenByGrace()).toEqual(['Grace Hopper']);
  expect(await managersShown()).toMatchObject({ 'Edsger Dijkstra': null });
  await change(service, 'grace@example.com', { emails: ['grace@example.com', 'hopper@example.org'] });
  expect(await seenByGrace()).toEqual(['Edsger Dijkstra', 'Grace Hopper']);
  expect(await managersShown()).toMatchObject({ 'Edsger Dijkstra': 'Grace Hopper' });
});

test('An import finds a manager by a secondary address too, and reports of reports by another one', async () => {
  await putRecords(service, 'people', [
    { main_email: 'edsger@example.com', emails: ['edsger@example.com', 'ewd@example.org'] },
    { main_email: 'ada@example.com', manager_email: 'ewd@example.org' },
  ]);
  expect(await managersShown()).toMatchObject({ 'Ada Lovelace': 'Edsger Dijkstra', 'Edsger Dijkstra': 'Grace Hopper' });
  expect(await seenByGrace()).toEqual(['Ada Lovelace', 'Edsger Dijkstra', 'Grace Hopper']);
});

test('An address that came to a manager with a merge is theirs as well', async () => {
  await putRecords(service, 'people', [
    { main_email: 'g.hopper@navy.example', name: 'Grace H.' },
    { main_email: 'ada@example.com', manager_email: 'g.hopper@navy.example' },
  ]);
  const { app, organisationId } = service;
  const context = { organisationId, actor: { via: 'demo' } } as const;
  await mergePeople(app.directory, context, 'grace@example.com', 'g.hopper@navy.example');
  expect(await managersShown()).toMatchObject({ 'Ada Lovelace': 'Grace Hopper' });
});
