import { repositoriesCopy } from '../../catalogue/directory-copies/directory-copies.ts';
import { type RowOf, storedColumns, type Table } from '../../catalogue/table.ts';
import type { TableReader } from '../../warehouse/intake-port.ts';
import { noRepository, type RepositorySettings, readSettings } from './rules/repository-settings.ts';

/** The settings of a repository by its key. */
export type SettingsOf = (key: string | null) => RepositorySettings;

export const allColumns = <T extends Table>(table: T) =>
  [...storedColumns(table).keys()] as (keyof RowOf<T> & string)[];

/** An organisation has a few thousand repositories at most, and settings of few, so all of these short rows are read. */
export async function readAllSettings(session: TableReader): Promise<SettingsOf> {
  const copies = await session.select(repositoriesCopy, allColumns(repositoriesCopy));
  const settings = new Map(copies.map((copy) => [copy.repository_key, readSettings(copy)]));
  const unset = readSettings(undefined);
  return (key) => settings.get(key ?? noRepository) ?? unset;
}
