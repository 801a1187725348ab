import type { FastifyInstance } from 'fastify';
import { type Board, maxPanels, panelViews } from '../../boards/board.ts';
import type { Documents } from '../../documents/documents.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { named } from '../reference/named-schemas.ts';
import { documentRoutes, visibleToSchema } from './document-routes.ts';

export interface BoardRouteParts {
  readonly documents: { readonly board: Documents<Board> };
  readonly long: LongAnswers;
}

const filters = {
  type: 'object',
  additionalProperties: true,
  description: 'Filters as in the body of a question, without days. Teams by name or identifier.',
};

const panel = named(
  'BoardPanel',
  {
    title: { type: 'string', description: 'Title. The name of the metric where it is left out.' },
    metric: { type: 'string', description: 'The metric that is asked.' },
    request: {
      type: 'object',
      additionalProperties: true,
      description: 'The body of POST /metrics/{metric}, without days: filters, group_by, date_level, aggregation …',
    },
    view: { type: 'string', enum: [...panelViews], description: 'How the answer is shown.' },
    compare: { type: 'boolean', description: 'Whether every value stands beside the one of the period before.' },
    wide: { type: 'boolean', description: 'Whether it takes the whole width.' },
  },
  ['title', 'request', 'compare', 'wide'],
);

const fields = {
  board: { type: 'string', description: 'The name in addresses: a–z, 0–9 and -, at most 60.' },
  title: { type: 'string', description: 'Title.' },
  visible_to: visibleToSchema,
  range: {
    description:
      'So many whole days (90d), weeks (12w) or months (6m) that end where the data end, or days of its own. 90d where it is left out.',
    anyOf: [{ type: 'string' }, named('BoardDays', { start_date: { type: 'string' }, end_date: { type: 'string' } })],
  },
  filters: { ...filters, description: 'Laid over every panel whose metric takes such a filter.' },
  panels: { type: 'array', items: panel, maxItems: maxPanels, description: 'At most 40.' },
};

const example = {
  board: 'delivery-review',
  title: 'Delivery review',
  visible_to: 'organisation',
  range: '90d',
  filters: { team: ['Checkout'] },
  panels: [
    {
      title: 'Lead time, weekly',
      metric: 'lead-time-for-changes',
      request: { aggregation: 'MEDIAN', date_level: 'week', group_by: ['team_name'] },
      view: 'line',
    },
  ],
};

export function boardRoutes(app: FastifyInstance, { documents, long }: BoardRouteParts): void {
  const declared = {
    documents: documents.board,
    tag: 'Boards',
    title: 'Board',
    meaning: 'A board is a document: panels that are questions, asked in the rights of the person who looks.',
    fields,
    optional: ['board', 'visible_to', 'range', 'filters'],
    example,
    rule: 'Every panel has to be a question that the catalogue knows. What the organisation or a team sees comes from Managers and Owners. Everyone may have boards of their own.',
    wrong: "Panel 1 (Lead time, weekly): Metric 'lead-time' does not exist. Did you mean 'lead-time-for-changes'?",
  };
  documentRoutes(app, declared, long);
}
