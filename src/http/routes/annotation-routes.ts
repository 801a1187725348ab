import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { type Annotation, annotationKinds, isWithinDays } from '../../annotations/annotation-kind.ts';
import { dayIn } from '../../documents/document-fields.ts';
import type { Documents } from '../../documents/documents.ts';
import { Refusal } from '../../refusal.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { documentRoutes } from './document-routes.ts';

export interface AnnotationRouteParts {
  readonly documents: { readonly annotation: Documents<Annotation> };
  readonly long: LongAnswers;
}

const fields = {
  annotation: { type: 'string', description: 'The name in addresses: a–z, 0–9 and -, at most 60.' },
  at: { type: 'string', format: 'date', description: 'The day, or the first of several.' },
  until: { type: ['string', 'null'], format: 'date', description: 'The last day, where it took several.' },
  title: { type: 'string', description: 'Title. Flags on charts show 40 characters of it.' },
  kind: { type: 'string', enum: [...annotationKinds], description: 'other, where it is left out.' },
  filters: {
    type: 'object',
    additionalProperties: false,
    properties: {
      team: { type: 'array', items: { type: 'string' }, description: 'Teams, by name or identifier.' },
      repositories: { type: 'array', items: { type: 'string' }, description: 'Repositories, by short or full name.' },
    },
    description: 'What it is about. Everything, where it is left out.',
  },
};

const example = {
  annotation: 'copilot-rollout',
  at: '2026-03-02',
  until: null,
  title: 'Copilot for everyone',
  kind: 'rollout',
  filters: { team: ['Checkout'] },
};

const day = (description: string) => Type.Optional(Type.String({ description }));

export function annotationRoutes(app: FastifyInstance, { documents, long }: AnnotationRouteParts): void {
  documentRoutes(
    app,
    {
      documents: documents.annotation,
      tag: 'Annotations',
      title: 'Annotation',
      meaning:
        'An annotation says what happened on a day. Charts over time show it, unless their filters exclude its teams or repositories.',
      fields,
      optional: ['annotation', 'until', 'kind', 'filters'],
      example,
      rule: 'Managers and Owners make annotations. Those with teams are seen by who sees one of the teams, all others by everyone.',
      wrong: 'at must be a day such as 2026-03-02, not 2 March.',
      narrowing: {
        parameters: {
          start_date: day('Only annotations that reach into the days from this one on.'),
          end_date: day('Only annotations that reach into the days up to this one.'),
        },
        keeps: (query) => {
          const [start, end] = [dayIn(query, 'start_date'), dayIn(query, 'end_date')];
          if (start !== undefined && end !== undefined && end < start)
            throw new Refusal('bad-input', `end_date must not be before start_date (${start}).`);
          return (annotation) => isWithinDays(annotation, { start, end });
        },
      },
    },
    long,
  );
}
