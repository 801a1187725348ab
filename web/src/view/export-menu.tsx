import { useEffect, useState } from 'react';
import { inCsv, isPicked, type PickedBy } from '../ask/picked-rows.ts';
import type { Question } from '../ask/question.ts';
import { requestTexts } from '../ask/request-texts.ts';
import { AskError, sendForFile, sendQuestion } from '../ask/send.ts';
import { useSession } from '../session.ts';
import { useAskedWords } from './asked-words.ts';
import type { PictureHead } from './chart-picture.ts';
import { copyPicture, copyText } from './copy.tsx';
import { Menu, MenuItem } from './menu.tsx';
import { nameInAddress } from './part-of-page.ts';

interface ExportProps {
  readonly question: Question;
  /** What files are named after. */
  readonly name: string;
  /** What stands under the name, for the picture. */
  readonly subtitle?: string | undefined;
  /** The chart as a picture, where there is one. */
  readonly png?: ((head: PictureHead) => string | undefined) | undefined;
  readonly className?: string;
  /** The id of the part of the page that it is about, for links that lead there. */
  readonly part?: string | undefined;
  /** By what rows are picked from the answer, where not all of them are shown. */
  readonly picked?: readonly PickedBy[] | undefined;
}

const formats = {
  CSV: ['text/csv', 'csv'],
  JSON: ['application/json', 'json'],
  Parquet: ['application/vnd.apache.parquet', 'parquet'],
} as const;

const copied = ' copied';

/** Rows that are picked here, not by the server, can be written only as text. */
const pickedFormats = { CSV: formats.CSV, JSON: formats.JSON };

/** Takes an answer elsewhere: as a file, a picture, a link or a request. */
export function ExportMenu(props: ExportProps) {
  const { question, name, subtitle, png, className = 'link small', part, picked = [] } = props;
  const [said, setSaid] = useState('');
  // What was copied is said for a moment; what went wrong stays until the next try.
  useEffect(() => {
    if (!said.endsWith(copied)) return;
    const timer = setTimeout(() => setSaid(''), 2_000);
    return () => clearTimeout(timer);
  }, [said]);
  const { organisation, public_url } = useSession();
  const asked = useAskedWords(question, png !== undefined);
  const head = { title: name, subtitle: [organisation.name, ...asked, subtitle].filter(Boolean).join(' · ') };
  const file = async (accept: string, ending: string) => {
    try {
      const content =
        picked.length === 0
          ? await (await sendForFile(question, accept)).blob()
          : await pickedFile(question, picked, accept);
      saveAs(content, fileName(name, ending));
      setSaid('');
    } catch (error) {
      setSaid(error instanceof AskError ? error.message : 'The file could not be made.');
    }
  };
  const say = async (copying: Promise<boolean>, what: string) =>
    setSaid((await copying) ? `${what}${copied}` : 'This browser does not let pages copy here.');
  const copy = (text: string, what: string) => say(copyText(text), what);
  return (
    <Menu label={said === '' ? 'Export' : said} name={`Export ${name}`} className={className} align="end">
      {(close) => {
        const pick = (work: () => void) => () => {
          work();
          close();
        };
        return (
          <>
            {Object.entries(picked.length === 0 ? formats : pickedFormats).map(([label, [accept, ending]]) => (
              <MenuItem key={label} onPick={pick(() => void file(accept, ending))}>
                {label}
              </MenuItem>
            ))}
            {png && <MenuItem onPick={pick(() => void savePicture(png(head), name))}>PNG</MenuItem>}
            <hr className="menu-line" />
            {png && <MenuItem onPick={pick(() => void say(copyPicture(png(head) ?? ''), 'PNG'))}>Copy as PNG</MenuItem>}
            <MenuItem onPick={pick(() => void copy(linkToPart(part), 'Link'))}>Copy link</MenuItem>
            <MenuItem onPick={pick(() => void copy(requestTexts(question, public_url, picked).curl, 'curl'))}>
              Copy as curl
            </MenuItem>
          </>
        );
      }}
    </Menu>
  );
}

/** The page as it is seen, and the part of it that is meant. */
const linkToPart = (part: string | undefined): string => `${location.href.split('#')[0]}${part ? `#${part}` : ''}`;

const fileName = (name: string, ending: string): string => `${nameInAddress(name) || 'export'}.${ending}`;

async function pickedFile(question: Question, picked: readonly PickedBy[], accept: string): Promise<Blob> {
  const { rows } = await sendQuestion(question);
  const meant = rows.filter((row) => picked.every((by) => isPicked(row, by)));
  return new Blob([accept === 'text/csv' ? inCsv(meant) : JSON.stringify(meant)], { type: accept });
}

function savePicture(url: string | undefined, name: string): void {
  if (url) save(url, fileName(name, 'png'));
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
