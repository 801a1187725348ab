import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { isLong, times } from '../setup/how-long.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const lines = (records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const incident = (n: number) => ({ incident_id: `i${n}`, title: `Incident ${n}`, opened_at: '2026-01-05T09:00:00Z' });

describe.each([{ running: false }, { running: true }])(
  'importing what happened, server running: $running',
  ({ running }) => {
    const data = join(folder, `data-${running}`);
    const file = (name: string, content: string | Buffer): string => {
      const path = join(folder, `${running}-${name}`);
      writeFileSync(path, content);
      return path;
    };
    let server: CalledServer | undefined;
    const plumb = (...args: string[]) => callPlumb(data, args);
    const imported = (...args: string[]) => plumb('import', '--org', 'Acme', '--json', ...args);
    const kept = async (table: string) => {
      const { code, stdout } = await plumb('export', '--org', 'Acme', '--table', table);
      expect(code).toBe(0);
      const lines = stdout.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    };

    beforeAll(async () => {
      await copyAcme(data);
      if (running) server = await callServer(data);
    });
    afterAll(async () => {
      await server?.abandon();
    });

    test('Good records are kept, bad ones go into a file with line and reason, and the end is 5', async () => {
      const packed = file(
        'pull-requests.csv.gz',
        gzipSync(
          'pr_id,pr_state,labels,pr_created_at,person_email\np1,open,"[""a""]",2026-01-05T09:00:00Z,ada@acme.example\np2,done,,,\np3,merged,,,\n',
        ),
      );
      const { code, stderr, json } = await imported('--table', 'pull_requests', packed);
      expect([code, json()]).toEqual([5, { accepted: 2, rejected: 1 }]);
      expect(stderr).toContain(":3: pr_state must be one of open, closed, merged, not 'done'");
      expect(JSON.parse(readFileSync(`${packed}.rejects.ndjson`, 'utf8'))).toMatchObject({
        line: 3,
        record: { pr_id: 'p2' },
      });
      const rows = await kept('pull_requests');
      expect(rows).toMatchObject([
        {
          pr_id: 'p1',
          labels: ['a'],
          pr_created_at: '2026-01-05T09:00:00Z',
          merged_user_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        },
        { pr_id: 'p3', labels: null },
      ]);
      if (!running && !isLong) return;
      const again = await imported('--table', 'pull_requests', packed);
      expect(again.code).toBe(5);
      expect(await kept('pull_requests')).toEqual(rows);
    });

    // The same is read in the same way without a server.
    if (running || isLong)
      test('A strict import keeps all of its files or nothing', async () => {
        // More than are read at once.
        const many = times(5_200, 12_000);
        const good = file('good.ndjson', lines(Array.from({ length: many }, (_, i) => incident(i))));
        const bad = file('bad.ndjson', `${lines([incident(20_000)])}\n${lines([{ title: 'no key' }])}`);
        const broken = file('broken.ndjson', `${lines([incident(20_000)])}{"incident_id": \n`);
        const refused = await imported('--table', 'incidents', '--strict', good, bad);
        expect([refused.code, refused.json()]).toEqual([1, { accepted: 0, rejected: 1 }]);
        expect(refused.stderr).toContain(`${bad}:3: incident_id is missing`);
        const few = file('few.ndjson', lines([incident(0)]));
        const unread = await imported('--table', 'incidents', '--strict', few, broken);
        expect([unread.code, unread.json()]).toEqual([1, { accepted: 0, rejected: 1 }]);
        expect(unread.stderr).toContain(`${broken}:2: is not JSON`);
        expect(await kept('incidents')).toEqual([]);
        const all = await imported(
          '--table',
          'incidents',
          '--strict',
          good,
          file('one.ndjson', lines([incident(20_000)])),
        );
        expect([all.code, all.json()]).toEqual([0, { accepted: many + 1, rejected: 0 }]);
        expect(await kept('incidents')).toHaveLength(many + 1);
      });

    if (!running) {
      test('A table that nothing can be imported into is 2, and says what to do', async () => {
        const wrong = await imported('--table', 'pull_request', file('x.ndjson', ''));
        expect([wrong.code, wrong.json().detail]).toEqual([
          2,
          expect.stringContaining("Did you mean 'pull_requests'?"),
        ]);
        const people = await imported('--table', 'user_metrics', file('y.ndjson', ''));
        expect([people.code, people.json().detail]).toEqual([2, expect.stringContaining('import people')]);
      });

      test('A file that breaks off is reported, and the lines before the damage are kept', async () => {
        const packed = gzipSync(lines([incident(30_000), incident(30_001)]));
        const path = file('cut.ndjson.gz', packed.subarray(0, packed.length - 12));
        const { code, stderr } = await callPlumb(data, ['import', '--org', 'Acme', '--table', 'incidents', path]);
        expect(code).toBe(2);
        expect(stderr).toContain('its gzip data is cut short or damaged');
        expect((await kept('incidents')).map(({ incident_id }) => incident_id)).toContain('i30000');
        expect(existsSync(`${path}.rejects.ndjson`)).toBe(false);
      });
    }
  },
);
