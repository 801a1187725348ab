// `npm run bench:query`: questions to Plumb over HTTP, none of them answered before, beside the same questions written by
// hand to the same engine and to PostgreSQL, in one run. All three have to give the same numbers. Absolute times are this
// machine's; ratios carry over. PLUMB_BENCH_SHARE=0.01 runs a hundredth of it, to try it out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCached, type Throughput } from './query/cached.ts';
import { askFiles, cohortBody, comparedBy, comparedWith, ofAll } from './query/cohort.ts';
import { BareEngine } from './query/engine.ts';
import { askForExports, type Export, exportByEngine, exportByPostgres, printExports } from './query/export.ts';
import { type Timing, timed } from './query/measuring.ts';
import { PlumbClient } from './query/plumb-client.ts';
import { openPostgres, Postgres } from './query/postgres.ts';
import type { BenchQuestion, ComparedRows } from './query/question.ts';
import { changeFailureRate, countPerWeek, cycleTimeByTeam, questions, timeToRestore } from './query/questions.ts';
import { ms, printGoal, printQuestions, printTable, type ReportLine, whole } from './query/report.ts';
import { difference, rowsOf } from './query/sameness.ts';
import { daysAfter, endOfHistory, memoryMegabytes, share, threads } from './query/sizes.ts';
import { type BenchWorld, makeWorld, type Organisation } from './query/world.ts';
import { startPlumb } from './served-process.ts';

interface TimedAnswer {
  readonly timing: Timing;
  readonly rows: ComparedRows;
}

interface AskedOfPlumb {
  readonly answers: readonly TimedAnswer[];
  readonly cohort: TimedAnswer;
  readonly growing: readonly { readonly name: string; readonly large: Timing; readonly young: Timing }[];
  readonly cached: Throughput;
  readonly exported: Export;
}

/** Questions for the organisation of three million and for the one of a year. */
const growing = [countPerWeek, cycleTimeByTeam];
/** Quick ones, to ask many times. */
const brief = [changeFailureRate, timeToRestore];
const warmUps = 500;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
const differences: string[] = [];

try {
  say(`making the organisations (share ${share})`);
  const world = await makeWorld(join(folder, 'data'));
  const plumb = await askPlumb(world);
  const engine = await BareEngine.open(world.all);
  try {
    const byEngine = await askEngine(engine, world);
    const byPostgres = await askPostgres(engine, world);
    console.log('');
    const about = `benchmark of cycle time, a year, ${world.all.length} organisations`;
    printQuestions([
      ...questions.map(({ name }, i) => line(name, plumb.answers[i], byEngine.answers[i], byPostgres.answers?.[i])),
      line(about, plumb.cohort, byEngine.cohort, byPostgres.cohort),
    ]);
    printExports(plumb.exported, byEngine.exported, byPostgres.exported, differences);
    printGrowth(plumb.growing, byEngine.growing);
    const { cached } = plumb;
    printGoal(
      `answers that are known (${cached.bytes} bytes)`,
      `${whole(cached.plumb)} a second, bare node:http ${whole(cached.bare)}, ratio ${whole(cached.ratio * 100)} %`,
      '50 % or more',
      cached.ratio >= 0.5,
    );
    if (byPostgres.missing !== undefined) {
      console.log(`\nTHERE IS NO POSTGRESQL, so nothing was compared with it: ${byPostgres.missing}`);
    }
  } finally {
    engine.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (differences.length > 0) {
  console.log(`\nTHE ANSWERS ARE NOT THE SAME:\n${differences.map((text) => `  ${text}`).join('\n')}`);
  process.exitCode = 1;
}

/** Everything that is asked of the served Plumb. It is stopped at the end: its files are opened by one process at a time. */
async function askPlumb({ folder: data, large, young }: BenchWorld): Promise<AskedOfPlumb> {
  const server = await startPlumb(data, { PLUMB_THREADS: String(threads), PLUMB_MEMORY: `${memoryMegabytes}MiB` });
  const client = new PlumbClient(server.url, large.key);
  const another = new PlumbClient(server.url, young.key);
  try {
    say('warming up');
    await warmUp(client);
    say('asking Plumb');
    const answers = await inTurn(questions, (question) => askedOfPlumb(client, question));
    const between = { answers, cohort: await cohortOfPlumb(client) };
    say('asking Plumb again, about a short history and about what it knows');
    const grown = await inTurn(growing, async (question) => ({
      name: question.name,
      large: (await askedOfPlumb(client, question, 100)).timing,
      young: (await askedOfPlumb(another, question, 100)).timing,
    }));
    const cached = await measureCached(server, large.key, countPerWeek, folder);
    say('exporting');
    const exported = await askForExports(client, server.pid);
    return { ...between, growing: grown, cached, exported };
  } finally {
    client.close();
    another.close();
    await server.stop();
  }
}

/** Another last day every time, so that no answer is known. */
async function askedOfPlumb(
  client: PlumbClient,
  { path, body, columns }: BenchQuestion,
  daysLater = 0,
): Promise<TimedAnswer> {
  const day = (round: number) => daysAfter(endOfHistory, daysLater + round);
  const timing = await timed((round) => client.ask(path, body(day(round))));
  const rows = rowsOf(JSON.parse(await client.ask(path, body(day(99)))), columns);
  return { timing, rows: client.total === undefined ? rows : [...rows, [client.total]] };
}

/** Until everything that answers is compiled, as it is in a server that has been up for some minutes. */
async function warmUp(client: PlumbClient): Promise<void> {
  const days = 1_000;
  for (let round = 0; round < warmUps; round += 1) {
    for (const { path, body } of brief) await client.ask(path, body(daysAfter(endOfHistory, days + round)));
  }
}

async function cohortOfPlumb(client: PlumbClient): Promise<TimedAnswer> {
  let answer = '';
  const timing = await timed(async (round) => {
    answer = await client.ask('benchmark', cohortBody(daysAfter(endOfHistory, round)));
  });
  return { timing, rows: comparedBy(answer) };
}

async function asked(ask: () => Promise<ComparedRows>): Promise<TimedAnswer> {
  let rows: ComparedRows = [];
  const timing = await timed(async () => {
    rows = await ask();
  });
  return { timing, rows };
}

/** With the number of all rows behind the first of them, where that is asked for. */
async function rowsBy(
  by: { rows(sql: string): Promise<ComparedRows> },
  first: string,
  total: string | undefined,
): Promise<ComparedRows> {
  const rows = await by.rows(first);
  return total === undefined ? rows : [...rows, ...(await by.rows(total)).map(([count]) => [Number(count)])];
}

async function askEngine(engine: BareEngine, world: BenchWorld) {
  say('asking the engine');
  await engine.turnTo(world.large);
  return {
    answers: await inTurn(questions, ({ duckdb, total }) => asked(() => rowsBy(engine, duckdb, total?.duckdb))),
    cohort: compared(await asked(() => askFiles(engine, world.all))),
    exported: await exportByEngine(engine, folder),
    growing: await growthOfEngine(engine, world),
  };
}

interface AskedOfPostgres {
  readonly answers?: readonly TimedAnswer[];
  readonly cohort?: TimedAnswer;
  readonly exported?: Export;
  /** Why there is nothing. */
  readonly missing?: string;
}

async function askPostgres(engine: BareEngine, world: BenchWorld): Promise<AskedOfPostgres> {
  say('loading PostgreSQL');
  const postgres = await openPostgres(engine, world.all);
  if (!(postgres instanceof Postgres)) return postgres;
  try {
    say('asking PostgreSQL');
    return {
      answers: await inTurn(questions, (question) =>
        asked(() => rowsBy(postgres, question.postgres, question.total?.postgres)),
      ),
      cohort: compared(await asked(() => postgres.rows(ofAll))),
      exported: await exportByPostgres(postgres),
    };
  } finally {
    await postgres.close();
  }
}

function compared({ timing, rows }: TimedAnswer): TimedAnswer {
  return { timing, rows: comparedWith(rows) };
}

async function growthOfEngine(engine: BareEngine, { large, young }: BenchWorld): Promise<readonly number[]> {
  const time = async (organisation: Organisation, { duckdb }: BenchQuestion) => {
    await engine.turnTo(organisation);
    return (await timed(() => engine.rows(duckdb))).ms;
  };
  return inTurn(growing, async (question) => (await time(large, question)) / (await time(young, question)));
}

function line(
  name: string,
  plumb: TimedAnswer | undefined,
  engine: TimedAnswer | undefined,
  postgres: TimedAnswer | undefined,
): ReportLine {
  if (!plumb || !engine) throw new Error(`${name} was not asked`);
  for (const [who, other] of [
    ['the engine', engine],
    ['PostgreSQL', postgres],
  ] as const) {
    const found = other && difference(plumb.rows, other.rows);
    if (found) differences.push(`${name}, Plumb and ${who}: ${found}`);
  }
  return { name, plumb: plumb.timing, engine: engine.timing, postgres: postgres?.timing };
}

function printGrowth(lines: AskedOfPlumb['growing'], byEngine: readonly number[]): void {
  const rows = lines.map(({ name, large, young }, i) => [
    name,
    ms(large.ms),
    ms(young.ms),
    (large.ms / young.ms).toFixed(2),
    large.ms / young.ms <= 1.3 ? 'reached ≤ 1.3 ×' : 'MISSED ≤ 1.3 ×',
    (byEngine[i] ?? 0).toFixed(2),
  ]);
  printTable(['the same window', 'ten years (ms)', 'one year (ms)', 'ratio', 'goal', 'ratio by hand'], rows);
}

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

function say(what: string): void {
  console.error(`${new Date().toISOString().slice(11, 19)} ${what}`);
}
