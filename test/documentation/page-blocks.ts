import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const readPage = (page: string): string => readFileSync(join(root, page), 'utf8');

/** Every page whose commands and answers have to be true. Decisions tell of the day on which they were made. */
export const pages: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md') && !file.startsWith('decisions'))
    .sort()
    .map((file) => join('docs', file)),
];

/** A fenced block of a page. */
export interface Block {
  readonly page: string;
  /** The line of its fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly text: string;
  /** What the HTML comment right before it says, such as `needs docker`. */
  readonly mark: string | undefined;
  /** Whether nothing but blank lines lies between it and the block before. */
  readonly followsBlock: boolean;
}

const fence = /^( *)```(.*)\n([\s\S]*?)^\1```$/gm;

export function blocksOf(page: string, text: string = readPage(page)): Block[] {
  const found = [...text.matchAll(fence)];
  if (text.match(/^ *(?:```|~~~)/gm)?.length !== (found.length * 2 || undefined)) {
    throw new Error(`${page} has a fence without its counterpart, or of another kind.`);
  }
  let end = 0;
  return found.map((match) => {
    const [whole, indent = '', language = '', content = ''] = match;
    const between = text.slice(end, match.index);
    const followsBlock = end > 0 && between.trim() === '';
    end = match.index + whole.length;
    return {
      page,
      line: text.slice(0, match.index).split('\n').length,
      language: language.trim(),
      text: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      mark: /<!-- ([^\n]*) -->\s*$/.exec(between)?.[1],
      followsBlock,
    };
  });
}
