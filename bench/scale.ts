// `npm run bench:scale`: the same pull requests in DuckDB files and in ClickHouse, moved there by `plumb migrate`, and the same
// questions to a server of each over HTTP, none of them answered before: ratios of one run. Then what each takes to
// publish a change of the directory and to take records. PLUMB_BENCH_SHARE=0.01 runs a hundredth of it. ClickHouse is the
// server at CLICKHOUSE_URL (an empty database), or the engine of the tests: one statement at a time, and tables of some
// 300,000 rows at most, since it hands over each answer as one text.
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from '@clickhouse/client';
import { startClickHouseServer } from '../test/setup/clickhouse-server.ts';
import { startPostgresServer } from '../test/setup/postgres-server.ts';
import { timed } from './query/measuring.ts';
import { PlumbClient } from './query/plumb-client.ts';
import { questions } from './query/questions.ts';
import { ms, printTable, whole } from './query/report.ts';
import { daysAfter, endOfHistory, large, type Size, share } from './query/sizes.ts';
import { makeOrganisations, type Organisation } from './query/world.ts';
import { type ChangeCosts, changeCosts, sizesOfChanges } from './scale/change-costs.ts';
import { plumb, type ServedProcess, startPlumb } from './served-process.ts';

const size: Size = {
  ...large,
  pullRequests: Math.max(1_000, Math.round(10_000_000 * share)),
  deployments: Math.max(100, Math.round(300_000 * share)),
};
const isGiven = process.env.CLICKHOUSE_URL !== undefined;

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
  const began = performance.now();
  const moved = (await plumb(data, 'migrate', '--to', postgres.url, '--to', tablesUrl)) as { rows: number };
  const seconds = (performance.now() - began) / 1_000;
  const bytes = await bytesOf(organisation);
  say('asking both');
  const embedded = await startPlumb(data);
  const elsewhere = await startPlumb(join(folder, 'elsewhere'), {
    DATABASE_URL: postgres.url,
    CLICKHOUSE_URL: tablesUrl,
  });
  try {
    await compareQuestions(organisation, embedded, elsewhere);
    say('changing both');
    printChanges(await changeCosts(embedded.url, organisation), await changeCosts(elsewhere.url, organisation));
  } finally {
    await embedded.stop();
    await elsewhere.stop();
  }
  console.log(
    `moving and comparing ${whole(moved.rows)} rows: ${seconds.toFixed(1)} s, ${whole(moved.rows / seconds)} a second`,
  );
  console.log(
    `bytes a row on the disk: DuckDB ${(bytes.embedded / moved.rows).toFixed(0)}, ClickHouse ${(bytes.elsewhere / moved.rows).toFixed(0)}`,
  );
  if (!isGiven)
    console.log('ClickHouse was the engine of the tests, behind a door that takes one statement at a time.');
} finally {
  await clickhouse.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function compareQuestions(organisation: Organisation, embedded: ServedProcess, elsewhere: ServedProcess) {
  const clients = [embedded, elsewhere].map(({ url }) => new PlumbClient(url, organisation.key));
  const rows: string[][] = [];
  await untilAnswered(elsewhere.url, organisation.key);
  for (const { name, path, body } of questions) {
    // Another last day every time, so that no answer is known.
    const answers = await Promise.all(clients.map((client) => client.ask(path, body(daysAfter(endOfHistory, 999)))));
    if (answers[0] !== answers[1]) throw new Error(`${name}: the answers are not the same`);
    const times: number[] = [];
    for (const client of clients) {
      times.push((await timed((round) => client.ask(path, body(daysAfter(endOfHistory, round))))).ms);
    }
    const [here = 0, there = 0] = times;
    rows.push([name, ms(here), ms(there), (there / here).toFixed(2)]);
  }
  for (const client of clients) client.close();
  console.log('');
  printTable(['question', 'DuckDB (ms)', 'ClickHouse (ms)', 'ratio'], rows);
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
    ['change', 'DuckDB (ms)', 'ClickHouse (ms)', 'ratio'],
    [
      row(`one person onboarded of ${whole(size.people)}, published`, ({ onboarding }) => onboarding),
      row(`${sizesOfChanges.people} people brought, published`, ({ people }) => people),
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
