import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordTableNames } from '../../../src/catalogue/record-tables.ts';
import { auditEntries } from '../../../src/store/audit.ts';
import { type Service, startService } from '../../setup/running-app.ts';
import { asJson, asNdjson, keptPullRequests, ndjson, pullRequest } from './some-records.ts';

const path = '/ingest/pull_requests';
let service: Service;
beforeAll(async () => {
  service = await startService({ isQuick: true });
});
afterAll(() => service.close());

const send = async (at: string, body: string | Buffer, headers: Record<string, string> = asNdjson) => {
  const answer = await service.request('POST', at, { key: service.keys.owner, headers, body });
  return { status: answer.status, json: answer.json };
};
const kept = (n: number) =>
  keptPullRequests(service, { column: 'pr_id', in: [pullRequest(n).pr_id] }).then(([row]) => row);

test('Good records are kept and bad ones reported by line, blank lines counted', async () => {
  const body = `${ndjson([pullRequest(1)])}\n{"pr_id": \n${ndjson([{ ...pullRequest(2), pr_state: 'done' }, pullRequest(3)])}`;
  const answer = await send(path, body);
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    accepted: 2,
    rejected: 2,
    errors: [
      { line: 3, detail: expect.stringContaining('is not JSON') },
      { line: 4, detail: "pr_state must be one of open, closed, merged, not 'done'" },
    ],
  });
  expect(await kept(1)).toMatchObject({ merged_user_id: await service.idOf('ada@example.com') });
  expect(await kept(2)).toBeUndefined();
  expect(await kept(3)).toBeDefined();
});

test('Of a JSON array the place of a record is reported, wherever it stands on the page', async () => {
  const body = JSON.stringify([pullRequest(4), { pr_number: 5 }, 6, pullRequest(7)], undefined, 2);
  expect(await send(path, body, asJson)).toEqual({
    status: 200,
    json: {
      accepted: 2,
      rejected: 2,
      errors: [
        { line: 2, detail: expect.stringContaining('pr_id is missing: a pull request cannot do without it') },
        { line: 3, detail: 'a pull request must be a JSON object, not 6' },
      ],
    },
  });
  expect(await kept(7)).toBeDefined();
});

test('The same body again changes nothing, a part of a record changes that part, and null clears it', async () => {
  const body = ndjson([pullRequest(10)]);
  await send(path, body);
  const before = await kept(10);
  await send(path, body);
  expect(await kept(10)).toEqual(before);
  await send(path, ndjson([{ pr_id: pullRequest(10).pr_id, pr_state: 'closed' }]));
  expect(await kept(10)).toEqual({ ...before, pr_state: 'closed' });
  await send(path, ndjson([{ pr_id: pullRequest(10).pr_id, pr_title: null }]));
  expect(await kept(10)).toEqual({ ...before, pr_state: 'closed', pr_title: null });
});

test('A deleted record goes, as often as it is said, also when it was never there', async () => {
  await send(path, ndjson([pullRequest(11)]));
  const gone = ndjson([{ pr_id: pullRequest(11).pr_id, _deleted: true }]);
  for (let i = 0; i < 2; i += 1) {
    expect(await send(path, gone)).toEqual({ status: 200, json: { accepted: 1, rejected: 0, errors: [] } });
    expect(await kept(11)).toBeUndefined();
  }
});

test('A body may come packed', async () => {
  const headers = { ...asNdjson, 'content-encoding': 'gzip' };
  expect(await send(path, gzipSync(ndjson([pullRequest(12)])), headers)).toMatchObject({ json: { accepted: 1 } });
  expect(await kept(12)).toBeDefined();
});

test.each(['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'Application/X-NDJSON; charset=UTF-8'])(
  '%s is one record a line',
  async (type) => {
    expect(await send(path, ndjson([pullRequest(13)]), { 'content-type': type })).toMatchObject({ status: 200 });
  },
);

test('No records at all are none, of either kind', async () => {
  const none = { status: 200, json: { accepted: 0, rejected: 0, errors: [] } };
  expect(await send(path, '')).toEqual(none);
  expect(await send(path, '\n\n')).toEqual(none);
  expect(await send(path, '[]', asJson)).toEqual(none);
});

test('People and their groups are taken too, and are in the audit log under the key', async () => {
  const answer = await send('/ingest/people', ndjson([{ main_email: 'alan@example.com', name: 'Alan Turing' }]));
  expect(answer).toEqual({
    status: 200,
    json: { accepted: 1, rejected: 0, onboarded: 1, not_onboarded: 0, errors: [] },
  });
  const subject = await service.idOf('alan@example.com');
  const audit = await service.app.store.read((session) => auditEntries(session, service.organisationId, 5));
  expect(audit).toContainEqual(expect.objectContaining({ via: 'api', action: 'person.create', subject }));
  await send(path, ndjson([{ ...pullRequest(14), person_login: null, person_email: 'ALAN@example.com' }]));
  expect(await kept(14)).toMatchObject({ merged_user_id: subject });
});

test('How many of the people are onboarded is reported, each counted once', async () => {
  const grace = { main_email: 'grace.m@example.com', onboarded: false };
  const bot = { main_email: 'helper@example.com', logins: { github: 'helper[bot]' } };
  const people = [{ main_email: 'annie@example.com' }, { emails: ['annie@example.com'], name: 'Annie' }, grace, bot];
  const answer = await send('/ingest/people', ndjson([...people, { main_email: 'nobody' }]));
  expect(answer.json).toMatchObject({ accepted: 4, rejected: 1, onboarded: 1, not_onboarded: 2 });
  expect((await send('/ingest/people', '')).json).toMatchObject({ accepted: 0, onboarded: 0, not_onboarded: 0 });
  expect((await send('/ingest/teams', '')).json).toEqual({ accepted: 0, rejected: 0, errors: [] });
});

test('Every table is taken', async () => {
  for (const table of recordTableNames) expect(await send(`/ingest/${table}`, '')).toMatchObject({ status: 200 });
});

test('Of very many bad records the first hundred are reported and all are counted', async () => {
  const { json } = await send(path, '{}\n'.repeat(12_345));
  expect(json).toMatchObject({ accepted: 0, rejected: 12_345 });
  const { errors } = json as { errors: { line: number }[] };
  expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1));
});

test('More records than fit into one change are all kept', async () => {
  const records = Array.from({ length: 11_000 }, (_, i) => ({ incident_id: `i${i}`, title: `Incident ${i}` }));
  expect(await send('/ingest/incidents', ndjson(records))).toMatchObject({ json: { accepted: 11_000, rejected: 0 } });
});

describe('a caller that leaves in the middle of its body', () => {
  test('A caller that leaves in the middle of its body has kept what was complete by then', async () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: ${service.keys.owner}\r\nContent-Type: application/x-ndjson\r\nContent-Length: 100000\r\n\r\n`;
    socket.write(head + ndjson([pullRequest(20), pullRequest(21)]) + JSON.stringify(pullRequest(22)).slice(0, -3));
    setTimeout(() => socket.destroy(), 500);
    await expect.poll(() => kept(21)).toBeDefined();
    expect(await kept(20)).toBeDefined();
    expect(await kept(22)).toBeUndefined();
  });
});

test('References that match nothing are named by field as they were sent, and what they name may come later', async () => {
  const deployment = {
    deployment_id: 'd1',
    repository: 'acme/web',
    status: 'success',
    deployed_at: '2024-03-05T10:00:00Z',
    pr_ids: ['acme/late#90', 'acme/late#91', 'PR-1'],
  };
  const review = { pr_review_id: 'r1', pr_id: 'acme/late#91' };
  const late = { ...pullRequest(90), pr_id: 'acme/late#90', repository: 'acme/late', source: 'gitlab' };
  const done = { accepted: 1, rejected: 0, errors: [] };
  const ingest = async (table: string, ...records: readonly object[]) =>
    (await send(`/ingest/${table}`, ndjson(records))).json;
  expect(await ingest('deployments', deployment)).toEqual({
    ...done,
    unmatched_references: { pr_ids: ['acme/late#90', 'acme/late#91', 'PR-1'] },
  });
  expect(await ingest('pull_requests', late)).toEqual(done);
  expect(await ingest('pull_request_reviews', review, { pr_review_id: 'r2', pr_id: 'acme/late#90' })).toEqual({
    ...done,
    accepted: 2,
    unmatched_references: { pr_id: ['acme/late#91'] },
  });
  expect(await ingest('deployments', deployment)).toMatchObject({
    unmatched_references: { pr_ids: ['acme/late#91', 'PR-1'] },
  });
  expect(await ingest('deployments', { ...deployment, pr_ids: ['acme/late#90'] })).toEqual(done);
  expect(await ingest('pull_request_reviews', { ...review, pr_id: 'x', _deleted: true })).toEqual(done);
});
