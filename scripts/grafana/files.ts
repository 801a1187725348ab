import { catalogueDocument } from '../../src/catalogue/catalogue-document.ts';
import { calendar } from '../../src/query/date-details.ts';
import { boardOf } from './board.ts';
import { boards } from './boards.ts';

/** The files of the boards by their place in grafana/, made from the catalogue. */
export function boardFiles(): ReadonlyMap<string, string> {
  const catalogue = new Map(catalogueDocument(calendar).metrics.map((metric) => [metric.name, metric]));
  return new Map(
    boards.map((board) => [`dashboards/${board.name}.json`, `${JSON.stringify(boardOf(board, catalogue), null, 2)}\n`]),
  );
}
