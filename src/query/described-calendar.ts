import { type DateLevel, dateLevels } from '../calendar.ts';
import { type Calendar, type CatalogueDocument, catalogueDocument } from '../catalogue/catalogue-document.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import { dateDetailColumns } from './date-details.ts';

/** What the catalogue says of periods, which are asked of no table. */
export const calendar: Calendar = {
  levels: dateLevels,
  columns: (level) => dateDetailColumns(level as DateLevel),
  filters: windowFilters,
};

let made: CatalogueDocument | undefined;

/** Everything that can be asked. Made when it is first asked for, and then kept: it is the same for everyone. */
export function catalogue(): CatalogueDocument {
  made ??= catalogueDocument(calendar);
  return made;
}
