import { metrics } from '../catalogue/metrics/all-metrics.ts';
import type { AnswerHead } from '../control/command-questions.ts';
import { Refusal } from '../refusal.ts';
import type { CommandQuestion, QuestionWords } from './query-body.ts';
import { say, type Terminal } from './terminal.ts';

/** The columns that come before all others of a table: nobody reads eighty of them. */
const allColumns = ' Valid columns: ';

/** A field of a question, and the option by which it was said. */
const optionOf: readonly (readonly [option: keyof QuestionWords, field: RegExp, typed: string])[] = [
  ['per', /\bdate_level\b/g, '--per'],
  ['agg', /\baggregation\b(?!:)/g, '--agg'],
  ['by', /\bgroup_by\b/g, '--by'],
  ['compare', /\binclude_previous_period\b/g, '--compare'],
  ['order', /\border_by\b/g, '--order'],
  ['limit', /\blimit\b/g, '--limit'],
  ['since', /\b(?:filters\.)?start_date\b/g, '--since'],
  ['until', /\b(?:filters\.)?end_date\b/g, '--until'],
  ['team', /\bThe filter team\b/g, '--team'],
  ['repo', /\bThe filter repositories\b/g, '--repo'],
  ['member', /\bThe filter member\b/g, '--member'],
  ['team', /\bfiltered by 'team'/g, 'filtered by --team'],
  ['repo', /\bfiltered by 'repositories'/g, 'filtered by --repo'],
  ['member', /\bfiltered by 'member'/g, 'filtered by --member'],
];

/**
 * A refusal of a question that names options as they were typed, and suggests options. What stands in a body of the caller's
 * own keeps the names of the body, and so does everything else.
 */
export function inOptionWords(error: unknown, words: QuestionWords, metric: string): unknown {
  if (!(error instanceof Refusal) || error.reason !== 'bad-input') return error;
  let message = error.message.replace(/ write "date_level": "(\w+)"\. Valid columns: .*$/s, ' write --per $1.');
  if (metrics.has(metric)) {
    const end = message.indexOf(allColumns);
    if (end !== -1) message = `${message.slice(0, end)} \`plumb metrics ${metric}\` lists all columns.`;
  }
  for (const [option, field, typed] of optionOf)
    if (words[option] !== undefined) message = outsideQuotes(message, field, typed);
  return message === error.message ? error : new Refusal(error.reason, message, error.hints);
}

/** Between quotes stand the caller's own words. */
const outsideQuotes = (message: string, field: RegExp, typed: string): string =>
  field.source.includes("'")
    ? message.replace(field, typed)
    : message
        .split(/('[^']*')/)
        .map((part, i) => (i % 2 === 0 ? part.replace(field, typed) : part))
        .join('');

/** Says what is to be known about an answer: what was chosen, what is not in it, and where to look instead. */
export function sayNotes(
  terminal: Terminal,
  { total, suppressed, unmatched, since, nearest }: AnswerHead,
  question: CommandQuestion,
): void {
  const chosen = chosenText(question, since);
  if (chosen !== undefined) say(terminal, chosen);
  if (total !== null) say(terminal, `There are ${total} in all, and not all of them are here.`);
  if (suppressed) say(terminal, `${suppressed} answers are hidden to protect anonymity: too few people gave them.`);
  for (const [filter, values] of Object.entries(unmatched ?? {})) {
    say(terminal, `Nothing matches ${filter}: ${values.map((value) => JSON.stringify(value)).join(', ')}.`);
  }
  if (nearest) say(terminal, nearestText(nearest));
}

function chosenText(
  { isWindowChosen, lastDays, chosenAggregations, asked }: CommandQuestion,
  since: string | null,
): string | undefined {
  const names = [...new Set(Object.values(chosenAggregations))];
  const several = Object.entries(chosenAggregations).map(([metric, name]) => `${metric} as ${name}`);
  const parts = [
    ...(isWindowChosen && since !== null ? [`for the last ${lastDays} days, since ${since}`] : []),
    ...(names.length === 1 ? [`as ${names[0]}`] : several),
  ];
  if (parts.length === 0) return undefined;
  const options = [
    ...(isWindowChosen ? ['--since'] : []),
    ...(names.length === 0 ? [] : [asked.length > 1 ? 'aggregations in the body' : '--agg']),
  ];
  return `Asked ${parts.join(', ')}: ${options.join(' and ')} ${options.length === 1 ? 'chooses' : 'choose'} otherwise.`;
}

function nearestText({ before, after }: { readonly before: string | null; readonly after: string | null }): string {
  const days = [...(before === null ? [] : [`${before} before it`]), ...(after === null ? [] : [`${after} after it`])];
  return `There is nothing in this window. The nearest rows are of ${days.join(' and of ')}.`;
}
