import { shown } from '../charts/shown-value.ts';
import { changeWords } from '../conclusions/verdict-words.ts';
import { shownWindow } from '../conclusions/window-words.ts';
import type { MessageContent, MessageFigure, MessageSection } from '../messages/message-content.ts';
import { type AnsweredPanel, maxPanelsShown } from './board-panels.ts';

/** What the texts of a digest with a board depend on. */
interface BoardSetting {
  readonly organisation: string;
  readonly timeZone: string;
  readonly board: string;
  readonly title: string;
  readonly days: { readonly start_date: string; readonly end_date: string };
  readonly panelCount: number;
  /** How many panels are left out, as others read the digest. */
  readonly hiddenCount: number;
  readonly notes: readonly string[];
}

const maxFigures = 6;

/** A board as a message: its numbers, and under them what is split by something. */
export function boardContent(panels: readonly AnsweredPanel[], setting: BoardSetting): MessageContent {
  const { organisation, title, board, days, panelCount, hiddenCount, notes } = setting;
  const link = `/board/${board}`;
  const period = shownWindow({ start: days.start_date, end: days.end_date });
  const plain = panels.filter(isPlain);
  const figures = plain.slice(0, maxFigures).map((panel) => figureOf(panel, link));
  const rest = panels.filter((panel) => !plain.slice(0, maxFigures).includes(panel));
  const more = panelCount - hiddenCount - panels.length;
  return {
    title: `${title}: ${period}`,
    organisation,
    period,
    intro: [figures.length + rest.length === 0 ? 'The board has no panels to show.' : `${title}, for ${period}.`],
    figures,
    sections: rest.map((panel) => sectionOf(panel, link)),
    button: { text: `Open ${title}`, link },
    notes: [
      ...(more > 0 ? [`The first ${maxPanelsShown} panels are shown. The board has ${more} more.`] : []),
      ...(hiddenCount > 0 ? ['Panels that name people, or are about salaries or surveys, are left out.'] : []),
      ...notes,
    ],
    data: {
      board,
      ...days,
      panels: panels.map(({ title: name, metric, values }) => ({
        title: name,
        metric,
        values: values.map(({ name: group, now, before, verdict }) => ({
          ...(group === null ? {} : { group }),
          value: now.value,
          previous_value: before.value,
          verdict,
        })),
      })),
    },
  };
}

const isPlain = ({ values: [first, ...others] }: AnsweredPanel): boolean =>
  first !== undefined && others.length === 0 && first.name === null;

function figureOf({ title, measure, values }: AnsweredPanel, link: string): MessageFigure {
  const [value] = values;
  if (!value) return { label: title, value: '–', link };
  return { label: title, value: shown(value.now.value, measure), change: changeOf(value, measure), link };
}

function sectionOf({ title, measure, values, problem }: AnsweredPanel, link: string): MessageSection {
  if (values.length === 0) return { title, lines: [{ text: problem ?? 'No values in this window.', link }] };
  return {
    title,
    lines: values.map((value) => ({
      text: `${value.name === null ? '' : `${value.name}: `}${shown(value.now.value, measure)}`,
      detail: changeOf(value, measure).text,
      link,
    })),
  };
}

function changeOf(value: AnsweredPanel['values'][number], measure: AnsweredPanel['measure']) {
  const { text, tone, arrow } = changeWords({ ...value, measure });
  const words = arrow ? `${arrow} ${text.replace(/^[+−]/, '')}` : text;
  return { text: words, tone: tone === 'secondary' ? ('neutral' as const) : tone };
}
