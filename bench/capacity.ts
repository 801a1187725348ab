// `npm run bench:capacity`: what a row and a question take of the disk, of processors and of memory, with a data folder and
// with PostgreSQL and ClickHouse, on the records of the demo: the raw numbers of the capacity model in docs/operating/measured.md.
// PLUMB_BENCH_SCALE=0.12 takes four times as many. ClickHouse is the engine of the tests, one statement at a time. On Linux.
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@clickhouse/client';
import pg from 'pg';
import { startClickHouseServer } from '../test/setup/clickhouse-server.ts';
import { startPostgresServer } from '../test/setup/postgres-server.ts';
import { type MeasuredCosts, printExpectedSizes } from './capacity/expected-sizes.ts';
import { PlumbClient } from './query/plumb-client.ts';
import { questions } from './query/questions.ts';
import { megabytes, printTable, whole } from './query/report.ts';
import { dayOf, daysAfter, endOfHistory, secondsOf } from './query/sizes.ts';
import { childRunning, memoryOf, processorSeconds } from './scale/process-costs.ts';
import { plumbWith, startPlumb } from './served-process.ts';

const scale = process.env.PLUMB_BENCH_SCALE ?? '0.03';
delete process.env.PLUMB_BENCH_SCALE;
delete process.env.CLICKHOUSE_URL;
const lastDay = dayOf(secondsOf(endOfHistory) - 86_400);
const asking = { clients: 8, seconds: 15 } as const;

type Environment = Readonly<Record<string, string>>;
/** Processes that work for one place, by name. */
type Workers = Readonly<Record<string, number>>;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-capacity-'));
const postgres = await startPostgresServer({ durable: true });
const clickhouse = await startClickHouseServer();
const engines = { PostgreSQL: childRunning('postgres') ?? 0, ClickHouse: childRunning('clickhouse-server') ?? 0 };
try {
  const files = join(folder, 'data');
  const [ingested, moved] = [await newPlace('ingested'), await newPlace('moved')];
  const embedded = await measure('a data folder', { PLUMB_DATA: files }, {});
  const apart = await measure(
    'PostgreSQL and ClickHouse',
    { PLUMB_DATA: join(folder, 'server'), ...ingested },
    engines,
  );
  say('moving the data folder, to weigh its rows');
  await plumbWith({ PLUMB_DATA: files }, 'migrate', '--to', moved.DATABASE_URL, '--to', moved.CLICKHOUSE_URL);
  const bytes = await printBytes(files, moved, embedded.people);
  printExpectedSizes('a data folder', { ...embedded.costs, bytesOfRow: bytes.inFiles });
  printExpectedSizes('PostgreSQL and ClickHouse', { ...apart.costs, bytesOfRow: bytes.inClickHouse });
  console.log(
    `demo at scale ${scale}; ${availableParallelism()} processors, ${process.arch}; the ClickHouse engine of the tests, behind a door that takes one statement at a time.`,
  );
} finally {
  await clickhouse.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function newPlace(name: string): Promise<{ readonly DATABASE_URL: string; readonly CLICKHOUSE_URL: string }> {
  const database = new pg.Client({ connectionString: postgres.url });
  await database.connect();
  await database.query(`CREATE DATABASE ${name}`);
  await database.end();
  const client = createClient({ url: clickhouse.url });
  await client.command({ query: `CREATE DATABASE ${name}` });
  await client.close();
  return {
    DATABASE_URL: new URL(`/${name}`, postgres.url).href,
    CLICKHOUSE_URL: new URL(`/${name}`, clickhouse.url).href,
  };
}

interface Measured {
  readonly people: number;
  readonly costs: Omit<MeasuredCosts, 'bytesOfRow'>;
}

/** Fills a server with the demo, and asks it. */
async function measure(name: string, environment: Environment, others: Workers): Promise<Measured> {
  say(`filling ${name}`);
  const server = await startPlumb(environment.PLUMB_DATA ?? '', environment);
  const workers: Workers = { Plumb: server.pid, ...others };
  try {
    const taking = meter(workers);
    const words = ['demo', '--scale', scale, '--until', lastDay];
    const made = (await plumbWith(environment, ...words)) as { id: string; people: number; owner_email: string }[];
    const taken = taking();
    const { rows, pullRequests } = await rowsOf(environment);
    const largest = made.toSorted((a, b) => b.people - a.people)[0];
    if (!largest) throw new Error('there is no demo');
    const { id, owner_email } = largest;
    const key = ['key', 'create', '--org', id, '--as', owner_email, '--name', 'bench'];
    const { key: secret } = (await plumbWith(environment, ...key)) as { key: string };
    say(`asking ${name}`);
    const asked = await ask(server.url, secret, workers);
    console.log(`\n${name}: ${whole(rows)} rows taken in ${taken.wallSeconds.toFixed(0)} s`);
    printTable(
      ['', ...Object.keys(workers)],
      [
        ['processor, µs a row taken', ...cells(workers, (one) => ((taken.seconds[one] ?? 0) * 1e6) / rows)],
        ['processor, ms a question', ...cells(workers, (one) => ((asked.seconds[one] ?? 0) * 1e3) / asked.answers, 1)],
        ['memory now, MB', ...cells(workers, (one) => memoryOf(workers[one] ?? 0) / 1e6)],
      ],
    );
    const perSecond = (asked.answers / asked.wallSeconds).toFixed(1);
    console.log(`${perSecond} questions a second, none answered before, ${asking.clients} clients, one organisation`);
    const all = (seconds: Readonly<Record<string, number>>) =>
      Object.values(seconds).reduce((sum, one) => sum + one, 0);
    return {
      people: made.reduce((sum, { people }) => sum + people, 0),
      costs: {
        rowsOfPullRequest: rows / pullRequests,
        microsecondsOfRow: (all(taken.seconds) * 1e6) / rows,
        millisecondsOfQuestion: (all(asked.seconds) * 1e3) / asked.answers,
      },
    };
  } finally {
    await server.stop();
  }
}

function cells(workers: Workers, value: (name: string) => number, digits = 0): string[] {
  return Object.keys(workers).map((name) => value(name).toFixed(digits));
}

/** Seconds of processors and of the clock from now on. */
function meter(workers: Workers) {
  const read = () => Object.fromEntries(Object.entries(workers).map(([name, pid]) => [name, processorSeconds(pid)]));
  const [before, began] = [read(), performance.now()];
  return () => {
    const now = read();
    const seconds = Object.fromEntries(Object.keys(now).map((name) => [name, (now[name] ?? 0) - (before[name] ?? 0)]));
    return { seconds: seconds as Readonly<Record<string, number>>, wallSeconds: (performance.now() - began) / 1_000 };
  };
}

async function ask(url: string, key: string, workers: Workers) {
  let [answers, round] = [0, 0];
  const askOne = async (client: PlumbClient) => {
    const question = questions[round % questions.length];
    round += 1;
    // Another last day every time, so that no answer is known.
    await client.ask(question?.path ?? '', question?.body(daysAfter(endOfHistory, round)) ?? {});
  };
  const clients = Array.from({ length: asking.clients }, () => new PlumbClient(url, key));
  for (let i = 0; i < questions.length; i += 1) await askOne(clients[0] as PlumbClient);
  const asked = meter(workers);
  const until = performance.now() + asking.seconds * 1_000;
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < until; answers += 1) await askOne(client);
    }),
  );
  for (const client of clients) client.close();
  return { answers, ...asked() };
}

/** Of all organisations, in tables of what happened. */
async function rowsOf(environment: Environment): Promise<{ readonly rows: number; readonly pullRequests: number }> {
  const { organisations } = (await plumbWith(environment, 'status')) as {
    organisations: { tables: { table: string; rows: number }[] }[];
  };
  const tables = organisations.flatMap((organisation) => organisation.tables);
  const sum = (some: typeof tables) => some.reduce((all, { rows }) => all + rows, 0);
  return { rows: sum(tables), pullRequests: sum(tables.filter(({ table }) => table === 'pull_requests')) };
}

async function printBytes(
  files: string,
  moved: Environment,
  people: number,
): Promise<{ readonly inFiles: number; readonly inClickHouse: number }> {
  const client = createClient({ url: moved.CLICKHOUSE_URL ?? '' });
  const query = `SELECT table, toFloat64(sum(rows)) AS rows, toFloat64(sum(bytes_on_disk)) AS bytes
    FROM system.parts WHERE active AND database = currentDatabase() AND table != 'layout' GROUP BY table ORDER BY bytes DESC`;
  const tables = await (await client.query({ query, format: 'JSONEachRow' })).json<{
    table: string;
    rows: number;
    bytes: number;
  }>();
  await client.close();
  const largest = tables.slice(0, 12).map(({ table, rows, bytes }) => [table, whole(rows), (bytes / rows).toFixed(0)]);
  console.log('');
  printTable(['table in ClickHouse', 'rows', 'bytes a row'], largest);
  const total = (of: 'rows' | 'bytes') => tables.reduce((sum, table) => sum + table[of], 0);
  const warehouses = readdirSync(join(files, 'warehouse'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { name }) => sum + statSync(join(files, 'warehouse', name)).size, 0);
  const database = new pg.Client({ connectionString: moved.DATABASE_URL });
  await database.connect();
  // An empty database takes some megabytes itself.
  const { rows: sizes } = await database.query(
    "SELECT (pg_database_size(current_database()) - pg_database_size('template1'))::float8 AS bytes",
  );
  await database.end();
  const perRow = (bytes: number) => `${megabytes(bytes)}, ${(bytes / total('rows')).toFixed(0)} bytes a row`;
  console.log(`${whole(total('rows'))} rows of ${whole(people)} people`);
  console.log(`tables as DuckDB files: ${perRow(warehouses)}`);
  console.log(`tables in ClickHouse: ${perRow(total('bytes'))}`);
  console.log(
    `store in PostgreSQL, above an empty database: ${megabytes(sizes[0]?.bytes)}, ${whole(sizes[0]?.bytes / people)} bytes a person`,
  );
  return { inFiles: warehouses / total('rows'), inClickHouse: total('bytes') / total('rows') };
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
