import type { FastifyContextConfig, FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { MetricQuestions, PreParsingHook } from '../answer/metric-questions.ts';
import { acceptUnreadJson } from '../body/json-body.ts';
import { type ErrorStatus, keyNeeded, refused, unchanged, validatorHeaders } from '../openapi.ts';
import { type MetricOperation, metricOperations } from '../reference/metric-operations.ts';

/** Every question about metrics, by POST and by GET. For a scope of its own: its bodies come unread. */
export function metricsRoutes(app: FastifyInstance, questions: MetricQuestions): void {
  acceptUnreadJson(app);
  const { single, explain, multiple, benchmark } = metricOperations;
  addQuestion(app, questions, single, questions.single as RouteHandlerMethod, questions.repeatedSingle);
  addQuestion(app, questions, explain, questions.explain as RouteHandlerMethod);
  addQuestion(app, questions, multiple, questions.multiple, questions.repeatedMultiple);
  addQuestion(app, questions, benchmark, questions.benchmark);
}

function addQuestion(
  app: FastifyInstance,
  { admitted }: MetricQuestions,
  { url, params, inBody, inAddress, answer, wrong }: MetricOperation,
  handler: RouteHandlerMethod,
  preParsing?: PreParsingHook,
): void {
  const shared = { tags: ['Metrics'], security: keyNeeded };
  const hooks = params ? { onRequest: admitted } : {};
  const { body, querystring, ...asked } = inBody;
  app.post(
    url,
    {
      ...hooks,
      ...(preParsing ? { preParsing } : {}),
      schema: {
        ...shared,
        ...asked,
        response: {
          200: answer({}),
          ...errors([413, 415], wrong ?? 'filters.start_date is missing: the first day, such as 2024-01-31.'),
        },
      },
      config: described({ params, body, querystring }),
    },
    handler,
  );
  const { querystring: address, before = [], after = [], ...named } = inAddress;
  app.get(
    url,
    {
      ...hooks,
      schema: {
        ...shared,
        ...named,
        description: [before, everyAddress, after].flat().join(' '),
        response: {
          200: answer(validatorHeaders),
          304: unchanged,
          ...errors([414], wrong ?? "'repostories' is not a query parameter. Did you mean 'repositories'?"),
        },
      },
      config: described({ params, querystring: address }),
    },
    handler,
  );
}

/** Described, and not checked by the framework: the question is read in one place, with words of its own. */
const described = (parts: object): FastifyContextConfig => ({
  isTimed: true,
  swaggerTransform: ({ schema, url }) => ({ schema: { ...schema, ...parts }, url }),
});

const everyAddress =
  'The same answer as POST gives, byte for byte, to a question in the address: every field of the body and every filter is a parameter. A parameter that is sent once is split at commas. `name[]=` and parameters that are sent again are taken whole. The key goes into its header, never into the address.';

const statuses: readonly ErrorStatus[] = [400, 401, 403, 404, 405, 429, 500, 503, 504];
const errors = (more: readonly ErrorStatus[], wrong: string): Record<number, object> =>
  refused([...statuses, ...more], {
    400: wrong,
    403: 'Survey metrics need a key that was created by an Owner or a Manager.',
    404: "Metric 'cycle-tme' does not exist. Did you mean 'cycle-time'?",
  });
