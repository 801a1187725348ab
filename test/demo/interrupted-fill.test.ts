import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { dayOfNumber } from '../../src/calendar.ts';
import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { type DemoProgress, type FillOptions, fillingDemo } from '../../src/demo/fill.ts';
import { filledHistory, olderParts } from '../../src/demo/fill-plan.ts';
import { demoSeed } from '../../src/demo/seed.ts';
import { setOrganisation } from '../../src/directory/organisations.ts';
import type { Ingest } from '../../src/ingest/ingest.ts';
import { openStore } from '../../src/store/open.ts';
import { dayFilledSince, findOrganisation } from '../../src/store/organisation-rows.ts';
import type { Store } from '../../src/store/store.ts';
import { directoryOf, quickStore } from '../conformance/stores.ts';

type Put = readonly { readonly table: FactTable; readonly lines: readonly { readonly value: unknown }[] }[];

let home: Awaited<ReturnType<typeof quickStore.place>>;
let store: Store;
beforeEach(async () => {
  home = await quickStore.place();
  store = await openStore(home);
});
afterEach(async () => {
  await store.close();
  await home.remove();
});

const [first, second] = demoOrganisations({ seed: demoSeed, scale: 0.2 }).map(({ id }) => id);
if (first === undefined || second === undefined) throw new Error('the demo has no organisations');

/** Fills in the demo until so many batches are put, and answers what they held, and what was told. */
async function fill(options: Partial<FillOptions>, batches = Number.POSITIVE_INFINITY) {
  const puts: { readonly organisation: string; readonly pullRequests: readonly Record<string, string>[] }[] = [];
  const put = async (organisation: string, batch: unknown) => {
    if (puts.length === batches) throw new Error('interrupted');
    const lines = (batch as Put).find(({ table }) => table === 'pull_requests')?.lines ?? [];
    puts.push({ organisation, pullRequests: lines.map(({ value }) => value as Record<string, string>) });
    return (batch as Put).map(() => ({ accepted: 0, rejected: [] }));
  };
  const tidied: string[] = [];
  const tidy = async (organisation: string, { isWhole }: { readonly isWhole: boolean }) => {
    if (isWhole) tidied.push(organisation);
  };
  const told: (DemoProgress | { readonly ready: { readonly id: string } })[] = [];
  const places = { directory: directoryOf(store), ingest: { put: put as Ingest['put'] }, tidy };
  try {
    for await (const step of fillingDemo(places, { seed: demoSeed, scale: 0.2, ...options })) {
      told.push('ready' in step ? { ready: step.ready } : step);
      if ('ready' in step) puts.push({ organisation: 'ready', pullRequests: [] });
    }
  } catch (error) {
    if ((error as Error).message !== 'interrupted') throw error;
  }
  return { puts, told, tidied };
}

const oldestOf = (puts: readonly { readonly pullRequests: readonly Record<string, string>[] }[]) =>
  puts.flatMap(({ pullRequests }) => pullRequests.map(({ pr_created_at = '' }) => pr_created_at)).toSorted()[0] ?? '';

describe('the filling of the demo in pieces', () => {
  // Working out what happened takes most of the time: both look at one filling that was interrupted.
  test('The newest months of the first organisation come first, it can be looked at before there is anything else, and a filling that was interrupted goes on at its next start, and says until then what is not there yet', async () => {
    const { puts: begun } = await fill({ until: '2026-06-30', newestDays: 6 }, 6);
    const ready = begun.findIndex(({ organisation }) => organisation === 'ready');
    expect(ready).toBeGreaterThan(0);
    expect(new Set(begun.slice(0, ready).map(({ organisation }) => organisation))).toEqual(new Set([first]));
    // At a fifth of the scale, five times as many days are waited for.
    expect(oldestOf(begun.slice(0, ready)).slice(0, 7)).toBe('2026-06');
    expect(begun[ready + 1]?.organisation).toBe(first);
    expect(oldestOf(begun.slice(ready)) < '2026-01').toBe(true);

    const since = (await store.read((session) => dayFilledSince(session, first))) ?? '';
    expect(since).toMatch(/^2025-/);
    const context = { organisationId: first, actor: { via: 'command', user: 'test' } } as const;
    await setOrganisation(directoryOf(store), context, { time_zone: 'Asia/Kathmandu' });
    const { puts } = await fill({ until: '2026-06-30', scale: 7, newestDays: 6 }, 2);
    // Nobody waits for what has been waited for.
    expect(puts.map(({ organisation }) => organisation)).toEqual(['ready', second]);
    const kept = await store.read((session) => findOrganisation(session, first));
    expect(kept?.time_zone).toBe('Asia/Kathmandu');
    const there = await filledHistory(store, first);
    if (!there) throw new Error('nothing is remembered');
    expect([there.scale, dayOfNumber(there.from)]).toEqual([0.2, since]);
    const parts = [...olderParts(there)].map(({ days }) => days);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ to }) => to)).toEqual([there.from, ...parts.slice(0, -1).map(({ from }) => from)]);
    expect(parts.at(-1)?.from).toBe(there.begin);
  });

  test('A demo that is there grows until the hour of a later start, by what has happened since', async () => {
    const { told, tidied } = await fill({ scale: 0.03, until: '2026-06-30' });
    expect(tidied.length).toBe(6);
    expect((told.at(-1) as DemoProgress).done).toBeCloseTo(1, 2);
    expect(await store.read((session) => dayFilledSince(session, first))).toBeUndefined();
    expect((await fill({ until: '2026-06-30' })).puts).toEqual([{ organisation: 'ready', pullRequests: [] }]);
    const { puts } = await fill({ scale: 0.03, until: '2026-07-06' });
    const grown = puts.flatMap(({ pullRequests }) => pullRequests);
    const isNew = ({ pr_created_at = '' }: Record<string, string>) => pr_created_at >= '2026-07-01';
    expect(grown.filter(isNew).length).toBeGreaterThan(10);
    const changed = grown.filter((pr) => !isNew(pr));
    expect(changed.length).toBeGreaterThan(2);
    expect(changed.every(({ pr_closed_at, ready_at }) => (pr_closed_at ?? ready_at ?? '') >= '2026-07-01')).toBe(true);
  });
});
