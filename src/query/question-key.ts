import type { Table } from '../catalogue/table.ts';
import type { Query } from './plan.ts';

/** Everything that an answer depends on but the data, who may see what included. Tables go by name. */
export function questionKey(query: Query, more: unknown): string {
  return JSON.stringify([query, more], (_, value: unknown) => (isTable(value) ? value.name : value));
}

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' && value !== null && 'columns' in value && 'key' in value && 'dates' in value;
