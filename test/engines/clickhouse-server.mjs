// A ClickHouse over HTTP for tests: the real engine (chdb) in this process, behind as much of the protocol as the client
// speaks. One statement at a time, but for the question whether another one still runs, which a server answers at any time;
// what the time is it is asked next.
// There are no users, no settings profiles, no cancelling and no replicas.
//   node clickhouse-server.mjs FOLDER [SETTING=VALUE…]     prints its port once it is ready
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const { Session } = createRequire(import.meta.url)('chdb');
const session = new Session(process.argv[2]);

/** They belong to the HTTP interface, or would shut this one session for good. */
const unsettable = new Set([
  'readonly',
  'wait_end_of_query',
  'cancel_http_readonly_queries_on_client_close',
  'enable_http_compression',
  'http_max_field_value_size',
]);
const ownParameters = new Set([
  'query',
  'query_id',
  'database',
  'default_format',
  'session_id',
  'session_timeout',
  'role',
]);

const literal = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
let [settingsNow, databaseNow] = ['', 'default'];
/** A server forgets the settings of a statement after it; a session keeps them. */
let namesNow = new Set();

session.query(`SET ${['max_query_size = 1000000000', ...process.argv.slice(3)].join(', ')}`, 'TabSeparated');

/** An engine without a wire reads what is sent in the body from a file. */
const bodyFile = resolve(process.argv[2], 'body.parquet');
const bodyPattern = /FROM input\((?<columns>'[^']*')\) FORMAT Parquet$/;

/** Answered as bytes: a text would end where V8's texts end, at half a gigabyte. */
async function perform(url, body, contentType) {
  const given = new Map(url.searchParams);
  if (contentType?.startsWith('multipart/form-data')) {
    for (const [name, value] of partsOf(body, /boundary=(.+)$/.exec(contentType)[1])) given.set(name, value);
  } else if (bodyPattern.test(given.get('query'))) {
    writeFileSync(bodyFile, body);
    const file = `FROM file(${literal(bodyFile)}, Parquet, $<columns>)`;
    given.set('query', given.get('query').replace(bodyPattern, file));
  } else {
    given.set('query', [given.get('query'), body.toString()].filter(Boolean).join('\n'));
  }
  const database = given.get('database') ?? 'default';
  // The client's other statements may create the database that it names.
  if (database !== databaseNow && /^\s*(CREATE|DROP) DATABASE/i.test(given.get('query')) === false) {
    session.query(`USE ${literal(database).replaceAll("'", '`')}`, 'TabSeparated');
    databaseNow = database;
  }
  const isParameter = (name) => name.startsWith('param_');
  const settings = [...given].filter(
    ([name]) => !isParameter(name) && !ownParameters.has(name) && !unsettable.has(name),
  );
  const said = settings.map(([name, value]) => `${name} = ${/^-?[0-9.]+$/.test(value) ? value : literal(value)}`);
  const isNew = said.length > 0 && said.join() !== settingsNow;
  // Said as the HTTP interface gets them: escaped, to be read by the type that the statement names.
  const parameters = [...given]
    .filter(([name]) => isParameter(name))
    .map(([name, value]) => `${name} = ${literal(value)}`);
  const names = new Set(settings.map(([name]) => name));
  const gone = [...(isNew ? namesNow : [])].filter((name) => !names.has(name)).map((name) => `${name} = DEFAULT`);
  const set = [...gone, ...(isNew ? said : []), ...parameters];
  if (set.length > 0) session.query(`SET ${set.join(', ')}`, 'TabSeparated');
  if (isNew) [settingsNow, namesNow] = [said.join(), names];
  const query = given.get('query');
  const format = /^\s*insert\s/i.test(query) ? undefined : /\sformat\s+([A-Za-z]+)\s*;?\s*$/i.exec(query);
  const [statement, name] = format ? [query.slice(0, format.index), format[1]] : [query, 'TabSeparated'];
  try {
    return (await session.queryAsync(statement, { format: name })).bytes();
  } finally {
    rmSync(bodyFile, { force: true });
  }
}

function* partsOf(body, boundary) {
  for (const part of body.toString().split(`--${boundary}`).slice(1, -1)) {
    const end = part.indexOf('\r\n\r\n');
    yield [/name="([^"]+)"/.exec(part.slice(0, end))[1], part.slice(end + 4, -2)];
  }
}

/** A server takes addresses of a megabyte, with what a statement is given. Node.js ends them at 16 KiB. */
const server = createServer({ maxHeaderSize: 1024 * 1024 }, (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  if (url.pathname === '/ping') return response.end('Ok.\n');
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (body.includes('FROM system.processes WHERE query_id')) {
      return response.end(`${Number(running.has(url.searchParams.get('param_id')))}\n`);
    }
    const queryId = url.searchParams.get('query_id');
    running.add(queryId);
    const perform = () => answer(url, body, request, response).finally(() => running.delete(queryId));
    // A turn to write is reckoned by this answer: one that came late would make every turn seem to be over.
    if (body.includes('toUnixTimestamp64Milli(now64(3))')) waiting.unshift(perform);
    else waiting.push(perform);
    void performAll();
  });
});

/** Statements that have come and are not answered. */
const running = new Set();
/** Those that are not begun, the next one first. */
const waiting = [];

let isAtWork = false;
async function performAll() {
  if (isAtWork) return;
  isAtWork = true;
  for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  isAtWork = false;
}

async function answer(url, body, request, response) {
  try {
    response.end(await perform(url, body, request.headers['content-type']));
  } catch (error) {
    const text = String(error.message);
    response.writeHead(500, { 'X-ClickHouse-Exception-Code': /Code: (\d+)/.exec(text)?.[1] ?? '0' });
    response.end(text.slice(Math.max(0, text.indexOf('Code:'))));
  }
}
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
// Whoever started it is gone when its pipe closes, however that ended.
process.stdin.on('end', () => process.exit()).resume();
