import type { TimeZone } from '../calendar.ts';
import type { Table } from '../catalogue/table.ts';
import { type FactTable, factTableNames, factTables } from '../catalogue/tables/tables.ts';
import type { Writing } from '../warehouse/warehouse.ts';
import { Draft } from './draft.ts';
import type { Resolver } from './people/resolver.ts';

type Drafts = { readonly [N in FactTable]: Draft<(typeof factTables)[N]> };

/** What every stage of a batch works on and with. */
export interface Workspace {
  readonly session: Writing;
  readonly drafts: Drafts;
  readonly resolver: Resolver;
  /** Accounts that most of their records call bots. */
  readonly bots: ReadonlySet<string>;
  /** Accounts of which more or fewer records say now whether they are bots. */
  readonly recounted: Set<string>;
  /** Days and hours of the organisation. */
  readonly zone: TimeZone;
  readonly runnerPrices: Readonly<Record<string, number>>;
  /** What the identifiers of answers to surveys are made with. */
  readonly surveyKey: string;
  /** Everything is told anew, whether or not it looks changed. */
  readonly anew: boolean;
}

export function newDrafts(): Drafts {
  return Object.fromEntries(factTableNames.map((name) => [name, new Draft(factTables[name])])) as unknown as Drafts;
}

/** A table’s draft by name, where nothing is known of its columns. */
export const draftOf = (drafts: Drafts, name: FactTable): Draft<Table> => drafts[name] as unknown as Draft<Table>;
