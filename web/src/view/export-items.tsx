import { LayoutDashboard, type LucideIcon } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { ChartDescription } from '../../../src/charts/chart-description.ts';
import { type AnswerFormat, answerFormats, mediaTypeOf, rowFormats } from '../../../src/formats/answer-formats.ts';
import { type Panel, type PanelView, panelOf, panelOfChart } from '../ask/panel-of.ts';
import { inCsv, isPicked, type PickedBy } from '../ask/picked-rows.ts';
import type { Question } from '../ask/question.ts';
import { requestTexts } from '../ask/request-texts.ts';
import { AskError, type Row, sendForFile, sendQuestion } from '../ask/send.ts';
import { useSession } from '../page-session.ts';
import { exportWords } from './answer-words.ts';
import { useAskedWords } from './asked-words.ts';
import type { PictureHead } from './chart-picture.ts';
import { copyPicture, copyText } from './copy.tsx';
import { MenuItem } from './menu.tsx';
import { nameInAddress } from './part-of-page.ts';

export interface ExportProps {
  readonly question: Question;
  /** The name of exported files. */
  readonly name: string;
  /** The subtitle of the picture. */
  readonly subtitle?: string | undefined;
  /** The chart as a picture, where there is one. */
  readonly png?: ((head: PictureHead) => string | undefined) | undefined;
  readonly className?: string;
  /** The id of the part of the page that it is about, for links that lead there. */
  readonly part?: string | undefined;
  /** The condition by which rows are picked from the answer, where not all of them are shown. */
  readonly picked?: readonly PickedBy[] | undefined;
  /** What else its card can show, above the export: then this is the menu of the card. */
  readonly views?: readonly CardView[];
  /** What the card shows, for boards: a panel as it is, or a chart or table that may be one. */
  readonly drawn?: DrawnCard;
}

type DrawnCard =
  | { readonly panel: Panel }
  | { readonly view: PanelView; readonly compare: boolean }
  | {
      readonly chart?: ChartDescription | undefined;
      readonly isTable?: true;
      /** Further requests whose answers the card shows. */
      readonly also?: Readonly<Record<string, Question>>;
    };

export interface CardView {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly onPick: () => void;
}

const formats = answerFormats
  .filter((format) => !('isForPrograms' in rowFormats[format]))
  .toSorted((a, b) => (a < b ? -1 : 1));

/** Writes rows that the page picks, not the server, in each format. */
const pickedWriters: { readonly [F in AnswerFormat]?: (rows: readonly Row[]) => string } = {
  csv: inCsv,
  json: JSON.stringify,
};

interface ExportItemsProps extends ExportProps {
  readonly close: () => void;
  /** Says what was done, or what went wrong. */
  readonly onSaid: (said: string, isDone: boolean) => void;
  readonly onAdd: (panel: Panel) => void;
}

/** What a card can do with its answer. Loaded when its menu is opened. */
export default function ExportItems(props: ExportItemsProps) {
  const { question, name, subtitle, png, part, picked = [], views, close, onSaid, onAdd } = props;
  const first = useRef<HTMLDivElement>(null);
  // The menu was opened before there was anything in it to take the focus.
  useEffect(() => first.current?.querySelector<HTMLElement>('.menu-item')?.focus(), []);
  const { organisation, public_url } = useSession();
  const asked = useAskedWords(question, png !== undefined);
  const head = { title: name, subtitle: [organisation.name, ...asked, subtitle].filter(Boolean).join(' · ') };
  const panel = views && asPanel(props);
  const file = async (format: AnswerFormat) => {
    const accept = mediaTypeOf(format);
    try {
      const content =
        picked.length === 0
          ? await (await sendForFile(question, accept)).blob()
          : await pickedFile(question, picked, format);
      saveAs(content, fileName(name, rowFormats[format].endings[0]));
      onSaid('', true);
    } catch (error) {
      onSaid(error instanceof AskError ? error.message : exportWords.noFile, false);
    }
  };
  const say = async (copying: Promise<boolean>, what: string) => {
    const isDone = await copying;
    onSaid(isDone ? exportWords.copied(what) : exportWords.noCopying, isDone);
  };
  const copy = (text: string, what: string) => say(copyText(text), what);
  const pick = (work: () => void) => () => {
    work();
    close();
  };
  return (
    <div ref={first}>
      {views?.map(({ name: viewName, icon, onPick }) => (
        <MenuItem key={viewName} icon={icon} onPick={pick(onPick)}>
          {viewName}
        </MenuItem>
      ))}
      {panel && (
        <MenuItem icon={LayoutDashboard} onPick={pick(() => onAdd(panel))}>
          {exportWords.addToBoard}
        </MenuItem>
      )}
      {views && <hr className="menu-line" />}
      {formats
        .filter((format) => picked.length === 0 || pickedWriters[format])
        .map((format) => (
          <MenuItem key={format} onPick={pick(() => void file(format))}>
            {rowFormats[format].label}
          </MenuItem>
        ))}
      {png && <MenuItem onPick={pick(() => void savePicture(png(head), name))}>PNG</MenuItem>}
      <hr className="menu-line" />
      {png && (
        <MenuItem onPick={pick(() => void say(copyPicture(png(head) ?? ''), 'PNG'))}>{exportWords.copyPng}</MenuItem>
      )}
      <MenuItem onPick={pick(() => void copy(linkToPart(part), exportWords.link))}>{exportWords.copyLink}</MenuItem>
      <MenuItem onPick={pick(() => void copy(requestTexts(question, public_url, picked).curl, 'curl'))}>
        {exportWords.copyCurl}
      </MenuItem>
    </div>
  );
}

/** The card as a panel of a board, where it is one question. */
function asPanel({ question, name, drawn }: ExportProps): Panel | undefined {
  if (!drawn) return undefined;
  if ('panel' in drawn) return drawn.panel;
  if ('view' in drawn) return panelOf(question, { title: name, ...drawn });
  const { chart, also = {} } = drawn;
  if (chart) return panelOfChart(chart, name, question, also);
  return drawn.isTable && Object.keys(also).length === 0
    ? panelOf(question, { title: name, view: 'table' })
    : undefined;
}

/** The address of the page in its present state, and of the part that is meant. */
const linkToPart = (part: string | undefined): string => `${location.href.split('#')[0]}${part ? `#${part}` : ''}`;

const fileName = (name: string, ending: string): string => `${nameInAddress(name) || 'export'}${ending}`;

async function pickedFile(question: Question, picked: readonly PickedBy[], format: AnswerFormat): Promise<Blob> {
  const { rows } = await sendQuestion(question);
  const meant = rows.filter((row) => picked.every((by) => isPicked(row, by)));
  return new Blob([pickedWriters[format]?.(meant) ?? ''], { type: mediaTypeOf(format) });
}

function savePicture(url: string | undefined, name: string): void {
  if (url) save(url, fileName(name, '.png'));
}

function saveAs(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  save(url, name);
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function save(url: string, name: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}
