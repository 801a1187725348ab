import type { FastifyRequest } from 'fastify';
import { type FilterForm, filters } from '../../catalogue/filters.ts';
import {
  multipleFields,
  type RequestField,
  type RequestFields,
  windowFields,
  windowFilters,
} from '../../catalogue/request-fields.ts';
import { questionWords } from '../../catalogue/synonyms.ts';
import { didYouMean } from '../../nearest.ts';
import { Refusal } from '../../refusal.ts';
import {
  parameterNames,
  parametersIn,
  type QuestionParameters,
  readQueryString,
  type SentParameter,
} from './question-parameters.ts';

/** A question as it was sent: its body, and what was asked beside the body. */
export interface SentQuestion {
  readonly body: unknown;
  /** Throws where a parameter is wrong. Called once it is known that the caller may ask. */
  readonly parameters: () => QuestionParameters;
}

/** Longer addresses are cut or refused by browsers and proxies on the way. */
export const maxAddressBytes = 8_192;

/** Answers the question that an address asks. What is wrong with it is said in the words of addresses. */
export async function answerAddress<A>(
  request: FastifyRequest,
  fields: RequestFields,
  answer: (question: SentQuestion) => Promise<A>,
): Promise<A> {
  try {
    return await answer(questionInAddress(request, fields));
  } catch (error) {
    throw inAddressWords(error);
  }
}

/**
 * The question that an address asks: its parameters become the body that the same question has when it is sent, and go
 * the same way from there. A value is only brought into the type that JSON would have: whether it is right is not decided here.
 */
function questionInAddress(request: FastifyRequest, fields: RequestFields): SentQuestion {
  const url = request.raw.url ?? '';
  if (url.length > maxAddressBytes) throw tooLongAddress;
  const body = new Map<string, unknown>();
  const chosen = new Map<string, unknown>();
  const perMetric = new Map<string, [string, unknown][]>();
  let stranger: string | undefined;
  for (const [name, sent] of readQueryString(url)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const [each, metric] = perMetricOf(name, fields) ?? [];
    const form = filterForms.get(name);
    if (parameterNames.includes(name) && sent.isPlain) continue;
    if (field && field.kind !== 'filters' && field.kind !== 'per-metric') body.set(name, fieldValue(field, sent));
    else if (each && metric !== undefined) {
      const some = perMetric.get(each) ?? [];
      some.push([metric, fieldValue(fields[each]?.each ?? { kind: 'text' }, sent)]);
      perMetric.set(each, some);
    } else if (form) chosen.set(name, filterValue(form, sent));
    else stranger ??= name;
  }
  for (const [name, values] of perMetric) body.set(name, Object.fromEntries(values));
  return {
    body: Object.fromEntries([['filters', Object.fromEntries(chosen)], ...body]),
    parameters: () => {
      if (stranger !== undefined) throw unknownParameter(stranger, fields);
      return parametersIn(request);
    },
  };
}

export const tooLongAddress = new Refusal(
  'too-long-address',
  `The address is longer than ${maxAddressBytes} bytes. Send the same question with POST, as a JSON body.`,
);

/** How the values of each filter are written, by all of its names. */
const filterForms: ReadonlyMap<string, FilterForm> = new Map([
  ...Object.keys(windowFields).map((name) => [name, 'text'] as const),
  ...Object.entries(filters).flatMap(([name, { form, aliases = [] }]) =>
    [name, ...aliases].map((spelling) => [spelling, form] as const),
  ),
]);

/** `aggregation.cycle-time` is a value of `aggregations`, for the metric cycle-time. */
function perMetricOf(name: string, fields: RequestFields): readonly [string, string] | undefined {
  const dot = name.indexOf('.');
  const field = `${name.slice(0, dot)}s`;
  const isOne = dot > 0 && Object.hasOwn(fields, field) && fields[field]?.kind === 'per-metric';
  return isOne ? [field, name.slice(dot + 1)] : undefined;
}

function fieldValue({ kind }: RequestField, sent: SentParameter): unknown {
  if (kind === 'texts') return listOf(sent);
  const value = onlyOf(sent);
  switch (kind) {
    case 'boolean':
      return value === 'true' || value === 'false' ? value === 'true' : value;
    case 'number':
    case 'integer':
      return numberIn(value);
    default:
      return value;
  }
}

function filterValue(form: FilterForm, sent: SentParameter): unknown {
  switch (form) {
    case 'text':
      return onlyOf(sent);
    case 'integers':
      return listOf(sent).map(numberIn);
    default:
      return listOf(sent);
  }
}

/** Several values where one is taken stay a list, which is refused as in a body. Nothing is null. */
function onlyOf({ values, isOnce }: SentParameter): unknown {
  const [value] = values;
  return isOnce ? (value === '' ? null : value) : values;
}

function listOf({ values, isOnce }: SentParameter): readonly string[] {
  if (!isOnce) return values;
  return (values[0] ?? '')
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
}

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const numberIn = (value: unknown): unknown => (typeof value === 'string' && number.test(value) ? Number(value) : value);

function unknownParameter(name: string, fields: RequestFields): Refusal {
  const [ofBody, ofEach] = ['', 's'].map((end) => `${name}${end}`);
  const shown = name.length > 100 ? `${name.slice(0, 100)}…` : name;
  if (ofEach !== undefined && fields[ofEach]?.kind === 'per-metric')
    return refused(`'${shown}' needs the name of a metric, as in ${shown}.cycle-time=….`);
  if (ofBody !== undefined && fields[ofBody]?.kind === 'per-metric')
    return refused(`'${shown}' takes a value for each metric, as in ${shown.slice(0, -1)}.cycle-time=….`);
  const [, several = '', metric] = /^(\w+)\.(.+)$/s.exec(shown) ?? [];
  if (fields[several]?.kind === 'per-metric')
    return refused(`In an address '${shown}' is written ${several.slice(0, -1)}.${metric}=….`);
  if (name === 'filters' || name.startsWith('filters.') || name.startsWith('filters['))
    return refused('In an address each filter is a parameter of its own, as in start_date=2024-01-31&team=Web.');
  const known = [
    ...Object.keys(fields).filter((field) => fields[field]?.kind !== 'filters' && fields[field]?.kind !== 'per-metric'),
    ...Object.keys(fields)
      .filter((field) => fields[field]?.kind === 'per-metric')
      .map((field) => `${field.slice(0, -1)}.<metric>`),
    ...parameterNames,
    ...filterForms.keys(),
  ];
  return refused(
    `'${shown}' is not a query parameter.${didYouMean(shown, known, questionWords)} Known: ${known.join(', ')}.`,
  );
}

const refused = (message: string): Refusal => new Refusal('bad-input', message);

/** Fields of a body with a value for each metric, without their last letter: `aggregation`. */
const perMetric = Object.entries(multipleFields as RequestFields)
  .filter(([, { kind }]) => kind === 'per-metric')
  .map(([name]) => name.slice(0, -1))
  .join('|');

/** The messages of the reader of bodies about a field, and how the field is written in an address. */
const translations: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^filters\\.(${windowFilters.join('|')}) `), '$1 '],
  [new RegExp(`^(${perMetric})s names '(.*)', which`, 's'), '$1.$2 names a metric that'],
  // Quoted text is left alone: those are the caller's own words.
  [new RegExp(`(?<!')\\b(${perMetric})s\\.(?=[\\w-])`), '$1.'],
  [/: a list of names such as \["([\w-]+)", "([\w-]+)"\]\.$/, ': names such as $1,$2.'],
  [/ write "(\w+)": "(\w+)"\./, ' write $1=$2.'],
  // A list is what is sent again, or as `name[]=`.
  [/, not a list\.$/, ', sent once.'],
  [/ Write it without quotes\.$/, ''],
];

/** A refusal that names parameters as the caller wrote them. Everything else stays what it is. */
function inAddressWords(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.reason !== 'bad-input') return error;
  const message = translations.reduce((words, [from, to]) => words.replace(from, to), error.message);
  return message === error.message ? error : new Refusal(error.reason, message, error.hints);
}
