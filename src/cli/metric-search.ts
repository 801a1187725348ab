import type { MetricEntry } from '../catalogue/catalogue-document.ts';
import { metricsCalled } from '../catalogue/synonyms.ts';
import { didYouMean } from '../nearest.ts';
import { catalogue } from '../query/described-calendar.ts';
import { Refusal } from '../refusal.ts';

/** All metrics, the one of that name, or those that a word leads to. */
export function metricsAbout(word: string | undefined): readonly MetricEntry[] {
  const { metrics } = catalogue();
  const wanted = word?.trim().toLowerCase().replaceAll('_', '-') ?? '';
  const named = metrics.filter(({ name }) => name === wanted);
  if (wanted === '' || named.length > 0) return named.length > 0 ? named : metrics;
  const known = metricsCalled(wanted);
  const phrase = wanted.replaceAll('-', ' ');
  const found = metrics.filter(
    ({ name, title, domain, meaning }) =>
      known.includes(name) ||
      name.includes(wanted) ||
      [title, domain, meaning].some((text) => text.toLowerCase().includes(phrase)),
  );
  if (found.length > 0) return found;
  // The words of their names as well: of cycle-time also cycle.
  const words = metrics.flatMap(({ name }) => [name, ...name.split('-')]);
  const hint = didYouMean(wanted, new Set(words));
  throw new Refusal('not-found', `No metric is about '${word}'.${hint} \`plumb metrics\` lists all of them.`);
}
