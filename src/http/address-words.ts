import { multipleFields, type RequestFields, windowFilters } from '../catalogue/request-fields.ts';
import { Refusal } from '../refusal.ts';

/** Fields of a body with a value for each metric, without their last letter: `aggregation`. */
const perMetric = Object.entries(multipleFields as RequestFields)
  .filter(([, { kind }]) => kind === 'per-metric')
  .map(([name]) => name.slice(0, -1))
  .join('|');

/** What the reader of bodies says of a field, and how the same is written in an address. */
const translations: readonly (readonly [RegExp, string])[] = [
  [new RegExp(`^filters\\.(${windowFilters.join('|')}) `), '$1 '],
  [new RegExp(`^(${perMetric})s names '(.*)', which`, 's'), '$1.$2 names a metric that'],
  // Not where it is quoted: those are the caller's own words.
  [new RegExp(`(?<!')\\b(${perMetric})s\\.(?=[\\w-])`), '$1.'],
  [/: a list of names such as \["([\w-]+)", "([\w-]+)"\]\.$/, ': names such as $1,$2.'],
  [/ write "(\w+)": "(\w+)"\./, ' write $1=$2.'],
  // A list is what is sent again, or as `name[]=`.
  [/, not a list\.$/, ', sent once.'],
  [/ Write it without quotes\.$/, ''],
];

/** A refusal that names parameters as the caller wrote them. Everything else stays what it is. */
export function inAddressWords(error: unknown): unknown {
  if (!(error instanceof Refusal) || error.reason !== 'bad-input') return error;
  const message = translations.reduce((words, [from, to]) => words.replace(from, to), error.message);
  return message === error.message ? error : new Refusal(error.reason, message, error.hints);
}
