// `npm run bench:directory`: the directory and the HTTP edge, in one run. Absolute times are this machine's; what
// carries over is the ratio to a bare server measured beside it.
import { createWriteStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import autocannon from 'autocannon';
import { plumb, startBareServer, startPlumb } from './served-process.ts';

const people = 50_000;
const teams = 2_000;
const identifiers = 10_000;
const rounds = 5;
const loadSeconds = 5;

const folder = mkdtempSync(join(tmpdir(), 'plumb-bench-'));
const lines: string[] = [];

try {
  await measureColdStart();
  await measureLargeOrganisation();
  await measureThroughput();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(lines.join('\n'));

async function measureColdStart(): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const server = await startPlumb(join(folder, `cold-${round}`));
    times.push(server.startMs);
    await server.stop();
  }
  report('cold start of `plumb serve`, empty folder, until /readyz', median(times));
}

async function measureLargeOrganisation(): Promise<void> {
  const data = join(folder, 'large');
  const { id } = (await plumb(data, 'org', 'create', '--name', 'Large', '--owner-email', 'owner@large.example')) as {
    id: string;
  };
  const file = join(folder, 'people.ndjson');
  await writePeople(file);
  const importing = performance.now();
  await plumb(data, 'import', '--org', id, '--table', 'people', file);
  report(`import of ${people.toLocaleString('en')} people with ${teams.toLocaleString('en')} teams`, since(importing));
  const { key } = (await plumb(
    data,
    'key',
    'create',
    '--org',
    id,
    '--as',
    'owner@large.example',
    '--name',
    'bench',
  )) as {
    key: string;
  };
  const server = await startPlumb(data);
  try {
    const post = (from: number, to: number) => {
      const half = (from + to) / 2;
      return fetch(`${server.url}/users/onboarded-users-by-attributes`, {
        method: 'POST',
        headers: { authorization: key, 'content-type': 'application/json' },
        body: JSON.stringify({
          email_addresses: range(from, half).map((n) => `person.${n}@large.example`),
          github_usernames: range(half, to).map((n) => `person-${n}`),
        }),
      }).then((response) => response.json() as Promise<{ onboarded_count: number }>);
    };
    for (let from = 0; from < people; from += identifiers) {
      const began = performance.now();
      const { onboarded_count } = await post(from, from + identifiers);
      if (onboarded_count !== identifiers) throw new Error(`${onboarded_count} onboarded, not ${identifiers}`);
      if (from === 0) report('onboarding 10,000 identifiers in one request', since(began), 1_000);
    }
    await reportListing(
      'listing 50,000 onboarded users',
      `${server.url}/users/onboarded-users-by-attributes`,
      key,
      500,
    );
    await post(0, 2);
    await reportListing('GET /teams with 2,000 teams', `${server.url}/teams`, key, 200);
  } finally {
    await server.stop();
  }
}

/** The first answer after a change has to be worked out; the next ones are kept. */
async function reportListing(what: string, url: string, key: string, goalMs: number): Promise<void> {
  const first = await timedGet(url, key);
  const next = [];
  for (let round = 0; round < rounds; round += 1) next.push(await timedGet(url, key));
  report(`${what}, first after a change`, first, goalMs);
  report(`${what}, again`, median(next), goalMs);
}

async function measureThroughput(): Promise<void> {
  const data = join(folder, 'demo');
  const [{ id, owner_email }] = (await plumb(data, 'demo', '--scale', '0.03')) as [{ id: string; owner_email: string }];
  const { key } = (await plumb(data, 'key', 'create', '--org', id, '--as', owner_email, '--name', 'bench')) as {
    key: string;
  };
  const server = await startPlumb(data);
  const answered = await fetch(`${server.url}/teams`, {
    headers: { authorization: key, 'accept-encoding': 'identity' },
  });
  const bytes = Buffer.from(await answered.arrayBuffer());
  const bytesFile = join(folder, 'teams.json');
  writeFileSync(bytesFile, bytes);
  const bare = await startBareServer(bytesFile, answered.headers);
  try {
    const ratios: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const floor = await requestsPerSecond(`${bare.url}/`, {});
      const ours = await requestsPerSecond(`${server.url}/teams`, { authorization: key });
      ratios.push(ours / floor);
      lines.push(
        `GET /teams on the demo (${bytes.length} bytes): ${Math.round(ours)} requests/s, bare node:http ${Math.round(floor)}, ratio ${percent(ours / floor)}`,
      );
    }
    lines.push(`GET /teams against bare node:http, median ratio: ${percent(median(ratios))} (goal: 50 % or more)`);
  } finally {
    await bare.stop();
    await server.stop();
  }
}

async function requestsPerSecond(url: string, headers: Record<string, string>): Promise<number> {
  await autocannon({ url, headers, connections: 50, duration: 1 });
  const result = await autocannon({ url, headers, connections: 50, duration: loadSeconds });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.average;
}

async function timedGet(url: string, key: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers: { authorization: key } });
  await response.arrayBuffer();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return since(began);
}

async function writePeople(path: string): Promise<void> {
  const file = createWriteStream(path);
  for (const n of range(0, people)) {
    const person = {
      name: `Person ${n}`,
      main_email: `person.${n}@large.example`,
      emails: n % 5 === 0 ? [`person.${n}@large.example`, `p${n}@home.example`] : undefined,
      logins: { github: `person-${n}`, jira: `person.${n}` },
      teams: [`Team ${n % teams}`],
    };
    file.write(`${JSON.stringify(person)}\n`);
  }
  file.end();
  await finished(file);
}

function report(what: string, ms: number, goalMs?: number): void {
  const goal = goalMs === undefined ? '' : ` (goal: under ${goalMs} ms)`;
  lines.push(`${what}: ${Math.round(ms)} ms${goal}`);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

function since(began: number): number {
  return performance.now() - began;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function percent(ratio: number): string {
  return `${Math.round(ratio * 100)} %`;
}
