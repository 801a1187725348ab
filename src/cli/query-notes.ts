import type { AnswerHead } from '../control/metric-answers.ts';
import type { CommandQuestion } from './query-body.ts';
import { say, type Terminal } from './terminal.ts';

/** Says what is to be known about an answer: what was chosen, what is not in it, and where to look instead. */
export function sayNotes(
  terminal: Terminal,
  { total, suppressed, unmatched, since, nearest }: AnswerHead,
  question: CommandQuestion,
): void {
  const chosen = chosenText(question, since);
  if (chosen !== undefined) say(terminal, chosen);
  if (total !== null) say(terminal, `There are ${total} in all; not all of them are here.`);
  if (suppressed) say(terminal, `${suppressed} answers are left out: too few people gave them.`);
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
