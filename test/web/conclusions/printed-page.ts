import { textOf } from '../page-rendering.ts';
import { isMetric, type MetricName } from './metric-facts.ts';

/** What stands on a drawn page, read from its HTML. */

/** A change as it is printed: which verdict it is drawn from, its colour, and whether it has an arrow. */
export interface PrintedChange {
  readonly verdict: string;
  readonly tone: string;
  readonly arrow: string | undefined;
  /** The sign of the difference, where one is printed. */
  readonly sign: string | undefined;
}

/** A key figure. */
export interface PrintedTile {
  readonly metric: MetricName;
  readonly value: number | null;
  readonly change: PrintedChange | undefined;
  /** It says that it ends earlier than its page. */
  readonly isCut: boolean;
}

/** A line of the biggest changes: the team or repository, and the figure. */
interface PrintedLine {
  readonly group: string;
  readonly metric: string;
  readonly change: PrintedChange | undefined;
}

function changeIn(html: string): PrintedChange | undefined {
  const [, tone = '', verdict = '', inner = ''] =
    /<span class="small (\w+)"[^>]*data-verdict="(\w*)"[^>]*>(.*?)<\/span>/s.exec(html) ?? [];
  return tone === '' ? undefined : { tone, verdict, arrow: /[↑↓]/.exec(inner)?.[0], sign: /[+−]/.exec(inner)?.[0] };
}

export const tilesOf = (html: string): PrintedTile[] =>
  [...html.matchAll(/<article[^>]*data-metric="([\w-]+)".*?<\/article>/gs)].flatMap(([tile, metric = '']) => {
    const value = /data-value="([^"]*)"/.exec(tile)?.[1] ?? '';
    return isMetric(metric)
      ? {
          metric,
          value: value === '' ? null : Number(value),
          change: changeIn(tile),
          isCut: /^to \d/.test(
            textOf(
              /<span class="small secondary">([^<]*)/.exec(tile.replace(/data-verdict.*?<\/span>/s, ''))?.[1] ?? '',
            ),
          ),
        }
      : [];
  });

export const linesOf = (html: string): PrintedLine[] => {
  const list = /<ul class="changes">.*?<\/ul>/s.exec(html)?.[0] ?? '';
  return [...list.matchAll(/<li data-metric="([\w-]+)">.*?<\/li>/gs)].map(([line, metric = '']) => {
    const group = textOf(/<span class="change-name">(.*?)<\/span>/s.exec(line)?.[1] ?? '');
    return { group, metric, change: changeIn(line) };
  });
};

/** What the page says in one sentence on top. */
export const sentenceOf = (html: string): string =>
  textOf(/<p class="sentence[^"]*">(.*?)<\/p>/s.exec(html)?.[1] ?? '')
    .replaceAll(/ (?=[,;.)])/g, '')
    .replaceAll('( ', '(');

/**
 * The page without the changes that have a direction by their verdicts: nothing is left to be coloured or to have an arrow.
 * What tells of a mistake in a form has the colour of warnings.
 */
export const withoutJudged = (html: string): string =>
  html
    .replaceAll(/<span class="small \w+"[^>]*data-verdict="(?:up|down)"[^>]*>.*?<\/span>/gs, '')
    .replaceAll(/<\w+ role="status"[^>]*>/g, '');

/** How many values the course of each tile has. */
export const sparklineLengths = (html: string): ReadonlyMap<string, number> =>
  new Map(
    [...html.matchAll(/<article[^>]*data-metric="([\w-]+)".*?<\/article>/gs)].map(([tile, metric = '']) => {
      const course = [...tile.matchAll(/<path d="([^"]*)"/g)].at(-1)?.[1] ?? '';
      return [metric, [...course.matchAll(/[ML]/g)].length];
    }),
  );
