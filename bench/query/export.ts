import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { servingProcess } from '../scale/process-costs.ts';
import type { BareEngine } from './engine.ts';
import { MemoryWatch, type Timing, timedLong } from './measuring.ts';
import type { PlumbClient } from './plumb-client.ts';
import type { Postgres } from './postgres.ts';
import { exportFrom } from './questions.ts';
import { megabytes, ms, printGoal, printTable, whole } from './report.ts';
import { Digest, rowsOf } from './sameness.ts';
import { beginOfLast, daysAfter, endOfHistory, exports } from './sizes.ts';

const usual = exportFrom(beginOfLast(exports.usual));
const long = exportFrom(beginOfLast(exports.long));

/** What exporting takes in one way, and what comes of it. */
export interface Export {
  readonly timing: Timing;
  readonly digest: Digest;
  /** How much more memory the server had at most, than before the first of them. */
  readonly growth?: { readonly usual: number | undefined; readonly long: number | undefined };
  /** How long the long one took. */
  readonly longMs?: number;
}

export interface EngineExport extends Export {
  /** The engine's own way to write JSON. */
  readonly copy: Timing;
  readonly sortedCopy: Timing;
}

export async function askForExports(client: PlumbClient, pid: number): Promise<Export> {
  let round = 0;
  const lastDay = () => daysAfter(endOfHistory, round++);
  const drain = ({ path, body } = usual) => client.read(path, body(lastDay()), () => {});
  // What the engine keeps of the file in memory is not what an answer costs: it has read all the columns before.
  for (const { name } of long.columns) {
    const first = { ...long.body(lastDay()), metrics: undefined, order_by: name, limit: 1 };
    await client.ask('pull-requests-count', first);
  }
  const memory = new MemoryWatch(servingProcess(pid));
  const timing = await memory.during(() => timedLong(() => drain()));
  const growthOfShort = memory.growth;
  const began = performance.now();
  await memory.during(() => drain(long));
  const growth = { usual: growthOfShort, long: memory.growth };
  const longMs = performance.now() - began;
  const digest = new Digest();
  const answer = await client.ask(usual.path, usual.body(lastDay()));
  for (const row of rowsOf(JSON.parse(answer), usual.columns)) digest.add(row);
  return { timing, digest, growth, longMs };
}

export async function exportByEngine(engine: BareEngine, folder: string): Promise<EngineExport> {
  const file = join(folder, 'rows.json');
  const copy = (sql: string) => timedLong(() => engine.run(`COPY (${sql}) TO '${file}' (FORMAT json)`));
  const asText = `SELECT to_json(one)::VARCHAR FROM (${usual.duckdb}) AS one`;
  const digest = new Digest();
  await engine.texts(asText, (text) => addTo(digest, text));
  const made = {
    digest,
    timing: await timedLong(() => engine.texts(asText, () => {})),
    copy: await copy(usual.duckdb),
    sortedCopy: await copy(`${usual.duckdb} ORDER BY pr.pr_id`),
  };
  rmSync(file);
  return made;
}

export async function exportByPostgres(postgres: Postgres): Promise<Export> {
  const asText = `SELECT row_to_json(one)::text FROM (${usual.postgres}) AS one`;
  const digest = new Digest();
  for (const [text] of await postgres.rows(asText)) addTo(digest, String(text));
  return { digest, timing: await timedLong(() => postgres.rows(asText)) };
}

function addTo(digest: Digest, text: string): void {
  for (const row of rowsOf([JSON.parse(text)], usual.columns)) digest.add(row);
}

export function printExports(
  plumb: Export,
  engine: EngineExport,
  postgres: Export | undefined,
  differences: string[],
): void {
  const { rows } = plumb.digest;
  const line = (name: string, { ms: took }: Timing) => [
    name,
    ms(took),
    whole((rows * 1_000) / took),
    `${whole((engine.copy.ms / took) * 100)} %`,
  ];
  printTable(
    [`${whole(rows)} rows as JSON`, 'ms', 'rows a second', 'speed of the copy'],
    [
      line('Plumb, streamed', plumb.timing),
      line('the engine’s own copy into a file', engine.copy),
      line('the same in the order of ids', engine.sortedCopy),
      line('by hand, one text a row', engine.timing),
      ...(postgres ? [line('PostgreSQL, one text a row', postgres.timing)] : []),
    ],
  );
  const ratio = engine.copy.ms / plumb.timing.ms;
  printGoal('Plumb against the copy', `${whole(ratio * 100)} %`, '40 % or more', ratio >= 0.4);
  const [some, more] = [plumb.growth?.usual, plumb.growth?.long];
  printGoal(
    `memory for ${whole(exports.usual)} rows`,
    megabytes(some),
    '250 MB at most',
    some === undefined ? undefined : some <= 250e6,
  );
  printGoal(
    `memory for ${whole(exports.long)} rows (${ms(plumb.longMs ?? 0)} ms)`,
    megabytes(more),
    'no more than for the fewer, 50 MB aside',
    some === undefined || more === undefined ? undefined : more <= some + 50e6,
  );
  console.log('');
  for (const [who, other] of [
    ['the engine', engine],
    ['PostgreSQL', postgres],
  ] as const) {
    if (other && String(other.digest) !== String(plumb.digest)) {
      differences.push(`all rows, Plumb and ${who}: ${plumb.digest} and ${other.digest}`);
    }
  }
}
