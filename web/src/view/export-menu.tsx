import { Ellipsis, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type AnswerFormat, answerFormats, mediaTypeOf, rowFormats } from '../../../src/formats/answer-formats.ts';
import { inCsv, isPicked, type PickedBy } from '../ask/picked-rows.ts';
import type { Question } from '../ask/question.ts';
import { requestTexts } from '../ask/request-texts.ts';
import { AskError, type Row, sendForFile, sendQuestion } from '../ask/send.ts';
import { useSession } from '../page-session.ts';
import { exportWords } from './answer-words.ts';
import { useAskedWords } from './asked-words.ts';
import type { PictureHead } from './chart-picture.ts';
import { copyPicture, copyText } from './copy.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { nameInAddress } from './part-of-page.ts';

interface ExportProps {
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
}

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

/** Takes an answer elsewhere: as a file, a picture, a link or a request. */
export function ExportMenu(props: ExportProps) {
  const { question, name, subtitle, png, className = 'link small', part, picked = [], views } = props;
  const [said, setSaid] = useState('');
  const [isCopied, setCopied] = useState(false);
  // What was copied is said for a moment; what went wrong stays until the next try.
  useEffect(() => {
    if (!isCopied || said === '') return;
    const timer = setTimeout(() => setSaid(''), 2_000);
    return () => clearTimeout(timer);
  }, [said, isCopied]);
  const { organisation, public_url } = useSession();
  const asked = useAskedWords(question, png !== undefined);
  const head = { title: name, subtitle: [organisation.name, ...asked, subtitle].filter(Boolean).join(' · ') };
  const file = async (format: AnswerFormat) => {
    const accept = mediaTypeOf(format);
    try {
      const content =
        picked.length === 0
          ? await (await sendForFile(question, accept)).blob()
          : await pickedFile(question, picked, format);
      saveAs(content, fileName(name, rowFormats[format].endings[0]));
      setSaid('');
    } catch (error) {
      setCopied(false);
      setSaid(error instanceof AskError ? error.message : exportWords.noFile);
    }
  };
  const say = async (copying: Promise<boolean>, what: string) => {
    const isDone = await copying;
    setSaid(isDone ? exportWords.copied(what) : exportWords.noCopying);
    setCopied(isDone);
  };
  const copy = (text: string, what: string) => say(copyText(text), what);
  const trigger = views
    ? { label: <Ellipsis className="icon" />, isIcon: true, name: exportWords.more(name), className: 'icon-button' }
    : { label: said === '' ? exportWords.export : said, name: exportWords.exportOf(name), className };
  return (
    <>
      {views && (
        <span className="small secondary export-said" role="status">
          {said}
        </span>
      )}
      <Menu {...trigger} align="end">
        {(close) => {
          const pick = (work: () => void) => () => {
            work();
            close();
          };
          return (
            <>
              {views?.map(({ name: viewName, icon, onPick }) => (
                <MenuItem key={viewName} icon={icon} onPick={pick(onPick)}>
                  {viewName}
                </MenuItem>
              ))}
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
                <MenuItem onPick={pick(() => void say(copyPicture(png(head) ?? ''), 'PNG'))}>
                  {exportWords.copyPng}
                </MenuItem>
              )}
              <MenuItem onPick={pick(() => void copy(linkToPart(part), exportWords.link))}>
                {exportWords.copyLink}
              </MenuItem>
              <MenuItem onPick={pick(() => void copy(requestTexts(question, public_url, picked).curl, 'curl'))}>
                {exportWords.copyCurl}
              </MenuItem>
            </>
          );
        }}
      </Menu>
    </>
  );
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
