import { writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BackupOptions } from '../../../src/safety/backup.ts';
import { restoreInto } from '../../../src/safety/restore.ts';
import { verifyBackup } from '../../../src/safety/verify.ts';
import { writeEvents } from '../../../src/store/audit.ts';
import { openStore } from '../../../src/store/open.ts';
import { embedded, freshFolder } from '../../conformance/stores.ts';
import { type Pages, startPages } from './signed-in-pages.ts';

let pages: Pages;
const folder = freshFolder();
beforeAll(async () => {
  pages = await startPages();
});
afterAll(async () => {
  await pages.close();
  folder.remove();
});

interface AuditPageAnswer {
  readonly entries: readonly { readonly action: string; readonly subject: { readonly id: string } }[];
  readonly before: string | null;
}
const audit = async (query = '') => (await pages.owner.request('GET', `/app/audit${query}`)).json as AuditPageAnswer;

describe('the audit log', () => {
  test('The audit log names who did what', async () => {
    const { owner, service } = pages;
    await owner.request('POST', '/app/groups', { kind: 'team', name: 'Audited' });
    const [entry] = (await audit('?limit=1')).entries;
    expect(entry).toEqual({
      at: expect.any(String),
      via: 'session',
      actor: { id: await service.idOf('ada@example.com'), name: 'Ada Lovelace' },
      key_id: null,
      action: 'team.create',
      subject: { id: expect.any(String), name: 'Audited' },
      details: { name: 'Audited' },
    });
  });

  test('The audit log is read page by page, each entry once', async () => {
    const { app, organisationId } = pages.service;
    const actor = { via: 'demo' } as const;
    const at = new Date();
    // Several at one moment, before and after changes.
    await app.store.note((session) =>
      writeEvents(
        session,
        ['a', 'b', 'c'].map((id) => ({ organisationId, actor, at, id, action: 'records.export', subject: id })),
      ),
    );
    await pages.owner.request('POST', '/app/groups', { kind: 'team', name: 'Later' });
    const whole = (await audit('?limit=500')).entries;
    expect(whole.length).toBeGreaterThan(8);
    for (const limit of [1, 2, 5]) {
      const read: unknown[] = [];
      for (let before: string | null = ''; before !== null; ) {
        const page: AuditPageAnswer = await audit(`?limit=${limit}${before === '' ? '' : `&before=${before}`}`);
        read.push(...page.entries);
        before = page.before;
      }
      expect(read).toEqual(whole);
    }
  });

  test('The audit log is of one organisation, and takes no cursor that it did not give', async () => {
    expect((await pages.owner.request('GET', '/app/audit?limit=500')).text).not.toContain(pages.other.id);
    const forged = Buffer.from(JSON.stringify([[1e300, -1], null])).toString('base64url');
    for (const before of [
      'x',
      forged,
      Buffer.from('null').toString('base64url'),
      Buffer.from('[[1,1],["x",1]]').toString('base64url'),
    ]) {
      expect((await pages.owner.request('GET', `/app/audit?before=${before}`)).status).toBe(400);
    }
  });
});

describe('the status', () => {
  test('The status of an organisation without anything says so, to everybody', async () => {
    for (const who of [pages.owner, pages.engineer]) {
      expect((await who.request('GET', '/app/status')).json).toMatchObject({
        connections: 0,
        sources: [],
        syncing: [],
        last_sync_at: null,
        is_sample: false,
        filled_since: null,
        stale: [],
      });
    }
  });

  test('The status follows the data', async () => {
    const { app, organisationId } = pages.service;
    const before = (await pages.owner.request('GET', '/app/status')).json;
    expect(before).toMatchObject({ data_through: null, tables: [], has_data: false, rows: {} });
    const issue = { issue_id: 'i1', created_at: '2026-03-01T10:00:00Z', source: 'jira', person_login: 'x' };
    await app.ingest.put(organisationId, [{ table: 'issues', lines: [{ line: 1, value: issue }] }]);
    expect((await pages.owner.request('GET', '/app/status')).json).toMatchObject({
      data_through: '2026-03-02T00:00:00Z',
      tables: [
        {
          table: 'issues',
          data_through: '2026-03-02T00:00:00Z',
          data_since: '2026-03-01T10:00:00Z',
          is_daily: false,
          schedule_seconds: null,
          missing: [],
        },
      ],
      has_data: true,
      rows: { issues: 1 },
    });
    // How much there is of everybody is not for those who see only themselves.
    expect((await pages.engineer.request('GET', '/app/status')).json).toMatchObject({ has_data: true, rows: null });
  });
});

/** A download that has begun, as the form of a page begins it. Its bytes are no text. */
const begun = (port: number, headers: Readonly<Record<string, string>>) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0' };
    const address = { port, host: '127.0.0.1', path: '/app/backup/download' };
    const asked = request({ ...address, method: 'POST', headers: form, agent: false }, resolve);
    asked.on('error', reject);
    asked.end();
  });

describe('a backup', () => {
  test('A backup downloaded holds the own organisation alone, can be restored, and is known to have been made', async () => {
    const { owner, service, other } = pages;
    expect((await owner.request('GET', '/app/backup')).json).toEqual({
      last_backup_at: null,
      download_has_salaries: false,
      command: expect.stringMatching(/^npx plumb backup plumb-\d{4}-\d\d-\d\d\.backup$/),
      command_for_this_organisation: expect.stringContaining(`--org ${service.organisationId} `),
    });
    // Looking changes nothing: a link or a picture elsewhere cannot have a backup made.
    expect((await owner.request('GET', '/app/backup/download')).status).toBe(405);
    const answer = await begun(service.port, owner.headers);
    const bytes = await buffer(answer);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="plumb-[0-9a-f-]{36}-\d{4}-\d\d-\d\d\.backup"$/,
      ),
    });
    const plain = gunzipSync(bytes);
    expect(plain.includes(service.organisationId)).toBe(true);
    for (const foreign of [other.id, other.keyId, 'charles@example.net', 'Difference Engines']) {
      expect(plain.includes(foreign)).toBe(false);
    }
    const file = join(folder.path, 'own.backup');
    writeFileSync(file, bytes);
    expect((await verifyBackup(file)).findings).toEqual([]);
    const place = await embedded.place();
    await restoreInto(place, file);
    const store = await openStore(place);
    const found = await store.read((session) => session.rows('SELECT id FROM organisations'));
    const sessions = await store.read((session) => session.rows('SELECT id FROM sessions'));
    await store.close();
    await place.remove();
    expect([found, sessions]).toEqual([[{ id: service.organisationId }], []]);
    expect((await owner.request('GET', '/app/backup')).json).toMatchObject({ last_backup_at: expect.any(String) });
    expect((await audit('?limit=1')).entries[0]).toMatchObject({ action: 'backup.create', via: 'session' });
  });

  test('A backup is made once at a time for an organisation, without answers to surveys where these are anonymous', async () => {
    let goOn = () => {};
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const taken: BackupOptions['leftOut'][] = [];
    const backUp = async function* (_actor: unknown, { leftOut }: BackupOptions) {
      taken.push(leftOut);
      yield Buffer.from('begun');
      await gate;
    };
    const own = await startPages({ parts: () => ({ backUp }) });
    const { port } = own.service;
    const first = await begun(port, own.owner.headers);
    const second = await own.owner.request('POST', '/app/backup/download');
    expect([second.status, second.json]).toEqual([
      429,
      { detail: expect.stringContaining('being downloaded already') },
    ]);
    // A browser shows the answer to its form in place of the application.
    const refused = await begun(port, { ...own.owner.headers, accept: 'text/html,*/*;q=0.8' });
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([429, 'text/html; charset=utf-8']);
    expect(String(await buffer(refused))).toContain('being downloaded already');
    goOn();
    expect(String(await buffer(first))).toBe('begun');
    expect(taken).toEqual([['salaries']]);
    // The service hears a moment later that it is over.
    const again = async () => (await own.owner.request('POST', '/app/backup/download')).status;
    await expect.poll(again).toBe(200);

    // Where answers to surveys are anonymous, they are not for Owners to take along.
    const changed = await own.owner.request('PATCH', '/app/organisation', { survey_privacy: 'anonymous' });
    expect(changed.status).toBe(200);
    await expect.poll(again).toBe(200);
    expect(taken.at(-1)).toEqual(['salaries', 'survey answers']);

    // Salaries are in it where the organisation shows them and the Owner may see them, and then that is written down.
    const { service, owner } = own;
    const reads = async () => (await owner.request('GET', '/app/audit?limit=500')).text.includes('salary.read');
    const hasSalaries = async () => (await owner.request('GET', '/app/backup')).json;
    expect(await owner.request('PATCH', '/app/organisation', { salary_visibility: true })).toMatchObject({
      status: 200,
    });
    await expect.poll(again).toBe(200);
    expect(taken.at(-1)).toContain('salaries');
    expect([await reads(), await hasSalaries()]).toEqual([
      false,
      expect.objectContaining({ download_has_salaries: false }),
    ]);
    await service.put([{ main_email: 'ada@example.com', permissions: ['can-view-salaries'] }]);
    await expect.poll(again).toBe(200);
    expect(taken.at(-1)).toEqual(['survey answers']);
    expect([await reads(), await hasSalaries()]).toEqual([
      true,
      expect.objectContaining({ download_has_salaries: true }),
    ]);
    await own.close();
  });
});
