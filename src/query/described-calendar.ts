import { type DateLevel, dateLevels } from '../calendar.ts';
import type { Calendar } from '../catalogue/catalogue-document.ts';
import { windowFilters } from '../catalogue/request-fields.ts';
import { dateDetailColumns } from './date-details.ts';

/** What the catalogue says of periods, which are asked of no table. */
export const calendar: Calendar = {
  levels: dateLevels,
  columns: (level) => dateDetailColumns(level as DateLevel),
  filters: windowFilters,
};
