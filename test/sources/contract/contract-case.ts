import type { FactTable } from '../../../src/catalogue/tables/all-tables.ts';
import type { ChangedObject, SettingValues, SourceKind } from '../../../src/sources/source.ts';
import type { Reply } from '../../jobs/failing-answers.ts';
import type { AskedRequest } from './replay-host.ts';

/** What the contract is tried with for one kind of source: a small world of its provider, and how that changes. */
export interface ContractCase<World = unknown> {
  readonly kind: SourceKind;
  /** Which of several forms of the provider it is, where a kind is tried with more than one. */
  readonly form?: string;
  /** Beside `base_url` and what is secret. */
  readonly settings: SettingValues;
  /** Settings that must never leave: they are looked for in rows, errors, states and addresses. */
  readonly secrets: Readonly<Record<string, string>>;
  /** When the world is as it is, by the provider's clock, in seconds since 1970. It has things that are older than thirty days. */
  readonly now: number;
  makeWorld(): World;
  answer(world: World, asked: AskedRequest): Reply;
  /** The table of what is read, and the column that its list is in the order of. */
  readonly table: FactTable;
  readonly orderedBy: string;
  /** Rows of the table after the first sync. */
  readonly rows: number;
  /** Requests of a sync without news. */
  readonly maxQuietRequests: number;
  /** What can happen between two syncs, and how many rows the table has after the second. */
  readonly changes: Readonly<Record<string, { make(world: World): void; readonly rows: number }>>;
  /** Requests of one scope or stream that the provider refuses; rows of the others arrive all the same. */
  readonly broken: { readonly isAsked: (asked: AskedRequest) => boolean; readonly minRows: number };
  /** An object that a webhook names, as `objectsOf` would, and how the provider loses it. */
  readonly changed?: { readonly object: ChangedObject; remove(world: World): void };
}
