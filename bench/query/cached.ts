import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { type ServedProcess, startBareServer } from '../served-process.ts';
import { median } from './measuring.ts';
import type { BenchQuestion } from './question.ts';
import { endOfHistory } from './sizes.ts';

export interface Throughput {
  readonly bytes: number;
  readonly plumb: number;
  readonly bare: number;
  /** The median of the ratios of several rounds. */
  readonly ratio: number;
}

const rounds = 3;
const loadSeconds = 5;

/** Answers a second that Plumb gives once it knows them, beside node:http sending the same headers and bytes. */
export async function measureCached(
  server: ServedProcess,
  key: string,
  { path, body }: BenchQuestion,
  folder: string,
): Promise<Throughput> {
  const url = `${server.url}/metrics/${path}`;
  const headers = { authorization: key, 'content-type': 'application/json' };
  const asked = JSON.stringify(body(endOfHistory));
  const plain = { ...headers, 'accept-encoding': 'identity' };
  const answered = await fetch(url, { method: 'POST', headers: plain, body: asked });
  const bytes = Buffer.from(await answered.arrayBuffer());
  const file = join(folder, 'answer.json');
  writeFileSync(file, bytes);
  const bare = await startBareServer(file, answered.headers);
  try {
    const pairs: { readonly plumb: number; readonly bare: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const floor = await answersPerSecond(`${bare.url}/`, headers, asked);
      pairs.push({ bare: floor, plumb: await answersPerSecond(url, headers, asked) });
    }
    return {
      bytes: bytes.length,
      plumb: median(pairs.map(({ plumb }) => plumb)),
      bare: median(pairs.map(({ bare }) => bare)),
      ratio: median(pairs.map(({ plumb, bare }) => plumb / bare)),
    };
  } finally {
    await bare.stop();
  }
}

async function answersPerSecond(url: string, headers: Record<string, string>, body: string): Promise<number> {
  const load = { url, method: 'POST', headers, body, connections: 50 } as const;
  await autocannon({ ...load, duration: 1 });
  const { non2xx, errors, requests } = await autocannon({ ...load, duration: loadSeconds });
  if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} refused, ${errors} failed`);
  return requests.average;
}
