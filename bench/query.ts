// `npm run bench:query`: questions to Plumb over HTTP, none of them answered before, and in turn with them the same
// questions written by hand to the same engine over copies of the same files; then to PostgreSQL. All three have to give
// the same numbers. Absolute times are this machine's; ratios carry over. PLUMB_BENCH_SHARE=0.01 runs a hundredth of it,
// to try it out.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureCached, type Throughput } from './query/cached.ts';
import { askFiles, cohortBody, comparedBy, comparedWith, ofAll } from './query/cohort.ts';
import { BareEngine } from './query/engine.ts';
import {
  askForExports,
  type EngineExport,
  type Export,
  exportByEngine,
  exportByPostgres,
  printExports,
} from './query/export.ts';
import { type Timing, timed, timedInTurn } from './query/measuring.ts';
import { PlumbClient } from './query/plumb-client.ts';
import { openPostgres, Postgres } from './query/postgres.ts';
import type { BenchQuestion, ComparedRows, EngineQuestion } from './query/question.ts';
import {
  changeFailureRate,
  countPerWeek,
  countPerWeekByTeam,
  cycleTimeByTeam,
  questions,
  timeToRestore,
} from './query/questions.ts';
import { ms, printGoal, printQuestions, printTable, type ReportLine, whole } from './query/report.ts';
import { difference, rowsOf } from './query/sameness.ts';
import { daysAfter, endOfHistory, memoryMegabytes, share, threads } from './query/sizes.ts';
import { newAnswersPerSecond, printTiny, type TinyLine } from './query/tiny.ts';
import { type BenchWorld, copyOf, makeWorld } from './query/world.ts';
import { startPlumb } from './served-process.ts';

interface TimedAnswer {
  readonly timing: Timing;
  readonly rows: ComparedRows;
}

/** What was asked in two ways, in turn. */
interface Asked<T> {
  readonly plumb: T;
  readonly engine: T;
}

interface Growth {
  readonly name: string;
  readonly large: Asked<Timing>;
  readonly young: Asked<Timing>;
}

interface AskedOfBoth {
  readonly answers: readonly Asked<TimedAnswer>[];
  readonly cohort: Asked<TimedAnswer>;
  readonly growing: readonly Growth[];
  readonly tiny: { readonly lines: readonly TinyLine[]; readonly aSecond: number };
  readonly cached: Throughput;
  readonly exported: { readonly plumb: Export; readonly engine: EngineExport };
}

/** Questions for the organisation of three million and for the one of a year. */
const growingQuestions = [countPerWeek, cycleTimeByTeam];
/** Questions for the organisation of a thousand pull requests, the one that many ask at once first. */
const tinyQuestions = [countPerWeekByTeam, countPerWeek, cycleTimeByTeam, changeFailureRate];
/** Quick ones, to ask many times. */
const brief = [changeFailureRate, timeToRestore];
const warmUps = 500;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
const differences: string[] = [];

try {
  say(`making the organisations (share ${share})`);
  const world = await makeWorld(join(folder, 'data'));
  const copies = copyOf(world, join(folder, 'copies'));
  const engine = await BareEngine.open(copies.all);
  try {
    const both = await askBoth(world, engine, copies);
    const byPostgres = await askPostgres(engine, copies);
    console.log('');
    const about = `benchmark of cycle time, a year, ${world.all.length} organisations`;
    printQuestions([
      ...questions.map(({ name }, i) => line(name, both.answers[i], byPostgres.answers?.[i])),
      line(about, both.cohort, byPostgres.cohort),
    ]);
    printExports(both.exported.plumb, both.exported.engine, byPostgres.exported, differences);
    printGrowth(both.growing);
    printTiny(both.tiny.lines, countPerWeekByTeam, both.tiny.aSecond);
    const { cached } = both;
    printGoal(
      `answers that are known (${cached.bytes} bytes)`,
      `${whole(cached.plumb)} a second, bare node:http ${whole(cached.bare)}, ratio ${whole(cached.ratio * 100)} %`,
      '60 % or more',
      cached.ratio >= 0.6,
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

/** Everything that is asked of the served Plumb and of the engine by itself, in turn. */
async function askBoth(world: BenchWorld, engine: BareEngine, copies: BenchWorld): Promise<AskedOfBoth> {
  const limits = { PLUMB_THREADS: String(threads), PLUMB_MEMORY: `${memoryMegabytes}MiB` };
  const server = await startPlumb(world.folder, limits);
  const client = new PlumbClient(server.url, world.large.key);
  const another = new PlumbClient(server.url, world.young.key);
  const ofTiny = new PlumbClient(server.url, world.tiny.key);
  try {
    say('warming up');
    await warmUp(client);
    say('asking');
    await engine.turnTo(copies.large);
    const answers = await inTurn(questions, (question) => askedOf(client, engine, question));
    const cohort = await cohortOf(client, engine, copies);
    say('asking again, about a short history and about what is known');
    const growing = await inTurn(growingQuestions, async (question) => {
      await engine.turnTo(copies.large);
      const large = await askedOf(client, engine, question, 100);
      await engine.turnTo(copies.young);
      const young = await askedOf(another, engine, question, 100);
      return { name: question.name, large: timingsOf(large), young: timingsOf(young) };
    });
    say('asking about a thousand pull requests');
    await engine.turnTo(copies.tiny);
    const tiny = {
      lines: await inTurn(tinyQuestions, async (question) =>
        tinyLine(question, await askedOf(ofTiny, engine, question)),
      ),
      aSecond: await newAnswersPerSecond(server.url, world.tiny.key, countPerWeekByTeam),
    };
    const cached = await measureCached(server, world.large.key, countPerWeek, folder);
    say('exporting');
    await engine.turnTo(copies.large);
    const exported = {
      plumb: await askForExports(client, server.pid),
      engine: await exportByEngine(engine, folder),
    };
    return { answers, cohort, growing, tiny, cached, exported };
  } finally {
    client.close();
    another.close();
    ofTiny.close();
    await server.stop();
  }
}

function askedOf(
  client: PlumbClient,
  engine: BareEngine,
  { path, body, columns, duckdb, total }: EngineQuestion & Pick<BenchQuestion, 'total'>,
  daysLater = 0,
): Promise<Asked<TimedAnswer>> {
  return inBothWays(
    (round) => client.ask(path, body(daysAfter(endOfHistory, daysLater + round))),
    (answer) => {
      const rows = rowsOf(JSON.parse(answer), columns);
      return client.total === undefined || !total ? rows : [...rows, [client.total]];
    },
    () => rowsBy(engine, duckdb, total?.duckdb),
  );
}

function cohortOf(client: PlumbClient, engine: BareEngine, copies: BenchWorld): Promise<Asked<TimedAnswer>> {
  return inBothWays(
    (round) => client.ask('benchmark', cohortBody(daysAfter(endOfHistory, round))),
    comparedBy,
    async () => comparedWith(await askFiles(engine, copies.all)),
  );
}

/** Plumb is asked for another last day in every round, so that it knows no answer. */
async function inBothWays(
  askPlumb: (round: number) => Promise<string>,
  rowsIn: (answer: string) => ComparedRows,
  askEngine: () => Promise<ComparedRows>,
): Promise<Asked<TimedAnswer>> {
  const [plumb, engine] = await timedInTurn([askPlumb, askEngine]);
  return {
    plumb: { timing: plumb, rows: rowsIn(await askPlumb(99)) },
    engine: { timing: engine, rows: await askEngine() },
  };
}

function tinyLine({ name }: EngineQuestion, { plumb, engine }: Asked<TimedAnswer>): TinyLine {
  const found = difference(plumb.rows, engine.rows);
  if (found) differences.push(`${name}, a thousand pull requests: ${found}`);
  return { name, plumb: plumb.timing, engine: engine.timing };
}

function timingsOf({ plumb, engine }: Asked<TimedAnswer>): Asked<Timing> {
  return { plumb: plumb.timing, engine: engine.timing };
}

/** Until everything that answers is compiled, as it is in a server that has been up for some minutes. */
async function warmUp(client: PlumbClient): Promise<void> {
  const days = 1_000;
  for (let round = 0; round < warmUps; round += 1) {
    for (const { path, body } of brief) await client.ask(path, body(daysAfter(endOfHistory, days + round)));
  }
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

function line(name: string, both: Asked<TimedAnswer> | undefined, postgres: TimedAnswer | undefined): ReportLine {
  if (!both) throw new Error(`${name} was not asked`);
  const { plumb, engine } = both;
  for (const [who, other] of [
    ['the engine', engine],
    ['PostgreSQL', postgres],
  ] as const) {
    const found = other && difference(plumb.rows, other.rows);
    if (found) differences.push(`${name}, Plumb and ${who}: ${found}`);
  }
  return { name, plumb: plumb.timing, engine: engine.timing, postgres: postgres?.timing };
}

function printGrowth(lines: readonly Growth[]): void {
  const rows = lines.map(({ name, large, young }) => {
    const [ratio, byHand] = [large.plumb.ms / young.plumb.ms, large.engine.ms / young.engine.ms];
    const goal = ratio <= 1.3 ? 'reached ≤ 1.3 ×' : 'MISSED ≤ 1.3 ×';
    return [name, ms(large.plumb.ms), ms(young.plumb.ms), ratio.toFixed(2), goal, byHand.toFixed(2)];
  });
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
