import { createGzip, gzipSync } from 'node:zlib';
import { isLong, times } from '../setup/how-long.ts';
import type { HttpRequest } from '../setup/running-app.ts';

/** Something that is sent, and what has to come back. */
export interface Attack {
  readonly name: string;
  readonly path: string;
  readonly asked: () => Promise<HttpRequest>;
  readonly status: number;
  readonly says: RegExp;
  /** Sent in the long run only: the gate tries its limit with few rows, in `row-limits.test.ts`, or with blank lines. */
  readonly isLong?: true;
}

const mebibyte = 1_048_576;
/** Twenty of them take 61 KB. */
const millions = times(2, 20);
const megabytes = times(9, 60);
/** Of a mebibyte each, of which 64 may be unpacked. */
const members = times(100, 1_000);
const json = { 'content-type': 'application/json' };
const ndjson = { 'content-type': 'application/x-ndjson' };
const packed = { 'content-encoding': 'gzip' };
const records = '/ingest/pull_requests';
const hook = '/posthook/ingest';

/** Gzip of a text, of very many repetitions of another, and of an end. */
async function packedRepeats(begin: string, repeated: string, times: number, end: string): Promise<Buffer> {
  const gzip = createGzip({ level: 9 });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => gzip.once('end', resolve));
  gzip.write(begin);
  const some = Buffer.from(repeated.repeat(Math.ceil(mebibyte / repeated.length)));
  const atOnce = some.length / repeated.length;
  for (let left = times; left > 0; left -= atOnce) {
    const piece = left >= atOnce ? some : some.subarray(0, left * repeated.length);
    if (!gzip.write(piece)) await new Promise((resolve) => gzip.once('drain', resolve));
  }
  gzip.end(end);
  await ended;
  return Buffer.concat(chunks);
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
/** A mebibyte of objects inside each other. */
const deepObjects = `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`;
const tables = (rows: string) => `{"schema_version":9,"tables":{${rows}}}`;
const names = (count: number) => Array.from({ length: count }, (_, i) => `"name${i}":${i}`).join(',');
const shapes = (count: number) => Array.from({ length: count }, (_, i) => `{"name${i}":1}`).join(',');

const plain = (headers: Record<string, string>, body: () => string | Buffer) => async (): Promise<HttpRequest> => ({
  headers,
  body: body(),
});

const allAttacks: readonly Attack[] = [
  {
    name: `gzip with ${millions} million empty rows`,
    path: hook,
    asked: async () => ({
      headers: { ...json, ...packed },
      body: await packedRepeats('{"schema_version":1,"tables":{"sessions":[', '{},', millions * 1e6, '{}]}}'),
    }),
    status: 413,
    says: /more than 1,000,000 rows: at most 1,000,000 are accepted\. Send them in several bodies\./,
    isLong: true,
  },
  {
    name: `gzip with ${millions} million rows of a table that nobody knows`,
    path: hook,
    asked: async () => ({
      headers: { ...json, ...packed },
      body: await packedRepeats('{"schema_version":1,"tables":{"other":[', '1,', millions * 1e6, '1]}}'),
    }),
    status: 413,
    says: /more than 1,000,000 rows: at most 1,000,000 are accepted\. Send them in several bodies\./,
  },
  {
    name: `gzip with ${millions} million empty records`,
    path: records,
    asked: async () => ({
      headers: { ...json, ...packed },
      body: await packedRepeats('[', '{},', millions * 1e6, '{}]'),
    }),
    status: 413,
    says: /more than 1,000,000 records: at most 1,000,000 are accepted, blank lines counted/,
    isLong: true,
  },
  {
    name: `gzip with ${3 * millions} million blank lines`,
    path: records,
    asked: async () => ({
      headers: { ...ndjson, ...packed },
      body: await packedRepeats('', '\n', 3 * millions * 1e6, ''),
    }),
    status: 413,
    says: /more than 1,000,000 records/,
    isLong: true,
  },
  {
    name: `gzip behind gzip that unpacks to ${members} MiB`,
    path: hook,
    asked: async () => {
      const member = gzipSync(Buffer.alloc(mebibyte, ' '));
      const begin = gzipSync('{"schema_version":1,');
      return { headers: { ...json, ...packed }, body: Buffer.concat([begin, ...Array(members).fill(member)]) };
    },
    status: 413,
    says: /at most 64 MiB is accepted, also when it is unpacked/,
  },
  {
    name: 'a million tables that nobody knows',
    path: hook,
    asked: async () => {
      const many = Array.from({ length: 1_100_000 }, (_, i) => `"t${i}":[]`).join(',');
      return { headers: { ...json, ...packed }, body: gzipSync(tables(many)) };
    },
    status: 413,
    says: /more than 1,000,000 rows/,
    isLong: true,
  },
  {
    name: 'a row with very many fields',
    path: hook,
    asked: plain(json, () => tables(`"sessions":[{"id":"s","x":{${names(times(80_000, 400_000))}}}]`)),
    status: 400,
    says: /tables\.sessions\[0\] has more than 50,000 values\./,
  },
  {
    name: 'a table twice',
    path: hook,
    asked: plain(json, () => tables('"sessions":[{"id":"a"}],"sessions":[{"id":"b"}]')),
    status: 400,
    says: /The body has tables\.sessions twice\./,
  },
  {
    name: `a text of ${megabytes} MB`,
    path: hook,
    asked: plain(json, () =>
      tables(
        `"session_prompts":[{"id":"p","session_id":"s","prompt_text":"${'x'.repeat(megabytes * 1e6)}"},{"id":"q"}]`,
      ),
    ),
    status: 200,
    says: /"rejected":2,.*"line":1,"detail":"is longer than 8 MiB"/,
  },
  {
    name: 'a mebibyte of nested JSON to a metric',
    path: '/metrics/pull-requests-count',
    asked: plain(json, () => `{"filters":${nested(520_000)}}`),
    status: 400,
    says: /The body is nested deeper than 16 levels\./,
  },
  {
    name: 'a mebibyte of nested objects to a metric',
    path: '/metrics/get-multiple-metrics',
    asked: plain(json, () => deepObjects),
    status: 400,
    says: /The body is nested deeper than 16 levels\./,
  },
  {
    name: 'a mebibyte of different fields to a metric',
    path: '/metrics/pull-requests-count',
    asked: plain(json, () => `{"filters":{${names(55_000)}}}`),
    status: 400,
    says: /The body has more than 50,000 values\./,
  },
  {
    name: 'a mebibyte of different objects to a metric',
    path: '/metrics/pull-requests-count',
    asked: plain(json, () => `{"filters":{"repositories":[${shapes(20_000)}]}}`),
    status: 400,
    says: /repositories/,
  },
  {
    name: 'a mebibyte of nested JSON in a field of a record',
    path: records,
    asked: plain(ndjson, () => `{"pr_id":"deep","files":${nested(500_000)}}\n{"pr_id":"after"}\n`),
    status: 200,
    says: /"accepted":1,"rejected":1,.*is nested deeper than 64 levels/,
  },
  {
    name: 'a mebibyte of nested JSON in a row of the hook',
    path: hook,
    asked: plain(json, () => tables(`"sessions":[{"id":${nested(500_000)}}]`)),
    status: 400,
    says: /tables\.sessions\[0\] is nested deeper than 64 levels\./,
  },
  {
    name: 'one line of 10 MB',
    path: records,
    asked: plain(ndjson, () => `{"pr_id":"long","files":[${'[],'.repeat(3_300_000)}1]}\n{"pr_id":"after"}\n`),
    status: 200,
    says: /"accepted":1,"rejected":1,.*is longer than 8 MiB/,
  },
  {
    name: 'one line of 8 MB of small lists',
    path: records,
    asked: plain(ndjson, () => `{"pr_id":"long","files":[${'[],'.repeat(2_700_000)}1]}\n{"pr_id":"after"}\n`),
    status: 200,
    says: /"accepted":1,"rejected":1,.*has more than 50,000 values/,
  },
  {
    name: 'a line of 8 MB with different objects',
    path: records,
    asked: plain(
      ndjson,
      () =>
        `{"pr_id":"long","files":[${shapes(24_000)}],"pr_body":"${'\\u001b'.repeat(1_200_000)}"}\n{"pr_id":"after"}\n`,
    ),
    status: 200,
    says: /"accepted":1,"rejected":1,.*pr_body must have at most 1 MiB/,
  },
  {
    name: 'a number of 5 million digits',
    path: records,
    asked: plain(ndjson, () => `{"pr_id":"number","pr_number":${'9'.repeat(5_000_000)}}\n{"pr_id":"after"}\n`),
    status: 200,
    says: /"accepted":1,"rejected":1,.*what begins at character 31 has more than 1000 characters/,
  },
];

export const attacks = allAttacks.filter((attack) => isLong || !attack.isLong);
