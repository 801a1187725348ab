import { afterEach, expect, test } from 'vitest';
import { openGithub, type ReadOptions, readGithub } from './replay/read-source.ts';
import { type ReplayServer, startReplay } from './replay/server.ts';
import { at } from './replay/some-pull.ts';
import { someIssue, someRepository } from './replay/some-world.ts';
import { emptyRepository, type ReplayedRepository } from './replay/world.ts';

let server: ReplayServer | undefined;
afterEach(() => server?.close());

const outage = { title: 'Checkout fails', labels: [{ name: 'Outage' }, { name: 'web' }] };

const start = async (issues: ReplayedRepository['issues']) => {
  const repository = { ...emptyRepository(someRepository('acme/web', 101)), issues };
  server = await startReplay({ organizations: [], repositories: [repository] });
  return repository;
};

const read = (options: ReadOptions = {}) => readGithub(server?.url ?? '', { only: 'issues@', ...options });
const labelled = (labels: readonly string[]) => ({ settings: { incident_labels: labels } });
const idsIn = ({ rows }: Awaited<ReturnType<typeof read>>) => rows.of('incidents').map((one) => one.incident_id);

test('An issue with a label of incidents is an incident of its repository too, until it is closed', async () => {
  await start([
    someIssue(8, outage),
    someIssue(9, { ...outage, state: 'closed', closed_at: at(4) }),
    someIssue(10, {}),
  ]);
  const { rows } = await read(labelled(['sev1', 'outage']));
  expect(rows.of('issues')).toHaveLength(3);
  const incident = {
    incident_id: 'github:acme/web#8',
    source: 'github',
    repository: 'acme/web',
    service: null,
    opened_at: at(1),
    resolved_at: null,
    severity: null,
    title: 'Checkout fails',
    url: 'https://github.example/acme/web/issues/8',
  };
  const closed = { ...incident, incident_id: 'github:acme/web#9', url: 'https://github.example/acme/web/issues/9' };
  expect(rows.of('incidents')).toEqual([incident, { ...closed, resolved_at: at(4) }]);
});

test('Without labels in the settings no issue is an incident', async () => {
  await start([someIssue(8, outage)]);
  expect((await read()).rows.of('incidents')).toEqual([]);
});

test('An issue that loses the label is no incident any more', async () => {
  const repository = await start([someIssue(8, outage), someIssue(9, outage)]);
  const after = await read(labelled(['Outage']));
  repository.issues[0] = someIssue(8, { labels: [], updated_at: at(9) });
  expect(idsIn(await read({ ...labelled(['Outage']), after }))).toEqual(['github:acme/web#9']);
});

test('Once the labels are others, or none, issues of long ago are looked at again', async () => {
  await start([someIssue(8, outage), someIssue(9, { labels: [{ name: 'sev1' }] })]);
  const downTo = Date.parse(at(20)) / 1_000;
  const first = await read(labelled(['Outage']));
  const second = await read({ ...labelled(['sev1']), after: first, downTo });
  expect(idsIn(second)).toEqual(['github:acme/web#9']);
  const third = await read({ after: second, downTo });
  expect(idsIn(third)).toEqual([]);
  expect((await read({ after: third, downTo })).unchanged).toHaveLength(1);
});

test('A webhook brings an incident with its issue, and takes both away', async () => {
  const repository = await start([someIssue(8, outage)]);
  const { source, close } = openGithub(server?.url ?? '', labelled(['Outage']));
  const named = { id: '', kind: 'issue', scope: 'acme/web', reference: 8 };
  const incidents = async () =>
    (await source.reread?.(named))?.records
      .filter(({ table }) => table === 'incidents')
      .flatMap(({ records }) => records);
  expect(await incidents()).toMatchObject([{ incident_id: 'github:acme/web#8', title: 'Checkout fails' }]);
  repository.issues.pop();
  expect(await incidents()).toEqual([{ incident_id: 'github:acme/web#8', _deleted: true }]);
  close();
});
