import { useJson } from '../../ask/use-answer.ts';

/** The parts of `GET /catalogue` that the form is made of. */
export interface CatalogueAnswer {
  readonly tables: readonly {
    readonly name: string;
    readonly group_columns: readonly ColumnAbout[];
  }[];
  readonly metrics: readonly {
    readonly name: string;
    readonly group_columns_of: string | null;
    readonly date_fields: readonly { readonly name: string; readonly column: string }[];
    readonly default_date_field: string | null;
  }[];
  readonly filters: readonly FilterAbout[];
}

export interface ColumnAbout {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
}

export interface FilterAbout {
  readonly name: string;
  readonly label: string;
  readonly meaning: string;
  readonly form: string;
  readonly one_of: readonly (string | number)[] | null;
}

export const useCatalogue = () => useJson<CatalogueAnswer>('/catalogue');

/** What the form offers for one metric. */
export function offered(catalogue: CatalogueAnswer | undefined, metric: string) {
  const about = catalogue?.metrics.find(({ name }) => name === metric);
  const table = catalogue?.tables.find(({ name }) => name === about?.group_columns_of);
  // Two names of one date are one choice.
  const dates = (about?.date_fields ?? []).filter(
    ({ column }, at, all) => all.findIndex((other) => other.column === column) === at,
  );
  return {
    columns: table?.group_columns ?? [],
    dates: dates.map(({ column }) => column),
    defaultDate: about?.default_date_field ?? undefined,
    filters: catalogue?.filters ?? [],
  };
}
