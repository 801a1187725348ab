import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { Row, Table } from '../../../src/catalogue/table.ts';
import type { FactTable } from '../../../src/catalogue/tables/all-tables.ts';
import { issueComments, issues } from '../../../src/catalogue/tables/issues.ts';
import { pullRequestReviews } from '../../../src/catalogue/tables/pull-request-parts.ts';
import { pullRequests } from '../../../src/catalogue/tables/pull-requests.ts';
import { createOrganisation } from '../../../src/directory/organisations.ts';
import { Ingest } from '../../../src/ingest/ingest.ts';
import type { IntakePort, TableWriter } from '../../../src/warehouse/intake-port.ts';
import type { Warehouse } from '../../../src/warehouse/warehouse.ts';
import { clickhouseAvailable } from '../../setup/clickhouse.ts';
import { times } from '../../setup/how-long.ts';
import { openTemporaryApp } from '../../setup/temporary-app.ts';
import { someClickHouse } from '../../warehouse/clickhouse/some-clickhouse.ts';
import { someWarehouse } from '../../warehouse/some-warehouse.ts';

/** A text, and what it names in a pull request of each repository, as a reader would say. */
interface Phrase {
  readonly text: string;
  /** Keys of trackers. */
  readonly keys?: readonly string[];
  /** Issues of the pull request's own repository and host, or of another of its host. */
  readonly closes?: readonly (number | string)[];
  /** The same only where the host is GitLab. */
  readonly closesOnGitlab?: readonly (number | string)[];
}

const phrases: readonly Phrase[] = [
  { text: 'Tidy up' },
  { text: 'ABC-1: open the door', keys: ['ABC-1'] },
  { text: 'opens (ABC-2), see https://jira.example/browse/ABC-10', keys: ['ABC-2', 'ABC-10'] },
  { text: 'abc-1 in small letters, XABC-1x, ABC-01 and UTF-8' },
  { text: 'Fixes #1', closes: [1] },
  { text: 'closes acme/api#2 and resolves: #3', closes: ['acme/api#2', 3] },
  { text: 'see #1, prefixes #2' },
  { text: 'Closes #1, #2 and acme/api#3', closes: [1], closesOnGitlab: [2, 'acme/api#3'] },
  { text: 'Implements #2', closesOnGitlab: [2] },
  { text: 'Fixes https://host.example/acme/api/issues/1', closes: ['acme/api#1'] },
  { text: 'Fixes https://other.example/acme/api/issues/1' },
  { text: '<!-- Fixes #1 ABC-1 -->' },
];
const branches = [
  { text: 'main' },
  { text: 'feature/abc-2-door', keys: ['ABC-2'] },
  { text: 'ABC-1_more', keys: ['ABC-1'] },
];

const repositories = ['acme/web', 'acme/api'];
const hosts = ['github', 'gitlab'];
const prIds = hosts.flatMap((host) =>
  repositories.flatMap((name) => [8, 9].map((number) => `${host}:${name}#${number}`)),
);
const issueIds = [
  ...['1', '2', '3'].map((id) => `jira:jira.example/${id}`),
  ...hosts.flatMap((host) => repositories.flatMap((name) => [1, 2, 3].map((number) => `${host}:${name}#${number}`))),
];
const trackerKeys = ['ABC-1', 'ABC-2', 'ABC-10', 'abc-1', 'DEF-1', null];

type Fields = Record<string, string | number | boolean | null>;
interface Said {
  readonly table: FactTable;
  readonly fields: Fields;
}

const placeOf = (id: string) => {
  const [, host = '', repository = '', number = ''] = /^(\w+):([^#]*)#(\d+)$/.exec(id) ?? [];
  return { host, repository, number: Number(number) };
};
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 4 });
const withoutUndefined = (fields: object): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;

const saidOfPullRequest = fc
  .record({
    pr_id: fc.constantFrom(...prIds),
    pr_title: some(fc.constantFrom(...phrases.map(({ text }) => text))),
    pr_body: some(fc.constantFrom(null, ...phrases.map(({ text }) => text))),
    head_branch: some(fc.constantFrom(...branches.map(({ text }) => text))),
  })
  .map((fields): Said => {
    const { host, repository, number } = placeOf(fields.pr_id);
    const pr_url = `https://host.example/${repository}/pull/${number}`;
    const known = { source: host, repository, pr_number: number, pr_url, pr_created_at: '2024-03-04T10:00:00Z' };
    return { table: 'pull_requests', fields: withoutUndefined({ ...fields, ...known }) };
  });
const saidOfIssue = fc
  .record({ issue_id: fc.constantFrom(...issueIds), issue_key: some(fc.constantFrom(...trackerKeys)) })
  .map(({ issue_id, issue_key }): Said => {
    const isNumbered = !issue_id.startsWith('jira');
    const key = isNumbered ? issue_id.slice(issue_id.indexOf(':') + 1) : issue_key;
    const fields = { issue_id, issue_key: key, source: issue_id.split(':')[0], created_at: '2024-03-01T10:00:00Z' };
    return { table: 'issues', fields: withoutUndefined(fields) };
  });
const gone = fc.oneof(
  fc.constantFrom(...prIds).map((pr_id): Said => ({ table: 'pull_requests', fields: { pr_id, _deleted: true } })),
  fc.constantFrom(...issueIds).map((issue_id): Said => ({ table: 'issues', fields: { issue_id, _deleted: true } })),
);
const part = fc.oneof(
  fc.constantFrom(...prIds).map((pr_id): Said => {
    const fields = { pr_review_id: `review of ${pr_id}`, pr_id, reviewed_at: '2024-03-05T10:00:00Z' };
    return { table: 'pull_request_reviews', fields };
  }),
  fc.constantFrom(...issueIds).map((issue_id): Said => {
    const fields = { issue_comment_id: `comment on ${issue_id}`, issue_id, created_at: '2024-03-05T10:00:00Z' };
    return { table: 'issue_comments', fields };
  }),
);
const history = fc.array(
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: saidOfPullRequest },
      { weight: 5, arbitrary: saidOfIssue },
      { weight: 2, arbitrary: gone },
      { weight: 2, arbitrary: part },
    ),
    { minLength: 1, maxLength: 6 },
  ),
  { minLength: 1, maxLength: 6 },
);

/** What is stored in the end, row by row. */
function lastWord(batches: readonly (readonly Said[])[], table: FactTable, key: string): Map<string, Fields> {
  const rows = new Map<string, Fields>();
  for (const { table: of, fields } of batches.flat()) {
    if (of !== table) continue;
    const id = String(fields[key]);
    if (fields._deleted) rows.delete(id);
    else rows.set(id, { ...rows.get(id), ...fields });
  }
  return rows;
}

/** Whether a pull request names an issue, by the phrases that it was made of. */
function names(pr: Fields, issue: Fields): boolean {
  const { host, repository } = placeOf(String(pr.pr_id));
  const said = [pr.pr_title, pr.pr_body].flatMap((text) => phrases.find((one) => one.text === text) ?? []);
  const branch = branches.find(({ text }) => text === pr.head_branch);
  const id = String(issue.issue_id);
  if (id.startsWith('jira')) {
    const key = typeof issue.issue_key === 'string' ? issue.issue_key.toUpperCase() : '';
    return [...said, ...(branch ? [branch] : [])].some(({ keys = [] }) => keys.includes(key));
  }
  const closed = said.flatMap(({ closes = [], closesOnGitlab = [] }) => [
    ...closes,
    ...(host === 'gitlab' ? closesOnGitlab : []),
  ]);
  return closed.some((one) => `${host}:${typeof one === 'number' ? `${repository}#${one}` : one}` === id);
}

const listed = (ids: readonly string[]): string | null => (ids.length === 0 ? null : JSON.stringify([...ids].sort()));

/** What is linked, read plainly from the last word on each row. */
function plainly(batches: readonly (readonly Said[])[]) {
  const prs = lastWord(batches, 'pull_requests', 'pr_id');
  const all = lastWord(batches, 'issues', 'issue_id');
  const issuesOf = ([id, pr]: [string, Fields]) =>
    [
      id,
      listed([...all.values()].filter((issue) => names(pr, issue)).map(({ issue_id }) => String(issue_id))),
    ] as const;
  const prsOf = ([id, issue]: [string, Fields]) =>
    [id, listed([...prs.values()].filter((pr) => names(pr, issue)).map(({ pr_id }) => String(pr_id)))] as const;
  return { prs: new Map([...prs].map(issuesOf)), issues: new Map([...all].map(prsOf)) };
}

async function linkedIn(warehouse: Pick<Warehouse, 'read'>, organisationId: string) {
  return warehouse.read(organisationId, async (session) => {
    const listsOf = async (table: Table, id: string, column: string) => {
      const rows = (await session.select(table, [id, column] as never)) as unknown as Row[];
      return new Map(rows.map((row) => [String(row[id]), row[column]]));
    };
    return {
      prs: await listsOf(pullRequests, 'pr_id', 'issue_ids'),
      issues: await listsOf(issues, 'issue_id', 'pr_ids'),
      reviews: await listsOf(pullRequestReviews, 'pr_id', 'issue_ids'),
      comments: await listsOf(issueComments, 'issue_id', 'pr_ids'),
    };
  });
}

const put = (ingest: Ingest, organisationId: string, batch: readonly Said[]) =>
  ingest.put(
    organisationId,
    batch.map(({ table, fields }) => ({ table, lines: [{ line: 1, value: fields }] })),
  );

const app = openTemporaryApp();
afterAll(async () => (await app).close());
let made = 0;
async function organisation(): Promise<string> {
  made += 1;
  const owned = { name: `Linked ${made}`, ownerEmail: 'owner@example.org' };
  return (await createOrganisation((await app).directory, { via: 'demo' }, owned)).id;
}

const engines = [
  { name: 'DuckDB', runs: times(8, 500), open: () => someWarehouse() },
  ...(clickhouseAvailable ? [{ name: 'ClickHouse', runs: times(2, 60), open: () => someClickHouse() }] : []),
];

describe.each(engines)('pull requests and issues in $name', ({ open, runs }) => {
  test('Pull requests and issues are linked as their last words say, in whatever order and batches they come and go', async () => {
    const { warehouse, close } = await open();
    const ingest = new Ingest((await app).store, warehouse);
    try {
      await fc.assert(
        fc.asyncProperty(history, async (batches) => {
          const organisationId = await organisation();
          for (const batch of batches) await put(ingest, organisationId, batch);
          const linked = await linkedIn(warehouse, organisationId);
          const wanted = plainly(batches);
          expect(linked.prs).toEqual(wanted.prs);
          expect(linked.issues).toEqual(wanted.issues);
          // Parts of rows that are stored say what these say.
          for (const [id, list] of linked.reviews) expect(list).toBe(wanted.prs.get(id) ?? null);
          for (const [id, list] of linked.comments) expect(list).toBe(wanted.issues.get(id) ?? null);
          await warehouse.remove(organisationId);
        }),
        { numRuns: runs },
      );
    } finally {
      await close();
    }
  });
});

test('Linking one issue or one pull request reads what it links, and not the others', async () => {
  const { warehouse, close } = await someWarehouse();
  const read: string[] = [];
  const linking = ['issue_ids', 'link_key', 'named_issues', 'pr_ids'];
  const counting = (writer: TableWriter): TableWriter =>
    new Proxy(writer, {
      get(of, name) {
        const value = Reflect.get(of, name) as unknown;
        if (name !== 'select') return typeof value === 'function' ? value.bind(of) : value;
        return async (table: Table, columns: readonly string[], where: never) => {
          const rows = await (value as TableWriter['select']).call(of, table, columns as never, where);
          // Attribution reads pull requests for reasons of its own.
          if (columns.some((column) => linking.includes(column))) read.push(...rows.map(() => table.name));
          return rows;
        };
      },
    });
  const port: IntakePort = Object.assign(Object.create(warehouse) as IntakePort, {
    change: (id: string, work: (writer: TableWriter) => Promise<unknown>, options: never) =>
      warehouse.change(id, (writer) => work(counting(writer)), options),
  });
  const ingest = new Ingest((await app).store, port);
  const organisationId = await organisation();
  const pr = (i: number, title: string): Said => ({
    table: 'pull_requests',
    fields: { pr_id: `github:acme/web#${i}`, source: 'github', repository: 'acme/web', pr_number: i, pr_title: title },
  });
  const issue = (i: number): Said => ({
    table: 'issues',
    fields: { issue_id: `jira:jira.example/${i}`, issue_key: `ABC-${i}`, source: 'jira' },
  });
  try {
    // Two hundred pull requests, two for each issue.
    await put(
      ingest,
      organisationId,
      Array.from({ length: 200 }, (_, i) => pr(i + 1, `ABC-${(i % 100) + 1}: door`)),
    );
    await put(
      ingest,
      organisationId,
      Array.from({ length: 99 }, (_, i) => issue(i + 1)),
    );
    for (const said of [issue(100), pr(201, 'ABC-7: one more'), pr(1, 'ABC-8: another'), issue(5)]) {
      read.length = 0;
      await put(ingest, organisationId, [said]);
      expect(read.length).toBeLessThan(25);
    }
    const { issues: linked } = await linkedIn(warehouse, organisationId);
    expect(linked.get('jira:jira.example/100')).toBe('["github:acme/web#100","github:acme/web#200"]');
    expect(linked.get('jira:jira.example/7')).toBe('["github:acme/web#107","github:acme/web#201","github:acme/web#7"]');
    expect(linked.get('jira:jira.example/1')).toBe('["github:acme/web#101"]');
  } finally {
    await close();
  }
});
