import { median } from '../query/measuring.ts';
import type { Organisation } from '../query/world.ts';

/** Milliseconds until a change is acknowledged, which is when questions know of it. */
export interface ChangeCosts {
  readonly onboarding: number;
  readonly onePerson: number;
  readonly people: number;
  readonly records: number;
}

export const sizesOfChanges = { people: 500, records: 1_000 } as const;

/** What each further person of a change adds, in milliseconds. */
export const perPerson = ({ onePerson, people }: ChangeCosts): number =>
  (people - onePerson) / (sizesOfChanges.people - 1);
/** Small changes, each of which replaces some of the pull requests that were brought before. */
const batches = { count: 40, rows: 25 } as const;
const rounds = 5;

type Send = (path: string, body: unknown) => Promise<number>;

const sendingTo =
  (url: string, { key }: Organisation): Send =>
  async (path, body) => {
    const headers = { authorization: key, 'content-type': 'application/json' };
    const began = performance.now();
    const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return performance.now() - began;
  };

const record = (round: number, i: number) => ({
  pr_id: `bench-${round}-${i}`,
  repository: `acme/new-${round}`,
  pr_state: 'merged',
  pr_created_at: '2025-06-01T10:00:00Z',
  pr_merged_at: '2025-06-02T10:00:00Z',
  person_login: `person-${i}`,
  source: 'github',
});

/**
 * Replaces pull requests in many small changes, after `changeCosts` has brought them. How many were replaced.
 */
export async function changeInSmallBatches(url: string, organisation: Organisation): Promise<number> {
  const send = sendingTo(url, organisation);
  for (let batch = 0; batch < batches.count; batch += 1) {
    const rows = Array.from({ length: batches.rows }, (_, i) => {
      const place = batch * batches.rows + i;
      return { ...record(place % rounds, Math.floor(place / rounds)), pr_title: `Changed in ${batch}` };
    });
    await send('/ingest/pull_requests', rows);
  }
  return batches.count * batches.rows;
}

/** What a server takes for changes, each of which is another one. */
export async function changeCosts(url: string, organisation: Organisation): Promise<ChangeCosts> {
  const send = sendingTo(url, organisation);
  const each = async (work: (round: number) => Promise<number>) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) times.push(await work(round));
    return median(times);
  };
  const person = (round: string, i: number) => ({
    main_email: `new-${round}-${i}@bench.example`,
    name: `New ${round} ${i}`,
    onboarded: false,
  });
  const bring = (count: number, of: string) =>
    each((round) =>
      send(
        '/ingest/people',
        Array.from({ length: count }, (_, i) => person(`${of}-${round}`, i)),
      ),
    );
  const onePerson = await bring(1, 'one');
  const people = await bring(sizesOfChanges.people, 'many');
  const onboarding = await each((round) =>
    send('/users/onboarded-users-by-attributes', { email_addresses: [person(`many-${round}`, 0).main_email] }),
  );
  const records = await each((round) =>
    send(
      '/ingest/pull_requests',
      Array.from({ length: sizesOfChanges.records }, (_, i) => record(round, i)),
    ),
  );
  return { onboarding, onePerson, people, records };
}
