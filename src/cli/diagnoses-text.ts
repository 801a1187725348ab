import type { Diagnosis } from '../safety/diagnosis.ts';
import { displayWidth, padToWidth } from './display-width.ts';
import { printable } from './progress.ts';

interface TextOptions {
  /** How many columns a line takes at most, unless one word of it takes more. */
  readonly width: number;
  /** Lists every finding, not only a few examples. */
  readonly isWhole: boolean;
}

/** Examples that a check has of all organisations together. */
const maxExamples = 3;

const statusWidth = 'warning'.length;
/** Under a line stands what belongs to it, below its second column. */
const indent = ' '.repeat(statusWidth + 2);

/** The findings of the doctor: a line for each check, and under it what to do and some examples. */
export function diagnosesText(found: readonly Diagnosis[], options: TextOptions): string {
  const nameWidth = Math.max('CHECK'.length, ...found.map(({ name }) => displayWidth(name)));
  const lineOf = (status: string, name: string, rest: string) =>
    `${status.padEnd(statusWidth)}  ${padToWidth(name, nameWidth)}  ${rest}`.trimEnd();
  const lines = found.flatMap((diagnosis) => {
    const { status, name, detail, summary } = diagnosis;
    const line = lineOf(status, name, summary ?? detail);
    if (summary !== undefined)
      return [line, ...wrapped(detail, options.width, indent), ...examplesOf(diagnosis, options)];
    if (displayWidth(line) <= options.width) return [line];
    return [lineOf(status, name, ''), ...wrapped(detail, options.width, indent)];
  });
  const isCut = !options.isWhole && found.some((diagnosis) => hiddenOf(diagnosis) > 0);
  const hint = isCut
    ? ['', ...wrapped('`--all` shows everything that was found, `--org ORG` one organisation.', options.width)]
    : [];
  return [lineOf('STATUS', 'CHECK', 'DETAIL'), ...lines, ...hint].join('\n');
}

function examplesOf(diagnosis: Diagnosis, { width, isWhole }: TextOptions): string[] {
  const examples = isWhole ? allExamples(diagnosis) : firstExamples(diagnosis);
  const hidden = isWhole ? 0 : hiddenOf(diagnosis);
  return [
    ...examples.flatMap(({ text }) => wrapped(printable(text), width, `${indent}  `, `${indent}    `)),
    ...(hidden > 0 ? [`${indent}  and ${hidden.toLocaleString('en')} more`] : []),
  ];
}

interface Example {
  readonly text: string;
  /** How many of its organisation go before it. */
  readonly before: number;
  /** Names the organisation of a finding. */
  readonly organisation: number;
}

const allExamples = ({ findings = [] }: Diagnosis): Example[] =>
  findings.flatMap(({ organisation: name, examples }, organisation) =>
    examples.map((example, before) => ({
      text: name === undefined ? example : `${name}: ${example}`,
      before,
      organisation,
    })),
  );

/** As many organisations as fit, each with its most important findings. */
const firstExamples = (diagnosis: Diagnosis): Example[] =>
  allExamples(diagnosis)
    .sort((a, b) => a.before - b.before)
    .slice(0, maxExamples)
    .sort((a, b) => a.organisation - b.organisation);

function hiddenOf({ findings = [] }: Diagnosis): number {
  const all = findings.reduce((sum, { examples, more }) => sum + examples.length + more, 0);
  return Math.max(0, all - maxExamples);
}

/** A text in lines between its words. What stands between backticks is pasted, and stays on one line. */
function wrapped(text: string, width: number, first = '', further = first): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.match(/(?:[^\s`]|`[^`]*`)+|`/g) ?? []) {
    const start = lines.length === 0 ? first : further;
    if (line !== '' && displayWidth(`${start}${line} ${word}`) > width) {
      lines.push(`${start}${line}`);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return line === '' ? lines : [...lines, `${lines.length === 0 ? first : further}${line}`];
}
