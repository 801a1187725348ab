import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../access/principal.ts';
import type { SignedInPerson } from '../../access/signed-in-person.ts';
import { TimeZone } from '../../calendar.ts';
import type { Metric } from '../../catalogue/metric.ts';
import { metrics as allMetrics, dateDetails } from '../../catalogue/metrics/all-metrics.ts';
import { singleFields } from '../../catalogue/request-fields.ts';
import type { CategoryChart } from '../../charts/chart-description.ts';
import { type ComparedAnswer, comparedChart, leadingResult } from '../../charts/compared-chart.ts';
import { type ChartAnswer, daysOf, metricChart } from '../../charts/metric-chart.ts';
import { dayReach } from '../../charts/time-buckets.ts';
import { wordsSvg } from '../../charts/words-svg.ts';
import type { DocumentAnswer } from '../../query/collect-answer.ts';
import { verdictWords } from '../../query/verdict.ts';
import { Refusal } from '../../refusal.ts';
import { principalOf } from '../admission/admission.ts';
import { abortOnDisconnect } from '../admission/request-ticket.ts';
import { setDataHeaders, setUnmatchedHeader, setValidator, unmatchedHeader } from '../answer/answer-headers.ts';
import { type ChartMarksParts, chartMarksSeen } from '../answer/chart-marks-seen.ts';
import type { MetricQuestions, MetricQuestionsParts, MetricRoute } from '../answer/metric-questions.ts';
import { detailBody, type ErrorAnswer, errorHandler, jsonType } from '../errors.ts';
import { dataHeaders, type ErrorStatus, keyNeeded, refused, unchanged, validatorHeaders } from '../openapi.ts';
import { answerAddress } from '../question/question-address.ts';
import { metricParameter } from '../reference/metric-bodies.ts';
import { chartAddress } from '../reference/metric-operations.ts';
import type { RequestLog } from '../request-log.ts';

interface MetricChartParts extends Omit<MetricQuestionsParts, 'warehouse' | 'reads'>, ChartMarksParts {
  readonly signedInPerson: (principal: Principal) => Promise<Pick<SignedInPerson, 'visibility_notice'>>;
  readonly log: RequestLog;
  readonly now: () => Date;
}

const svgType = 'image/svg+xml; charset=utf-8';
/** A picture: nothing in it may run or be loaded, and pages of the same site may show it. */
const pictureHeaders = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'cross-origin-resource-policy': 'same-site',
} as const;

/** More marks would take long to draw, and people could not tell them apart. */
const maxBuckets = 400;

/** Answers with the period before have no more rows. */
const maxComparedBuckets = 200;

function refuseCrowd({ categories, series }: CategoryChart): void {
  const buckets = categories.length;
  const most = series.some(({ role }) => role === 'before') ? maxComparedBuckets : maxBuckets;
  if (buckets <= most) return;
  throw new Refusal(
    'bad-input',
    `A picture has room for ${most} buckets, not ${buckets}: ask for a larger date_level or a shorter window.`,
  );
}

/** The metric of that name, if its values can be drawn over time. */
function drawable(name: string): Metric {
  const refused = (why: string) =>
    new Refusal('bad-input', `${why} For its rows, ask /metrics/${name} without /chart.svg.`);
  const metric = allMetrics.get(name);
  if (!metric) throw refused(`${dateDetails} is computed from the calendar alone: there is nothing to draw.`);
  if (metric.dates.length === 0)
    throw refused(`${name} tells how people are now, not over time: there is nothing to draw.`);
  if (metric.kind === 'text') throw refused(`${name} answers with a text, which no chart can show.`);
  return metric;
}

type AskedFields = Readonly<Record<string, unknown>>;

/** Parameters without effect are refused: a caller that sends one expects something else than a picture. */
function refuseOtherForms({ query }: FastifyRequest, metric: string, asked: AskedFields): void {
  const rows = `for rows, ask /metrics/${metric} without /chart.svg`;
  if ((query as AskedFields).verdict !== undefined && asked.include_previous_period !== true)
    throw new Refusal(
      'bad-input',
      'A chart says what became of a number beside the period before: set include_previous_period to true, or leave out verdict.',
    );
  if ((query as AskedFields).format !== undefined)
    throw new Refusal('bad-input', `A chart is always an SVG picture: leave out format, or ${rows}.`);
  if (asked.time_series_data === false)
    throw new Refusal('bad-input', `A chart is always of the chart form: leave out time_series_data, or ${rows}.`);
}

/** With the previous period beside every value. Charts are in the order of time and have every bucket. */
function comparedQuestion(asked: AskedFields, level: string): AskedFields {
  const { time_series_data: _form, order_by: _order, order_direction: _direction, limit: _limit, ...question } = asked;
  if (Array.isArray(asked.group_by) && asked.group_by.length > 0) {
    throw new Refusal(
      'bad-input',
      'The period before is drawn beside one line, not beside groups: leave out group_by or include_previous_period.',
    );
  }
  return { ...question, date_level: level };
}

/** The same question about all of its days at once. */
function wholeWindow({ date_level: _level, ...question }: AskedFields): AskedFields {
  return question;
}

const statuses: readonly ErrorStatus[] = [400, 403, 404, 405, 414, 429, 500, 503, 504];

/** A chart as a picture, for pages that can show nothing else. What draws it is loaded by the first who asks. */
export function metricChartRoutes(app: FastifyInstance, questions: MetricQuestions, parts: MetricChartParts): void {
  const { metrics, responses, long, log, signedInPerson, now } = parts;

  const drawn = (request: FastifyRequest<MetricRoute>, reply: FastifyReply): Promise<FastifyReply> =>
    abortOnDisconnect(request, reply, async (ticket) => {
      const { metric: name } = request.params;
      const metric = drawable(name);
      const principal = principalOf(request);
      const timings = request.timings ?? undefined;
      const zone = TimeZone.named(principal.timeZone);
      const today = zone.dayAt(now().getTime() / 1_000);
      const { served, chart, reach, said } = await answerAddress(
        request,
        singleFields,
        async ({ body, parameters }) => {
          const { durations, showsVerdict } = parameters();
          const asked = body as AskedFields;
          refuseOtherForms(request, name, asked);
          const isCompared = asked.include_previous_period === true;
          const level = wordIn(singleFields.date_level.words, asked.date_level) ?? 'month';
          const question = isCompared ? comparedQuestion(asked, level) : { ...asked, time_series_data: true };
          const waiting = { durations, ticket, timings };
          const found = await metrics.single(principal, name, question, { showsN: true, ...waiting });
          // The verdict is on the whole window, which its buckets do not add up to.
          const judged = showsVerdict
            ? await metrics.single(principal, name, wholeWindow(question), { showsN: true, showsVerdict, ...waiting })
            : undefined;
          const { document } = found.answer as DocumentAnswer;
          const aggregation = wordIn(singleFields.aggregation.words, asked.aggregation);
          const reach = dayReach(found.extent?.through, principal.timeZone, today);
          const shown = { metric, aggregation, level, zone, today, reach };
          const drawn = isCompared
            ? comparedChart(document as ComparedAnswer, shown)
            : metricChart(document as ChartAnswer, shown);
          const days = daysOf((document as ChartAnswer).meta, shown);
          const judgement =
            judged && leadingResult((judged.answer as DocumentAnswer).document as ComparedAnswer, shown);
          return {
            served: found,
            reach,
            said: (judgement && verdictWords(judgement)) ?? undefined,
            chart: { ...drawn, ...(await chartMarksSeen(parts, { principal, ticket }, { asked, shown, days })) },
          };
        },
      );
      refuseCrowd(chart);
      // Callers who see everything need not wait for it.
      const notice =
        principal.visibility === 'organisation' ? null : (await signedInPerson(principal)).visibility_notice.words;
      const bytes = await responses.bytesOf(
        served.answer,
        `chart ${name} ${today} ${reach.lastWhole} ${reach.lastBegun} ${notice ?? ''} ${said ?? ''} ${JSON.stringify([chart.goals, chart.annotations])}`,
        ticket.signal,
        async () => {
          const { drawSvg } = await import('../../charts/draw-svg.ts');
          return Buffer.from(
            drawSvg(said === undefined ? chart : { ...chart, subtitle: `${chart.subtitle}: ${said}` }, notice),
          );
        },
      );
      setUnmatchedHeader(reply, unmatchedHeader(served.unmatched));
      setDataHeaders(reply, principal, served.extent);
      reply.headers(pictureHeaders);
      timings?.enter('send');
      if (setValidator(request, reply, bytes ?? Buffer.alloc(0), served)) return reply;
      return long.sendBytes(request, reply.type(svgType), bytes ?? Buffer.alloc(0), principal);
    });

  app.get<MetricRoute>(
    '/metrics/:metric/chart.svg',
    {
      onRequest: questions.admitted,
      errorHandler: errorHandler(log, (answer, _request, reply) => refusedPicture(answer, reply)),
      schema: {
        operationId: 'drawMetric',
        summary: 'Draw one metric',
        description:
          'The chart of one metric as an SVG picture, drawn as the pages draw it: `time_series_data` is implied, and of many groups the largest six are shown. With `include_previous_period` the period before is a dotted grey line, for a chart without groups, and with `verdict=true` as well the line under the title says what may be said of the change. Goals of the metric are dashed lines and annotations flags, as far as the caller sees them. The same parameters as the address without `/chart.svg`, except `format`. Pages of the same site may show it to people who are signed in.',
        tags: ['Metrics'],
        security: keyNeeded,
        response: {
          200: {
            description: 'The picture.',
            headers: { ...dataHeaders, ...validatorHeaders },
            content: { 'image/svg+xml': { schema: { type: 'string' } } },
          },
          304: unchanged,
          401: {
            description: 'The key is missing or not valid, and no one is signed in: a small picture that says so.',
            content: { 'image/svg+xml': { schema: { type: 'string' } } },
          },
          ...refused(statuses),
        },
      },
      config: {
        isTimed: true,
        swaggerTransform: ({ schema, url }) => ({
          schema: { ...schema, params: metricParameter([...allMetrics.keys()]), querystring: chartAddress },
          url,
        }),
      },
    },
    drawn,
  );
}

/** The reader has checked it already, without regard to case. */
const wordIn = <W extends string>(words: readonly W[], sent: unknown): W | undefined =>
  words.find((word) => typeof sent === 'string' && word === sent.trim().toLowerCase());

/** Where a page shows the picture to a reader who is not signed in, only a picture can say so. */
function refusedPicture({ status, detail }: ErrorAnswer, reply: FastifyReply): string {
  if (status !== 401) {
    reply.type(jsonType);
    return detailBody(detail);
  }
  reply.headers(pictureHeaders).type(svgType);
  return wordsSvg('Sign in to Plumb to see this chart.');
}
