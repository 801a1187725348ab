import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Documents } from '../../documents/documents.ts';
import { defaultGoalPeriods, goalPeriodsIn, maxGoalPeriods } from '../../goals/goal-history.ts';
import type { GoalDocument } from '../../goals/goal-kind.ts';
import { goalLevels, periodStates } from '../../goals/goal-periods.ts';
import type { Goals, ShownHistory } from '../../goals/goal-standings.ts';
import { goalStates } from '../../goals/goal-state.ts';
import { principalOf } from '../admission/admission.ts';
import { requestTicket } from '../admission/request-ticket.ts';
import type { LongAnswers } from '../answer/long-answers.ts';
import { jsonType } from '../errors.ts';
import { answered, keyNeeded, refused } from '../openapi.ts';
import { named } from '../reference/named-schemas.ts';
import { documentRoutes, visibleToSchema } from './document-routes.ts';

export interface GoalRouteParts {
  readonly documents: { readonly goal: Documents<GoalDocument> };
  readonly goals: Pick<Goals, 'history' | 'standings'>;
  readonly long: LongAnswers;
}

const day = (description: string) => ({ type: 'string', format: 'date', description });
const dayOrNull = (description: string) => ({ type: ['string', 'null'], format: 'date', description });

const fields = {
  goal: { type: 'string', description: 'The name in addresses: a–z, 0–9 and -, at most 60.' },
  title: { type: 'string', description: 'Title.' },
  metric: { type: 'string', description: 'The metric that the goal is about.' },
  aggregation: {
    type: ['string', 'null'],
    description: 'The aggregation, as in a question. Null where the metric takes none.',
  },
  filters: {
    type: 'object',
    additionalProperties: true,
    description: 'Filters of the metric, without days, people and single records. Teams by name or identifier.',
  },
  should_be: {
    type: 'string',
    enum: ['below', 'above'],
    description: 'On which side of the value. The value itself is met.',
  },
  value: { type: 'number', description: 'In the unit of the metric: seconds for durations, 0 to 1 for rates.' },
  period: { type: 'string', enum: [...goalLevels], description: 'The goal is about each of these.' },
  from: day('The first day. That of the period in which the goal was made, unless given.'),
  until: dayOrNull('The day by which it is to be met.'),
  visible_to: visibleToSchema,
};

const example = {
  goal: 'pickup-under-a-day',
  title: 'First review within a day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  filters: { team: ['Checkout'] },
  should_be: 'below',
  value: 86_400,
  period: 'week',
  from: '2026-10-01',
  until: null,
  visible_to: 'organisation',
};

const period = named('GoalPeriod', {
  start_date: day('First day.'),
  end_date: day('Last day.'),
  value: { type: ['number', 'null'], description: 'Null where there is none, or where the caller may not know it.' },
  n: {
    type: ['integer', 'null'],
    description: 'How many values the value is made of: of a rate what it divides by, of a count the count itself.',
  },
  state: {
    type: 'string',
    enum: [...periodStates],
    description:
      'too_few: fewer than 5 values (counts and sums apart), or a goal for fewer than 5 people. incomplete: data may still arrive. limited: the caller does not see everyone whom the filters select.',
  },
});

const periodExample = { start_date: '2026-11-09', end_date: '2026-11-15', value: 79_380, n: 41, state: 'met' } as const;

const standing = {
  state: {
    type: 'string',
    enum: [...goalStates],
    description:
      'That of the last whole period with enough values, at most three back. A missed goal with a day to be met by is on_track, at_risk or off_track by the line through its periods, and too_early before there are three.',
  },
  latest: { anyOf: [period, { type: 'null' }], description: 'The period that the state is that of.' },
  unit: { type: ['string', 'null'], description: 'Unit of the values. Null for counts, rates and scores.' },
};

const standingExample = { state: 'met', latest: periodExample, unit: 'seconds' } as const;

const history = named(
  'GoalHistory',
  {
    goal: fields.goal,
    metric: fields.metric,
    aggregation: fields.aggregation,
    should_be: fields.should_be,
    value: fields.value,
    ...standing,
    data_through: { type: ['string', 'null'], format: 'date-time', description: 'Up to when the data is complete.' },
    unmatched_filters: {
      type: 'object',
      additionalProperties: true,
      description: 'Values of the filters that match nothing, where there are any.',
    },
    periods: { type: 'array', items: period, description: 'Whole periods, earliest first.' },
  },
  ['unmatched_filters'],
);

const historyExample: ShownHistory = {
  goal: 'pickup-under-a-day',
  metric: 'pickup-time',
  aggregation: 'MEDIAN',
  should_be: 'below',
  value: 86_400,
  ...standingExample,
  data_through: '2026-11-19T14:05:00Z',
  periods: [{ start_date: '2026-11-02', end_date: '2026-11-08', value: 91_260, n: 38, state: 'missed' }, periodExample],
};

const periodsQuery = Type.Object({
  periods: Type.Optional(Type.Integer({ minimum: 1, maximum: maxGoalPeriods, description: 'How many whole periods.' })),
});

export function goalRoutes(app: FastifyInstance, { documents, goals, long }: GoalRouteParts): void {
  documentRoutes(
    app,
    {
      documents: documents.goal,
      tag: 'Goals',
      title: 'Goal',
      meaning: 'A goal says what a metric is to be, week by week, month by month or quarter by quarter.',
      fields,
      optional: ['goal', 'aggregation', 'filters', 'from', 'until', 'visible_to'],
      example,
      rule: 'There are no goals for single people or records, nor for salaries, surveys and texts. What the organisation or a team sees comes from Managers and Owners. Everyone may have goals of their own.',
      wrong: "Metric 'pickup' does not exist. Did you mean 'pickup-time'?",
      standing: { fields: standing, example: standingExample, of: (reader, all) => goals.standings(reader, all) },
    },
    long,
  );

  app.get<{ readonly Params: { readonly slug: string }; readonly Querystring: { readonly periods?: string } }>(
    '/goals/:slug/history',
    {
      schema: {
        operationId: 'getGoalHistory',
        summary: 'The periods of a goal',
        description: `The last whole periods of a goal in the organisation’s time zone, ${defaultGoalPeriods} of them unless asked otherwise, each with its value in the caller’s rights. A caller who does not see everyone whom the filters select gets the state limited and no value.`,
        tags: ['Goals'],
        security: keyNeeded,
        params: Type.Object({ slug: Type.String({ description: 'The name of the goal.' }) }),
        querystring: Type.Object({ periods: Type.Optional(Type.String()) }, { additionalProperties: false }),
        response: {
          200: answered('The goal, and its whole periods.', history, { history: historyExample }),
          ...refused([400, 401, 404, 405, 429, 500, 503, 504], {
            400: `periods must be a whole number from 1 to ${maxGoalPeriods}.`,
            404: "There is no goal 'pickup' that you may see.",
          }),
        },
      },
      config: {
        // Values of an address are texts: the number is read below.
        swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, querystring: periodsQuery }, url }),
      },
    },
    async (request, reply) => {
      const { slug } = request.params;
      const reader = { principal: principalOf(request), ticket: requestTicket(request, reply) };
      const found = await goals.history(reader, slug, periodsAsked(request.query.periods));
      return long.sendBytes(request, reply.type(jsonType), Buffer.from(JSON.stringify(found)), reader.principal);
    },
  );
}

const periodsAsked = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : goalPeriodsIn(/^\d{1,3}$/.test(text) ? Number(text) : text);
