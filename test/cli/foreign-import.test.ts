import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CalledServer, callServer } from '../setup/called-server.ts';
import { callPlumb } from '../setup/plumb-call.ts';
import { copyAcme } from './acme-folder.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-foreign-'));
const data = join(folder, 'data');
const plumb = (...args: string[]) => callPlumb(data, args);
const imported = (name: string, content: string, ...args: string[]) => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return plumb('import', '--org', 'Acme', '--table', 'pull_requests', path, ...args);
};
const kept = async (prefix: string) => {
  const { stdout } = await plumb('export', '--org', 'Acme', '--table', 'pull_requests');
  const rows = stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '');
  return rows
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ pr_id }) => String(pr_id).startsWith(prefix));
};

/** Asked through a server, where a command need not open the folder; what is unusual is said without one. */
let server: CalledServer;
beforeAll(async () => {
  await copyAcme(data);
  server = await callServer(data);
  await plumb('person', 'add', '--org', 'Acme', 'bo@acme.example', 'github_username=bo', 'onboarded=false', 'name=Bo');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Invented rows under the headings that other tools export. */
const exports: readonly (readonly [string, string, ...string[]])[] = [
  [
    'a delivery dashboard',
    'PR Title,Author,Repo,PR Number,Created At,Merged At,Lines Added,Lines Removed,Labels\n' +
      'Add a door,ada@acme.example,acme/one,1,2024-03-04 09:00:00,2024-03-04 11:00:00,10,2,bug;ui\n' +
      'Open a window,bo,acme/one,2,2024-03-05 09:00:00,,4,0,\n',
  ],
  [
    'a code host',
    'Title,MR IID,URL,State,Source Branch,Target Branch,Author,Author Username,Assignees,Created At (UTC),Updated At (UTC)\n' +
      'Add a door,1,https://gitlab.com/acme/one/-/merge_requests/1,merged,door,main,Ada Quill,ada,,2024-03-04 09:00:00,2024-03-04 11:00:00\n',
  ],
  [
    'a script of one’s own',
    'merge_request_iid,Title,Web URL,Author Username,State,createdAt,mergedAt,Target Branch\n' +
      '7,Add a roof,https://gitlab.com/acme/seven/-/merge_requests/7,ada,merged,2024-03-04T09:00:00Z,2024-03-04T11:00:00Z,main\n',
    '--map',
    'merge_request_iid=number',
  ],
  [
    'a warehouse query',
    'repository_full_name,number,user,opened_at,closed_at,merged_at,additions,team\n' +
      'acme/two,5,ada,2024-03-04,2024-03-06,,3,Core\n',
    '--map',
    'team=',
  ],
];

describe('a file of another tool', () => {
  test.each(exports)('%s is imported as it is, with one --map at most', async (name, content, ...args) => {
    const { code, stdout, stderr } = await imported(`${name}.csv`, content, ...args);
    expect({ code, stdout, stderr }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Accepted (\d) of \1 /) });
  });

  test('A file of another tool says which columns of a known tool are left out, and how its days are to be read', async () => {
    const content = 'Title,MR IID,URL,Source Branch,Author Username,Created At (UTC),Approvers\n';
    const row = 'x,9,https://gitlab.com/acme/nine/-/merge_requests/9,door,ada,12/03/26 9:05,Bo\n';
    const unclear = await imported('gitlab.csv', content + row);
    expect([unclear.code, unclear.stderr]).toEqual([
      1,
      expect.stringMatching(
        /gitlab\.csv is an export of GitLab\. Left out, .*: Approvers\.\n.*\n.*add --dates dmy or --dates mdy\n/,
      ),
    ]);
    expect((await imported('gitlab.csv', content + row, '--dates', 'mdy')).code).toBe(0);
    expect(await kept('gitlab:acme/nine')).toMatchObject([{ pr_created_at: '2026-12-03T09:05:00Z' }]);
    expect((await imported('gitlab.csv', content + row, '--dates', 'ymd')).code).toBe(2);
  });

  test('A file of another tool becomes the records that a source would bring', async () => {
    expect(await kept('github:acme/one')).toMatchObject([
      {
        pr_id: 'github:acme/one#1',
        pr_state: 'merged',
        additions: 10,
        labels: ['bug', 'ui'],
        person_email: 'ada@acme.example',
      },
      { pr_id: 'github:acme/one#2', pr_state: 'open', person_login: 'bo' },
    ]);
    expect(await kept('gitlab:acme/one')).toMatchObject([
      { pr_id: 'gitlab:acme/one#1', base_branch: 'main', person_login: 'ada' },
    ]);
    expect(await kept('gitlab:acme/seven')).toMatchObject([
      {
        pr_id: 'gitlab:acme/seven#7',
        pr_created_at: '2024-03-04T09:00:00Z',
        pr_merged_at: '2024-03-04T11:00:00Z',
      },
    ]);
    expect(await kept('github:acme/two')).toMatchObject([
      { pr_state: 'closed', pr_created_at: '2024-03-04T00:00:00Z' },
    ]);
  });

  test('A file of another tool with columns that mean nothing is refused before any row', async () => {
    const { code, stdout } = await imported('unknown.csv', 'id,Mood,Mergd At\nx1,good,2024-03-04\n', '--json');
    expect(code).toBe(2);
    expect(JSON.parse(stdout).detail).toContain(
      "'Mood', which is like no field; 'Mergd At', did you mean merged_at (pr_merged_at)?",
    );
    expect(await kept('x1')).toEqual([]);
    expect(existsSync(join(folder, 'unknown.csv.rejects.ndjson'))).toBe(false);
    const second = join(folder, 'second.csv');
    writeFileSync(second, 'id,Mood\nx3,good\n');
    expect((await imported('first.csv', 'id\nx2\n', second)).code).toBe(2);
    expect(await kept('x2')).toEqual([]);
  });

  test('A file of another tool of gh pr list is recognised, and what it does not name can be set', async () => {
    const listed = [
      {
        number: 1,
        title: 'One',
        author: { login: 'bo', is_bot: false },
        createdAt: '2024-03-04T09:00:00Z',
        mergedAt: null,
      },
    ];
    const { code } = await imported('gh.json', JSON.stringify(listed), '--set', 'repository=acme/three');
    expect(code).toBe(0);
    expect(await kept('github:acme/three')).toMatchObject([{ pr_number: 1, person_login: 'bo', pr_state: 'open' }]);
    // `gh api --paginate --slurp` writes pages.
    const pages = [
      [{ html_url: 'https://github.com/acme/four/pull/1', number: 1, user: { login: 'bo' }, state: 'open' }],
      [],
    ];
    expect((await imported('pages.json', JSON.stringify(pages))).code).toBe(0);
    expect(await kept('github:acme/four')).toHaveLength(1);
  });
});

describe('a page of runs', () => {
  const run = (id: number) => ({
    id,
    node_id: `WFR_${id}`,
    html_url: `https://github.com/acme/five/actions/runs/${id}`,
    created_at: '2024-03-04T09:00:00Z',
    triggering_actor: { login: 'ada', type: 'User' },
    repository: { id: 1, full_name: 'acme/five' },
  });
  test('A page of runs is imported run by run, and only those that are bad are rejected', async () => {
    const path = join(folder, 'runs.json');
    const page = (...runs: object[]) => JSON.stringify({ total_count: 3, workflow_runs: runs });
    writeFileSync(path, page(run(1), { ...run(2), created_at: 'soon' }) + page(run(3)));
    const { code, stdout, stderr } = await plumb('import', '--org', 'Acme', '--table', 'workflow_runs', path);
    expect([code, stdout]).toEqual([5, 'Accepted 2 of 3 records.\n']);
    expect(stderr).toContain('runs.json:1: workflow run: created_at must be a time, not string.');
    const exported = await plumb('export', '--org', 'Acme', '--table', 'workflow_runs');
    expect(exported.stdout.match(/"workflow_run_id":"[^"]+"/g)).toEqual([
      '"workflow_run_id":"github:acme/five:run:1"',
      '"workflow_run_id":"github:acme/five:run:3"',
    ]);
  });
});

describe('a reference', () => {
  test('A reference that matches nothing is said, by a strict import too', async () => {
    const path = join(folder, 'deployments.ndjson');
    const gone = { deployment_id: 'd1', pr_ids: ['acme/gone#1', 'acme/short#7'], status: 'success' };
    writeFileSync(path, JSON.stringify(gone));
    expect((await imported('short.csv', 'id,created_at\nacme/short#7,2024-03-04\n')).stderr).not.toContain('match');
    for (const how of [[], ['--strict']]) {
      const { code, stderr } = await plumb('import', '--org', 'Acme', '--table', 'deployments', path, ...how);
      expect([code, stderr.split('\n')[0]]).toEqual([
        0,
        '1 reference matches nothing: acme/gone#1. They are kept, and count once what they name is imported.',
      ]);
    }
  });
});

describe('what is unusual', () => {
  const content =
    'repo,number,author,person_is_bot,created_at\n' +
    'acme/one,11,bo,,2024-03-04\nacme/one,12,zoe,,2024-03-04\nacme/six,13,helper,true,\nacme/six,14,helper,false,2024-03-04\n';
  const sentences = [
    '1 account belongs to no one in the directory: zoe. `plumb person unknown` lists such accounts. `plumb person set` adds them to their people.',
    '1 person is not in metrics, so their work is not counted: Bo.',
    '1 account is marked both as a bot and as a person: helper. What most records say counts. `plumb person set … is_bot=true` or `is_bot=false` decides it.',
    '1 repository is not in the directory: acme/six.',
    '1 row has no pr_created_at: no window of time finds them by it.',
    'No code host is said, so github is taken. --set source=gitlab or bitbucket says another.',
  ];

  beforeAll(async () => {
    writeFileSync(join(folder, 'repositories.csv'), 'repository\nacme/one\n');
    const path = join(folder, 'repositories.csv');
    expect((await plumb('import', '--org', 'Acme', '--table', 'repositories', path)).code).toBe(0);
    await server.stop();
  });

  test('What is unusual is said by a dry run, which imports nothing', async () => {
    const { code, stdout, stderr } = await imported('odd.csv', `${content}acme/nine,x,nobody,,\n`, '--dry-run');
    expect([code, stdout]).toEqual([5, 'Would accept 4 of 5 records. Nothing was imported.\n']);
    const said = stderr.trimEnd().split('\n');
    expect(said.slice(0, 2)).toEqual([
      `${join(folder, 'odd.csv')}: repo is repository`,
      `${join(folder, 'odd.csv')}: number is pr_number`,
    ]);
    expect(said[5]).toContain(":6: pr_number must be a whole number, not 'x'");
    expect(said.slice(6)).toEqual(sentences);
    expect(await kept('github:acme/one#11')).toEqual([]);
  });

  test('What is unusual is said by the import itself', async () => {
    const { code, stderr } = await imported('odd.csv', `${content}acme/nine,x,nobody,,\n`);
    // Nothing of the last row, which is rejected.
    expect([code, stderr.trimEnd().split('\n').slice(2)]).toEqual([5, sentences]);
  });
});
