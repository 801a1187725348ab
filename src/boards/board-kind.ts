import { given } from '../documents/document-fields.ts';
import type { DocumentKind } from '../documents/document-kind.ts';
import { filtersByTeamName } from '../documents/teams-of-reader.ts';
import { readersOf, refuseUnlessManager, shownVisibleTo } from '../documents/visible-to.ts';
import type { Board } from './board.ts';
import { readBoard } from './read-board.ts';

/** Boards: panels that are questions, asked in the rights of the person who looks. */
export const boardKind: DocumentKind<Board> = {
  kind: 'board',
  plural: 'boards',
  maxCount: 200,
  read: (written, context) => ({ document: readBoard(written, context) }),
  shown: ({ slug, document }, { teams }) => {
    const { title, visible_to, range, filters, panels } = document;
    return given({
      board: slug,
      title,
      visible_to: visible_to && shownVisibleTo(visible_to, teams),
      range,
      filters: filters && filtersByTeamName(filters, teams),
      panels: panels.map(({ title, metric, request, view, compare, wide }) =>
        given({
          title,
          metric,
          request: request?.filters ? { ...request, filters: filtersByTeamName(request.filters, teams) } : request,
          view,
          compare,
          wide,
        }),
      ),
    });
  },
  visibleTo: ({ visible_to }) => readersOf(visible_to),
  refuseMaker: (principal, { visible_to }) => refuseUnlessManager(principal, readersOf(visible_to), 'boards'),
};
