import type { FactTable } from '../../src/catalogue/tables/all-tables.ts';
import { type DemoOrganisation, demoOrganisations } from '../../src/demo/demo-organisations.ts';
import { chapterOf } from '../../src/demo/history/chapters.ts';
import { demoHistory } from '../../src/demo/history/demo-history.ts';
import { DemoWorld } from '../../src/demo/history/demo-world.ts';
import type { HistoryRecord } from '../../src/demo/history/record-batcher.ts';

export type Kept = { readonly [T in FactTable]: readonly HistoryRecord<T>[] };

export interface SomeHistory {
  readonly organisation: DemoOrganisation;
  readonly world: DemoWorld;
  readonly records: Kept;
}

/** After which nothing is known of any of them, so that what the tests find does not change. */
const end = '2026-01-01T00:00:00Z';
export const options = { seed: 'plumb', scale: 0.03, until: Date.parse(end) / 1_000 } as const;
/** The last quarter of 2025: reorganisations and rollouts of its year and the one before are told in it. */
export const lastChapter = chapterOf(options.until / 86_400) - 1;

let made: WeakRef<readonly SomeHistory[]> | undefined;

/**
 * The whole history of all six organisations in small, which fits into memory. Test files of one process share it while
 * it is there.
 */
export function someHistories(): readonly SomeHistory[] {
  const histories = made?.deref() ?? makeHistories();
  made = new WeakRef(histories);
  return histories;
}

function makeHistories(): readonly SomeHistory[] {
  return demoOrganisations(options).map((organisation) => ({
    organisation,
    world: new DemoWorld(organisation, options, lastChapter, () => {}),
    records: keep(organisation),
  }));
}

function keep(organisation: DemoOrganisation): Kept {
  const kept: Partial<Record<FactTable, object[]>> = {};
  for (const { tables } of demoHistory(organisation, options)) {
    for (const { table, records } of tables) {
      kept[table] ??= [];
      kept[table].push(...records);
    }
  }
  return kept as Kept;
}

/** Whole seconds since 1970 of a timestamp that must be there. */
export function secondsOf(timestamp: string | null | undefined): number {
  if (timestamp == null) throw new Error('a timestamp is missing');
  return Date.parse(timestamp) / 1_000;
}

export function shareOf<T>(list: readonly T[], test: (item: T) => boolean): number {
  return list.filter(test).length / list.length;
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function groupedBy<T>(list: readonly T[], keyOf: (item: T) => string | null | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of list) {
    const key = keyOf(item) ?? '';
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
