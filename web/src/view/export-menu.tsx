import { useState } from 'react';
import type { Question } from '../ask/question.ts';
import { requestTexts } from '../ask/request-texts.ts';
import { AskError, sendForFile } from '../ask/send.ts';
import { useSession } from '../session.ts';
import { copyText } from './copy.tsx';
import { Menu, MenuItem } from './menu.tsx';

interface ExportProps {
  readonly question: Question;
  /** What files are named after. */
  readonly name: string;
  /** The chart as a picture, where there is one. */
  readonly png?: (() => string | undefined) | undefined;
  readonly className?: string;
}

const formats = {
  CSV: ['text/csv', 'csv'],
  JSON: ['application/json', 'json'],
  Parquet: ['application/vnd.apache.parquet', 'parquet'],
} as const;

/** Takes an answer elsewhere: as a file, a picture, a link or a request. */
export function ExportMenu({ question, name, png, className = 'link small' }: ExportProps) {
  const [said, setSaid] = useState('');
  const { public_url } = useSession();
  const file = async (accept: string, ending: string) => {
    try {
      const response = await sendForFile(question, accept);
      saveAs(await response.blob(), `${fileName(name)}.${ending}`);
      setSaid('');
    } catch (error) {
      setSaid(error instanceof AskError ? error.message : 'The file could not be made.');
    }
  };
  const copy = async (text: string, what: string) =>
    setSaid((await copyText(text)) ? `${what} copied` : 'This browser does not let pages copy here.');
  return (
    <Menu label={said === '' ? 'Export' : said} name={`Export ${name}`} className={className} align="end">
      {(close) => {
        const pick = (work: () => void) => () => {
          work();
          close();
        };
        return (
          <>
            {Object.entries(formats).map(([label, [accept, ending]]) => (
              <MenuItem key={label} onPick={pick(() => void file(accept, ending))}>
                {label}
              </MenuItem>
            ))}
            {png && <MenuItem onPick={pick(() => void savePicture(png(), name))}>PNG</MenuItem>}
            <hr className="menu-line" />
            <MenuItem onPick={pick(() => void copy(location.href, 'Link'))}>Copy link</MenuItem>
            <MenuItem onPick={pick(() => void copy(requestTexts(question, public_url).curl, 'curl'))}>
              Copy as curl
            </MenuItem>
          </>
        );
      }}
    </Menu>
  );
}

const fileName = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');

function savePicture(url: string | undefined, name: string): void {
  if (url) save(url, `${fileName(name)}.png`);
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
