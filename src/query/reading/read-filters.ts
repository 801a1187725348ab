import {
  type FilterDeclaration,
  filters,
  isLookedUp,
  isPeopleFilter,
  type PeopleChoice,
  type PeopleFilter,
  peopleFiltersOf,
  predicatesOf,
  type RowFilter,
} from '../../catalogue/filters.ts';
import type { Metric } from '../../catalogue/metric.ts';
import { multipleFields, singleFields, windowFilters } from '../../catalogue/request-fields.ts';
import { filterWords } from '../../catalogue/synonyms.ts';
import { didYouMean } from '../../nearest.ts';
import { maxSearchLength } from '../../text-limits.ts';
import type { RequestedFilters, SentValue } from '../request.ts';
import { type Body, isObject, kindOf, readText, refuse, shown } from './body.ts';

type FilterValues = readonly (string | number)[];

const aliases = new Map(
  Object.entries(filters).flatMap(([name, { aliases: others = [] }]) => others.map((other) => [other, name])),
);

/** Filters apply to every metric of a request, so every metric must have all of them. */
export function readFilters(written: Body, metrics: readonly Metric[]): RequestedFilters {
  const rows = new Map<RowFilter, FilterValues>();
  const people = new Map<PeopleFilter, FilterValues>();
  const sent: SentValue[] = [];
  for (const [spelling, value] of Object.entries(written)) {
    if (windowFilters.some((name) => name === spelling)) continue;
    const name = aliases.get(spelling) ?? spelling;
    for (const metric of metrics) checkFilter(spelling, name, metric);
    const declaration = filters[name];
    if (!declaration || value === null || (Array.isArray(value) && value.length === 0)) continue;
    const values = readValues(spelling, value, declaration);
    if (isPeopleFilter(name)) people.set(name, [...(people.get(name) ?? []), ...values]);
    else rows.set(name as RowFilter, values);
    if (isLookedUp(name)) sent.push(...sentValues(spelling, name, value, values));
  }
  return { rows, people: Object.fromEntries(people) as PeopleChoice, written, sent };
}

function sentValues(sentFilter: string, filter: string, sent: unknown, values: FilterValues): SentValue[] {
  const items: readonly unknown[] = Array.isArray(sent) ? sent : [sent];
  return values.map((value, i) => ({ filter, value, sentFilter, sentValue: items[i] }));
}

/** The filters of a metric by name, in the order in which they are declared. */
export function filterNamesOf(metric: Metric): string[] {
  return [...peopleFiltersOf(metric), ...Object.keys(predicatesOf(metric))];
}

function checkFilter(spelling: string, name: string, metric: Metric): void {
  const known = filterNamesOf(metric);
  if (known.includes(name)) return;
  const list = `Filters of ${metric.name}: ${[...windowFilters, ...known].join(', ')}.`;
  if (Object.hasOwn(filters, name)) throw refuse(`${metric.name} cannot be filtered by '${spelling}'. ${list}`);
  if (Object.hasOwn(singleFields, spelling) || Object.hasOwn(multipleFields, spelling)) {
    throw refuse(
      `${spelling} is no filter. It goes beside filters: {"${spelling}": …, "filters": {"start_date": "2024-01-01"}}.`,
    );
  }
  const hint = didYouMean(spelling, [...windowFilters, ...known, ...aliases.keys()], filterWords);
  throw refuse(`There is no filter '${shown(spelling)}'.${hint} ${list}`);
}

function readValues(name: string, value: unknown, declaration: FilterDeclaration): FilterValues {
  const { form, oneOf, isSearch } = declaration;
  if (form === 'text') {
    const text = readText(value, `The filter ${name}`, isSearch && maxSearchLength);
    return isSearch ? wordsOf(name, text) : [text];
  }
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  const values = items.map((item) => readItem(name, item, form));
  const foreign = oneOf && values.find((item) => !oneOf.includes(item));
  if (oneOf && foreign !== undefined) {
    const hint = typeof foreign === 'string' ? didYouMean(foreign, oneOf.map(String)) : '';
    throw refuse(`The filter ${name} takes ${listed(oneOf)}, not ${kindOf(foreign)}.${hint}`);
  }
  return values;
}

const listed = (values: FilterValues): string => (values.length === 24 ? 'hours from 0 to 23' : values.join(', '));

/** Every word is looked for in four columns. */
const maxWords = 50;

/** A search finds every word of its term. */
function wordsOf(name: string, text: string): FilterValues {
  const words = new Set(text.split(/\s+/u).filter((word) => word !== ''));
  if (words.size > maxWords) throw refuse(`The filter ${name} takes ${maxWords} different words at most.`);
  return [...words];
}

function readItem(name: string, item: unknown, form: FilterDeclaration['form']): string | number {
  switch (form) {
    case 'integers':
      if (typeof item !== 'number' || !Number.isSafeInteger(item)) {
        throw refuse(`The filter ${name} takes whole numbers, not ${kindOf(item)}.`);
      }
      return item;
    case 'repositories':
      if (typeof item === 'string') return readText(item, `The filter ${name}`);
      if (isObject(item) && typeof item.repository_name === 'string' && Object.keys(item).length === 1) {
        return readText(item.repository_name, `The filter ${name}`);
      }
      throw refuse(`The filter ${name} takes objects such as {"repository_name": "owner/name"}, or plain names.`);
    default:
      if (typeof item !== 'string') throw refuse(`The filter ${name} takes texts, not ${kindOf(item)}.`);
      return readText(item, `The filter ${name}`);
  }
}
