import type { Ticket } from '../admission/ticket.ts';
import type { Metric } from '../catalogue/metric.ts';
import { type FactTable, isFactTable } from '../catalogue/tables/tables.ts';

/** From when to when some tables are complete, in seconds since 1970. The same for everyone in the organisation. */
export interface Extent {
  /** The moment up to which the rows are complete, of several tables the earliest. Undefined where there is none. */
  readonly through: number | undefined;
  /** Where the history begins, of several tables the latest moment. Undefined where there are no rows. */
  readonly since: number | undefined;
  /** Streams that feed the tables and do not count, for people: "pull requests of acme/web (GitHub)". Mostly none. */
  readonly missing: readonly string[];
}

export interface ExtentReader {
  readonly ticket?: Ticket | undefined;
}

/** How far the data of an organisation reach. Kept by table and version of the data: asking again asks no engine. */
export interface DataExtent {
  of(organisationId: string, tables: readonly FactTable[], reader?: ExtentReader): Promise<Extent>;
  /** The same at once, where it is in memory and still holds. */
  known(organisationId: string, tables: readonly FactTable[]): Extent | undefined;
}

/** The tables that the answers of metrics depend on: their own, and deployments where they say when something was live. */
export function tablesBehind(metrics: readonly Metric[]): FactTable[] {
  const names = metrics.flatMap(({ table, readsDeployments }) => [
    table.name,
    ...(readsDeployments ? ['deployments'] : []),
  ]);
  return [...new Set(names)].filter(isFactTable);
}
