import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { parquetFiles } from '../../../src/formats/parquet/open.ts';
import { signedIn } from '../../setup/signed-in.ts';
import { awaitUntil } from '../../web/await-until.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

const mebibyte = 1_048_576;
const spool = mkdtempSync(join(tmpdir(), 'plumb-spool-'));
let pages: Pages;
beforeAll(async () => {
  // What a server that was killed has left, and what another one reads now.
  for (const [name, age] of Object.entries({ old: 7_200, young: 60 })) {
    await mkdir(join(spool, `plumb-upload-${name}`));
    const at = new Date(Date.now() - age * 1_000);
    await utimes(join(spool, `plumb-upload-${name}`), at, at);
  }
  pages = await startPages({ parts: () => ({ spoolFolder: spool, arrival: { patienceMs: 5_000 } }) });
});
afterAll(async () => {
  await pages.close();
  rmSync(spool, { recursive: true, force: true });
});
/** The state of the directory, and the newest entry of the audit log, which comes before the first record of a file. */
const kept = async () => ({ version: await pages.version(), audited: await pages.audited(1) });
let before: Awaited<ReturnType<typeof kept>>;
beforeEach(async () => {
  before = await kept();
});

const types = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  json: 'application/json',
  parquet: 'application/vnd.apache.parquet',
} as const;
interface Sent {
  readonly as?: 'owner' | 'manager' | 'engineer' | 'squadLead';
  readonly headers?: Readonly<Record<string, string>>;
}
async function send(
  path: string,
  body: string | Buffer,
  type: keyof typeof types | string,
  { as = 'owner', headers = {} }: Sent = {},
) {
  const contentType = Object.hasOwn(types, type) ? types[type as keyof typeof types] : type;
  return pages.service.request('POST', path, {
    headers: { ...pages[as].headers, 'content-type': contentType, ...headers },
    body: Buffer.from(body),
  });
}
const address = (path: string, query: Readonly<Record<string, string>>) => `${path}?${new URLSearchParams(query)}`;
const importOf = (query: Readonly<Record<string, string>> = {}) =>
  address('/app/imports', { table: 'pull_requests', ...query });
/** Nothing of a file lies anywhere, and nothing of it was kept. */
const expectNothingLeft = async () => {
  expect(readdirSync(spool)).toEqual(['plumb-upload-young']);
  expect(await kept()).toEqual(before);
};

const csv = [
  'Number,State,Created At,Author Login,Repository,Mood',
  '1,open,2026-01-05T10:00:00Z,ada,acme/web,good',
  '2,done,2026-01-06T10:00:00Z,ada,acme/web,bad',
  '3,open,2026-01-07T10:00:00Z,ada,acme/web,"a, b"',
].join('\n');

describe('a preview', () => {
  test('A preview says what each column is, which are unknown, and which rows are no records', async () => {
    const { status, json } = await send(address('/app/imports/preview', { name: 'pulls.csv' }), csv, 'csv');
    expect([status, json]).toMatchObject([
      200,
      {
        table: 'pull_requests',
        columns: [
          { heading: 'Number', field: 'pr_number', sample: ['1', '2', '3'] },
          { heading: 'State', field: 'pr_state' },
          { heading: 'Created At', field: 'pr_created_at' },
          { heading: 'Author Login', field: 'person' },
          { heading: 'Repository', field: 'repository' },
          { heading: 'Mood', field: null, sample: ['good', 'bad', 'a, b'] },
        ],
        rows: [
          { line: 2, problem: null },
          { line: 3, problem: expect.stringContaining('pr_state must be') },
          { line: 4, problem: null },
        ],
      },
    ]);
    await expectNothingLeft();
  });

  test('The beginning of a file is enough, and its last line is cut', async () => {
    const query = { name: 'pulls.ndjson', is_part: 'true' };
    const whole = '{"pr_id":"x","pr_state":"open"}\n{"pr_id":"y"}\n';
    const cut = await send(address('/app/imports/preview', query), `${whole}{"pr_id":"z","pr_st`, 'ndjson');
    expect(cut.json).toMatchObject({ table: 'pull_requests', rows: [{ line: 1 }, { line: 2 }] });
    expect((cut.json as { rows: unknown[] }).rows).toHaveLength(2);
  });

  test.each([
    ['as an object with their number', (rows: object[]) => ({ total_count: rows.length, rows })],
    ['as arrays of pages', (rows: object[]) => rows.map((row) => [row])],
  ])('Records of a listing are previewed %s', async (_, listing) => {
    const rows = [1, 2].map((at) => ({
      pr_id: `github:acme/web#${at}`,
      pr_state: at === 1 ? 'open' : 'done',
      mood: 'good',
    }));
    const { json } = await send('/app/imports/preview', JSON.stringify(listing(rows)), 'json');
    expect(json).toMatchObject({
      table: 'pull_requests',
      columns: [
        { heading: 'pr_id', field: 'pr_id', sample: ['github:acme/web#1', 'github:acme/web#2'] },
        { heading: 'pr_state', field: 'pr_state' },
        { heading: 'mood', field: null },
      ],
      rows: [{ problem: null }, { problem: expect.stringContaining('pr_state must be') }],
    });
  });

  test('A column that follows from another one is left out of records as it is of CSV', async () => {
    const record = {
      deployment_id: 'd',
      repository: 'acme/web',
      repository_name: 'acme/web',
      environment: 'production',
    };
    const fields = async (body: string, type: string) => {
      const { json } = await send(address('/app/imports/preview', { table: 'deployments' }), body, type);
      return (json as { columns: { field: string }[] }).columns.map(({ field }) => field);
    };
    const expected = ['deployment_id', 'repository', '', 'environment'];
    expect(await fields(JSON.stringify([record]), 'json')).toEqual(expected);
    const cells = [Object.keys(record), Object.values(record)].map((row) => row.join(',')).join('\n');
    expect(await fields(cells, 'csv')).toEqual(expected);
  });

  test('People choose what a column is, and the preview follows', async () => {
    const map = JSON.stringify({ Mood: 'pr_title', State: '' });
    const { json } = await send(address('/app/imports/preview', { table: 'pull_requests', map }), csv, 'csv');
    const fields = (json as { columns: { field: string }[] }).columns.map(({ field }) => field);
    expect(fields).toEqual(['pr_number', '', 'pr_created_at', 'person', 'repository', 'pr_title']);
  });
});

describe('an import', () => {
  test('An import keeps what is good, and hands back what is not as NDJSON with the reason', async () => {
    const { status, json } = await send(importOf({ name: 'pulls.csv' }), csv, 'csv');
    const { rejects, ...said } = json as { rejects: string };
    expect([status, said]).toEqual([
      200,
      {
        table: 'pull_requests',
        accepted: 2,
        rejected: 1,
        left_out: [],
        host_assumed: 'github',
        errors: [{ line: 3, detail: expect.stringContaining('pr_state must be') }],
        rejects_cut: false,
      },
    ]);
    expect(JSON.parse(rejects)).toEqual({
      line: 3,
      detail: expect.stringContaining('pr_state must be'),
      record: expect.objectContaining({ pr_state: 'done' }),
    });
    expect((await pages.audited(1))[0]).toMatchObject({ via: 'session' });
    expect(readdirSync(spool)).toEqual(['plumb-upload-young']);
  });

  test('An import says what it left out, and which references match nothing', async () => {
    const listed = {
      number: 7,
      title: 'a',
      url: 'https://github.com/acme/web/issues/7',
      createdAt: '2026-01-05T10:00:00Z',
    };
    const issues = await send(importOf(), JSON.stringify([listed]), 'json');
    expect(issues.json).toMatchObject({ accepted: 0, rejected: 0, left_out: [{ what: 'of issues', count: 1 }] });
    expect(issues.json).not.toHaveProperty('host_assumed');
    const deployment = { deployment_id: 'd-1', repository: 'acme/web', environment: 'production', status: 'success' };
    const known = { ...deployment, deployed_at: '2026-01-05T10:00:00Z', pr_ids: ['acme/web#404'] };
    const deployed = await send(importOf({ table: 'deployments' }), JSON.stringify([known]), 'json');
    expect(deployed.json).toMatchObject({
      accepted: 1,
      left_out: [],
      unmatched_references: { pr_ids: ['acme/web#404'] },
    });
  });

  test('The same records come as NDJSON packed with gzip, as JSON and as Parquet', async () => {
    const record = { pr_id: 'github:acme/web#9', pr_state: 'open', pr_title: 'Nine' };
    const packed = gzipSync(`${JSON.stringify(record)}\n`);
    const gzip = { headers: { 'content-encoding': 'gzip' } };
    expect((await send(importOf(), packed, 'ndjson', gzip)).json).toMatchObject({ accepted: 1, rejected: 0 });
    expect((await send(importOf(), JSON.stringify([record]), 'json')).json).toMatchObject({ accepted: 1 });
    const [from, to] = [join(spool, 'from.ndjson'), join(spool, 'to.parquet')];
    await writeFile(from, `${JSON.stringify(record)}\n`);
    await parquetFiles.write(
      [
        { name: 'pr_id', type: 'text' },
        { name: 'pr_state', type: 'text' },
        { name: 'pr_title', type: 'text' },
      ],
      from,
      to,
    );
    const parquet = readFileSync(to);
    for (const path of [from, to]) rmSync(path);
    expect((await send(address('/app/imports/preview', {}), parquet, 'parquet')).json).toMatchObject({
      table: 'pull_requests',
      columns: [{ field: 'pr_id' }, { field: 'pr_state' }, { field: 'pr_title' }],
    });
    expect((await send(importOf(), parquet, 'parquet')).json).toMatchObject({ accepted: 1, rejected: 0 });
    expect(readdirSync(spool)).toEqual(['plumb-upload-young']);
  });
});

describe('Parquet that unpacks to very much', () => {
  let bomb: Buffer;
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plumb-bomb-'));
    const path = join(folder, 'bomb.parquet');
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    const connection = await instance.connect();
    await connection.run(`COPY (SELECT repeat('x', 9000000) AS pr_title FROM range(62)) TO '${path}' (FORMAT parquet)`);
    instance.closeSync();
    bomb = readFileSync(path);
    rmSync(folder, { recursive: true });
  });

  test('Rows that are too long count towards what a file may unpack to', async () => {
    expect(bomb.length).toBeLessThan(mebibyte);
    const answer = await send(importOf(), bomb, 'parquet');
    expect([answer.status, answer.json]).toMatchObject([
      413,
      { detail: expect.stringContaining('once it is unpacked') },
    ]);
    expect(readdirSync(spool)).toEqual(['plumb-upload-young']);
  });

  test('One file of all organisations is read at a time', async () => {
    const { service, other } = pages;
    const theirs = signedIn(service, await service.app.sessions.begin(other.id, other.personId, 'password'));
    const headers = { ...theirs.headers, 'content-type': types.parquet };
    const both = Promise.all([
      send(importOf(), bomb, 'parquet'),
      service.request('POST', importOf(), { headers, body: bomb }),
    ]);
    let isOver = false;
    void both.finally(() => {
      isOver = true;
    });
    let most = 0;
    while (!isOver) {
      most = Math.max(most, readdirSync(spool).length - 1);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect((await both).map(({ status }) => status)).toEqual([413, 413]);
    expect(most).toBe(1);
  });
});

test('Files that eight other organisations are still sending keep nobody from importing', async () => {
  const { service, owner } = pages;
  const { app } = service;
  const sockets = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => {
      const made = { name: `Slow ${at}`, ownerEmail: `slow-${at}@example.org` };
      const { id, ownerId } = await createOrganisation(app.directory, { via: 'command', user: 'test' }, made);
      const { cookie } = signedIn(service, await app.sessions.begin(id, ownerId, 'password'));
      const socket = connect(service.port, '127.0.0.1');
      socket.on('error', () => {});
      socket.write(
        `POST ${importOf()} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nCookie: ${cookie}\r\nOrigin: ${service.url}\r\nContent-Type: text/csv\r\nContent-Length: 1000\r\n\r\npr_id`,
      );
      return { socket, cookie };
    }),
  );
  // All of them have begun as soon as a second file of each is one too many.
  for (const { cookie } of sockets) {
    await awaitUntil(async () => {
      const headers = { ...owner.headers, cookie, 'content-type': types.csv };
      const second = await service.request('POST', '/app/imports/preview', { headers, body: csv });
      expect([second.status, second.text]).toEqual([429, expect.stringContaining('Another file of this organisation')]);
    });
  }
  expect((await send('/app/imports/preview', csv, 'csv')).status).toBe(200);
  for (const { socket } of sockets) socket.destroy();
});

describe('what is refused, of which nothing is left', () => {
  test.each([
    ['a text without a type', 'text/plain', 415],
    ['a form', 'multipart/form-data; boundary=x', 415],
    ['a form of another page', 'application/x-www-form-urlencoded', 415],
  ])('A file sent as %s is refused', async (_, type, status) => {
    expect((await send(importOf(), csv, type)).status).toBe(status);
    await expectNothingLeft();
  });

  test.each(['manager', 'engineer', 'squadLead'] as const)(
    'A file of a %s is refused, and nothing of it is left',
    async (as) => {
      for (const path of [importOf(), '/app/imports/preview']) {
        expect((await send(path, csv, 'csv', { as })).status).toBe(403);
      }
      await expectNothingLeft();
    },
  );

  test('A file sent with a key, without a session or from another page is refused', async () => {
    const { service, owner } = pages;
    const headers = { 'content-type': 'text/csv' };
    const byKey = await service.request('POST', importOf(), { key: service.keys.owner, headers, body: csv });
    const byNobody = await service.request('POST', importOf(), { headers, body: csv });
    const elsewhere = { ...owner.headers, ...headers, origin: 'https://evil.example' };
    const byAnother = await service.request('POST', importOf(), { headers: elsewhere, body: csv });
    expect([byKey.status, byNobody.status, byAnother.status]).toEqual([403, 401, 403]);
    await expectNothingLeft();
  });

  test('A file that says it is larger than 64 MiB is refused before a byte is read', async () => {
    const { owner, service } = pages;
    const answer = await service.raw(
      `POST ${importOf()} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nConnection: close\r\nCookie: ${owner.cookie}\r\nOrigin: ${service.url}\r\nContent-Type: text/csv\r\nContent-Length: ${64 * mebibyte + 1}\r\n\r\n`,
      9_000,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*at most 64 MiB/);
    await expectNothingLeft();
  });

  test('A file of gzip that unpacks to more is refused', async () => {
    // Blank lines of some length: each line takes as long as another.
    const blank = `${' '.repeat(65_535)}\n`;
    const bomb = gzipSync(Buffer.concat([Buffer.from('pr_id\n'), Buffer.alloc(65 * mebibyte, blank)]));
    expect(bomb.length).toBeLessThan(mebibyte);
    const answer = await send(importOf(), bomb, 'csv', { headers: { 'content-encoding': 'gzip' } });
    expect([answer.status, answer.json]).toMatchObject([413, { detail: expect.stringContaining('64 MiB') }]);
    await expectNothingLeft();
  });

  test('A file that is not what it says is refused, and called by its last name alone', async () => {
    for (const name of ['../../etc/passwd', '..\\..\\boot.ini', 'a/../../b.parquet']) {
      const { status, text } = await send(importOf({ name }), 'no parquet', 'parquet');
      expect(status).toBe(400);
      expect(text).toContain(name.replace(/^.*[\\/]/, ''));
      expect(text).not.toMatch(/\.\.|plumb-upload|etc/);
    }
    await expectNothingLeft();
  });

  test.each([
    [{ table: 'pull_request' }, 'Did you mean'],
    [{ table: 'pull_requests', map: '[1]' }, 'map must be a JSON object'],
    [{ table: 'pull_requests', map: '{"Number":"moods"}' }, 'not a field'],
    [{ table: 'pull_requests', map: '{"Mood":"pr_state"}' }, 'both mean pr_state'],
  ])('A file with %j is refused', async (query, says) => {
    const { status, text } = await send(address('/app/imports', query), csv, 'csv');
    expect(status).toBe(400);
    expect(text).toContain(says);
    expect(text).not.toContain('--');
    await expectNothingLeft();
  });

  test('A file whose sender hangs up in the middle of it leaves nothing, and a second one at the same time is refused', async () => {
    const { owner, service } = pages;
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => {});
    const rows = Buffer.from(csv).subarray(0, -4);
    socket.write(
      `POST ${importOf()} HTTP/1.1\r\nHost: 127.0.0.1:${service.port}\r\nCookie: ${owner.cookie}\r\nOrigin: ${service.url}\r\nContent-Type: text/csv\r\nContent-Length: ${3 * mebibyte}\r\n\r\n`,
    );
    socket.write(rows);
    socket.write(Buffer.alloc(2 * mebibyte, ' '));
    // While one file is on its way, another is refused with a sentence.
    await awaitUntil(async () => {
      const second = await send(importOf(), csv, 'csv');
      expect([second.status, second.text]).toEqual([429, expect.stringContaining('Another file of this organisation')]);
      before = await kept();
    });
    socket.destroy();
    await awaitUntil(async () => {
      expect((await send('/app/imports/preview', csv, 'csv')).status).toBe(200);
    });
    await expectNothingLeft();
  });
});
