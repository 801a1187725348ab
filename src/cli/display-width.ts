import { eastAsianWidth } from 'get-east-asian-width';

/** How many columns a text takes on a screen: characters of East Asia and emoji take two, combining ones none. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of charactersOf(text)) width += characterWidth(character);
  return width;
}

/** A text that takes so many columns at most: what is longer ends in `…`. No character is cut in two. */
export function cutToWidth(text: string, maxColumns: number): string {
  if (displayWidth(text) <= maxColumns) return text;
  let kept = '';
  let width = 0;
  for (const character of charactersOf(text)) {
    width += characterWidth(character);
    if (width > maxColumns - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** A text with spaces behind it, as wide as its column. */
export const padToWidth = (text: string, width: number): string => text + spaceBeside(text, width);

/** Rows of cells as lines: columns as wide as their widest cell, some with their cells at the right, and the last as it is. */
export function alignedLines(rows: readonly (readonly string[])[], isRight: readonly boolean[] = []): string[] {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i] ?? '')))) ?? [];
  return rows.map((row) =>
    row
      .map((cell, i) => {
        if (i === row.length - 1) return cell;
        const width = widths[i] ?? 0;
        return isRight[i] ? spaceBeside(cell, width) + cell : padToWidth(cell, width);
      })
      .join('  '),
  );
}

/** The spaces that a text lacks to be as wide as its column. */
const spaceBeside = (text: string, width: number): string => ' '.repeat(Math.max(0, width - displayWidth(text)));

let segmenter: Intl.Segmenter | undefined;

/** Characters as people count them. What knows them takes longer to make than most commands run, and few texts need it. */
function* charactersOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter();
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** Signs that only change how others are shown. */
const shown = /[^\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Nonspacing_Mark}\p{Enclosing_Mark}]/u;
/** Emoji that are made of narrow signs: flags, and what is followed by the sign that asks for a picture. */
const composedEmoji = /^\p{Regional_Indicator}{2}|\uFE0F/u;

function characterWidth(character: string): number {
  const [first] = shown.exec(character) ?? [];
  if (first === undefined) return 0;
  return composedEmoji.test(character) ? 2 : eastAsianWidth(first.codePointAt(0) ?? 0);
}
