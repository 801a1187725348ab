// `npm run bench:scale`: the same pull requests in DuckDB files and in ClickHouse, moved there by `plumb migrate` and back
// again, and the same questions to a server of each over HTTP, none of them answered before: ratios of one run. Then what
// each takes to publish a change of the directory and to take records, and the questions again after many small changes. It is 10 million pull requests, and
// PLUMB_BENCH_SHARE=0.02 runs a fiftieth of it. ClickHouse is the server at CLICKHOUSE_URL (an empty database), or the
// engine of the tests, which takes one statement at a time.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { startClickHouseServer } from '../test/setup/clickhouse-server.ts';
import { startPostgresServer } from '../test/setup/postgres-server.ts';
import { timed } from './query/measuring.ts';
import { PlumbClient } from './query/plumb-client.ts';
import { questions } from './query/questions.ts';
import { ms, printTable, whole } from './query/report.ts';
import { daysAfter, endOfHistory, large, type Size, share } from './query/sizes.ts';
import { makeOrganisations, type Organisation } from './query/world.ts';
import {
  type ChangeCosts,
  changeCosts,
  changeInSmallBatches,
  perPerson,
  sizesOfChanges,
} from './scale/change-costs.ts';
import { childRunning, memoryOf, processorSeconds } from './scale/process-costs.ts';
import { plumbWith, type ServedProcess, startPlumb } from './served-process.ts';

const size: Size = {
  ...large,
  pullRequests: Math.max(1_000, Math.round(10_000_000 * share)),
  deployments: Math.max(100, Math.round(300_000 * share)),
};
const isGiven = process.env.CLICKHOUSE_URL !== undefined;
let firstDay = 0;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-scale-'));
const postgres = await startPostgresServer({ durable: true });
const clickhouse = await startClickHouseServer();
const tablesUrl = isGiven ? clickhouse.url : new URL('/default', clickhouse.url).href;
try {
  say(`making ${whole(size.pullRequests)} pull requests`);
  const data = join(folder, 'data');
  const [organisation] = await makeOrganisations(data, [size]);
  if (!organisation) throw new Error('there is no organisation');
  say('moving them');
  const there = await move({ PLUMB_DATA: data }, '--to', postgres.url, '--to', tablesUrl);
  const bytes = await bytesOf(organisation);
  say('asking both');
  const environment = { DATABASE_URL: postgres.url, CLICKHOUSE_URL: tablesUrl };
  const embedded = await startPlumb(data);
  const elsewhere = await startPlumb(join(folder, 'elsewhere'), environment);
  try {
    await mergeParts();
    await compareQuestions('merged', organisation, embedded, elsewhere);
    say('changing both');
    printChanges(await changeCosts(embedded.url, organisation), await changeCosts(elsewhere.url, organisation));
    say('changing both in small batches');
    const costs = [await changedRowCost(organisation, embedded), await changedRowCost(organisation, elsewhere)];
    const [here = '', there = ''] = costs.map((cost) => cost.toFixed(2));
    console.log(`processor for a row that is replaced, in milliseconds: DuckDB ${here}, ClickHouse and Plumb ${there}`);
    await compareQuestions('after small changes', organisation, embedded, elsewhere);
  } finally {
    await embedded.stop();
    await elsewhere.stop();
  }
  say('moving them back');
  const back = await move({ PLUMB_DATA: join(folder, 'elsewhere'), ...environment }, '--to', join(folder, 'back'));
  printMove('a data folder to PostgreSQL and ClickHouse', there);
  printMove('PostgreSQL and ClickHouse to a data folder', back);
  const perRow = (all: number) => (all / there.rows).toFixed(0);
  console.log(`bytes a row on the disk: DuckDB ${perRow(bytes.embedded)}, ClickHouse ${perRow(bytes.elsewhere)}`);
  const engine = isGiven
    ? 'a ClickHouse server'
    : 'the ClickHouse engine of the tests, behind a door that takes one statement at a time';
  console.log(
    `${whole(size.pullRequests)} pull requests, ${whole(size.people)} people; ${availableParallelism()} processors, ${process.arch}; ${engine}.`,
  );
} finally {
  await clickhouse.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

interface Move {
  readonly rows: number;
  readonly seconds: number;
  /** The most memory that the command had, in bytes, looked at now and then. */
  readonly memory: number;
}

async function move(from: Readonly<Record<string, string>>, ...to: string[]): Promise<Move> {
  const began = performance.now();
  let memory = 0;
  const looking = setInterval(() => {
    const pid = childRunning('plumb.cjs');
    if (pid !== undefined) memory = Math.max(memory, memoryOf(pid));
  }, 250);
  try {
    const { rows } = (await plumbWith(from, 'migrate', ...to)) as { rows: number };
    return { rows, seconds: (performance.now() - began) / 1_000, memory };
  } finally {
    clearInterval(looking);
  }
}

function printMove(what: string, { rows, seconds, memory }: Move): void {
  console.log(
    `${what}: ${whole(rows)} rows moved and compared in ${seconds.toFixed(1)} s, ${whole(rows / seconds)} a second, with ${whole(memory / 1e6)} MB of memory`,
  );
}

/** Processor time of a server and of ClickHouse for each row that small changes replace, in milliseconds. */
async function changedRowCost(organisation: Organisation, server: ServedProcess): Promise<number> {
  const pids = [server.pid, childRunning('clickhouse-server') ?? []].flat();
  const taken = () => pids.reduce((sum, pid) => sum + processorSeconds(pid), 0);
  const before = taken();
  const rows = await changeInSmallBatches(server.url, organisation);
  return ((taken() - before) * 1_000) / rows;
}

/** As a server does it by itself after some time. */
async function mergeParts(): Promise<void> {
  const client = createClient({ url: tablesUrl, request_timeout: 3_600_000, log: { level: ClickHouseLogLevel.OFF } });
  const query = "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'";
  const tables = await (await client.query({ query, format: 'JSONEachRow' })).json<{ name: string }>();
  for (const { name } of tables) await client.command({ query: `OPTIMIZE TABLE "${name}" FINAL` });
  await client.close();
}

async function compareQuestions(
  state: string,
  organisation: Organisation,
  embedded: ServedProcess,
  elsewhere: ServedProcess,
) {
  const clients = [embedded, elsewhere].map(({ url }) => new PlumbClient(url, organisation.key));
  const rows: string[][] = [];
  // No answer of an earlier round is asked for again.
  firstDay += 100;
  await untilAnswered(elsewhere.url, organisation.key);
  for (const { name, path, body } of questions) {
    // Another last day every time, so that no answer is known.
    const answers = await Promise.all(
      clients.map((client) => client.ask(path, body(daysAfter(endOfHistory, firstDay + 999)))),
    );
    if (answers[0] !== answers[1]) throw new Error(`${name}: the answers are not the same`);
    const times: number[] = [];
    for (const client of clients) {
      times.push((await timed((round) => client.ask(path, body(daysAfter(endOfHistory, firstDay + round))))).ms);
    }
    const [here = 0, there = 0] = times;
    rows.push([name, ms(here), ms(there), (there / here).toFixed(2), ms(there - here)]);
  }
  for (const client of clients) client.close();
  console.log('');
  printTable([`question, ${state}`, 'DuckDB (ms)', 'ClickHouse (ms)', 'ratio', 'difference (ms)'], rows);
}

/** A server publishes what it has missed when it starts, and says so by 503. */
async function untilAnswered(url: string, key: string): Promise<void> {
  const headers = { authorization: key, 'content-type': 'application/json' };
  const ask = () => fetch(`${url}/metrics/users-count`, { method: 'POST', headers, body: '{"filters":{}}' });
  let answer = await ask();
  for (let tries = 0; answer.status === 503 && tries < 60; tries += 1) {
    say(`it said to come back: ${await answer.text()}`);
    await pause(1_000);
    answer = await ask();
  }
}

function printChanges(embedded: ChangeCosts, elsewhere: ChangeCosts): void {
  const row = (what: string, pick: (costs: ChangeCosts) => number) => [
    what,
    ms(pick(embedded)),
    ms(pick(elsewhere)),
    (pick(elsewhere) / pick(embedded)).toFixed(2),
  ];
  printTable(
    ['change, published', 'DuckDB (ms)', 'ClickHouse (ms)', 'ratio'],
    [
      row(`one person onboarded of ${whole(size.people)}`, ({ onboarding }) => onboarding),
      row('one person brought', ({ onePerson }) => onePerson),
      row(`${sizesOfChanges.people} people brought`, ({ people }) => people),
      row('each further person', perPerson),
      row(`${sizesOfChanges.records} pull requests brought`, ({ records }) => records),
    ],
  );
}

async function bytesOf({ file }: Organisation): Promise<{ readonly embedded: number; readonly elsewhere: number }> {
  const client = createClient({ url: tablesUrl });
  const query = 'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase()';
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ bytes: string }>();
  await client.close();
  return { embedded: statSync(file).size, elsewhere: Number(row?.bytes) };
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
