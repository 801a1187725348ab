import { type InferredOrigin, reportedOrigin } from '../catalogue/tables/deployments.ts';
import type { FactTable } from '../catalogue/tables/tables.ts';

const tableOf: Readonly<Record<InferredOrigin, FactTable>> = {
  release: 'release_details',
  run: 'workflow_runs',
  merge: 'pull_requests',
};
const isInferred = (origin: string): origin is InferredOrigin => Object.hasOwn(tableOf, origin);

/**
 * The tables that deployments are derived from: those of the rows that they are inferred from, and pull requests, which
 * say what a deployment carried and whether it had to be reverted.
 */
export function tablesOfOrigins(name: FactTable, origins: readonly string[]): FactTable[] {
  if (name !== 'deployments' || origins.length === 0) return [];
  const inferred = origins.filter((origin) => origin !== reportedOrigin).filter(isInferred);
  return [...new Set<FactTable>([...inferred.map((origin) => tableOf[origin]), 'pull_requests'])];
}
