import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { counted, grouped } from '../../view/format.ts';
import type { ImportOutcome } from './import-questions.ts';
import { maxFileBytes, sendingOf } from './import-questions.ts';

export const importFileWords = {
  needed: (field: string) => `${field} (needed)`,
  importingLargeFilesTake: 'Importing. Large files take a minute or two.',
  readingFirstRows: 'Reading the first rows…',
  chooseFileOrDrop: 'Choose a file, or drop it here',
  csvNdjsonJson: 'CSV, NDJSON, JSON or Parquet, up to 64 MiB',
  leave: 'Leave out',
  whatInThisFile: 'What is in this file?',
  daysSuchAs03: 'Days such as 03/04/26',
  thereNone: 'There are none',
  dayFirst: 'Day first',
  monthFirst: 'Month first',
  recognisedAndWill: (unknown: number) =>
    `${counted(unknown, 'column isn’t', 'columns aren’t')} recognised and will be left out. Choose a field to keep them.`,
  columnsFile: 'Columns of the file',
  column: 'Column',
  firstValues: 'First values',
  becomes: 'Becomes',
  field: (heading: string) => `Field of ${heading}`,
  asRecognised: 'As recognised',
  twoColumnsBecomeLeave: (twice: string) => `Two columns become ${twice}. Leave one of them out.`,
  firstRowsCant: (bad: number, rows: number) => `${bad} of the first ${grouped(rows)} rows can’t be kept:`,
  line: (line: number) => `Line ${grouped(line)}:`,
  import: (tableLabel: string) => `Import ${tableLabel}`,
  restKeptAndYou: 'The rest is kept, and you can download what isn’t.',
} as const;

export const importedFileWords = {
  imported: (accepted: number, count: number) =>
    `${grouped(accepted)} of ${counted(count, 'record', 'records')} imported`,
  asImportingSameFile: (tableLabel: string) => `as ${tableLabel}. Importing the same file again changes nothing.`,
  line: (line: number) => `Line ${grouped(line)}:`,
  andMore: (count: number) => `and ${grouped(count)} more`,
  downloadWhatWasntKept: 'Download what wasn’t kept',
  first4Mib: ' (the first 4 MiB)',
  openOverview: 'Open the overview',
  importAnotherFile: 'Import another file',
} as const;

/** Why a file cannot be imported, before it is sent. */
export function problemOf({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (sendingOf(name) === undefined) {
    return 'This kind of file can’t be read. Choose a CSV, NDJSON, JSON or Parquet file, or a CSV, NDJSON or JSON file packed with gzip.';
  }
  if (size > maxFileBytes) return 'This file is larger than 64 MiB. Import it in several files, or by command.';
  return size === 0 ? 'This file is empty.' : undefined;
}

/** What the reader should know of an import that went well. */
export function remarksOn({
  left_out,
  host_assumed,
  unmatched_references = {},
}: Pick<ImportOutcome, 'left_out' | 'host_assumed' | 'unmatched_references'>): readonly string[] {
  const unmatched = Object.values(unmatched_references).flat();
  const shown = unmatched.slice(0, 5).join(', ');
  const more = unmatched.length > 5 ? ` and ${grouped(unmatched.length - 5)} more` : '';
  return [
    ...left_out.map(
      ({ what, count }) =>
        `${counted(count, 'record', 'records')} ${what.replaceAll('_', ' ')} ${count === 1 ? 'was' : 'were'} left out.`,
    ),
    ...(host_assumed === undefined
      ? []
      : [
          `The file doesn’t say which code host its records are from, so they’re taken as ${valueLabel('source', host_assumed)}.`,
        ]),
    ...(unmatched.length === 0
      ? []
      : [
          `${counted(unmatched.length, 'reference matches', 'references match')} nothing: ${shown}${more}. ` +
            'They’re kept, and count once what they name is imported.',
        ]),
  ];
}
