import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type InterfaceText, isProse, textsOf } from './interface-texts.ts';

const root = new URL('../../', import.meta.url);

const filesIn = (folder: string): string[] =>
  readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort();

const isWordsFile = (file: string): boolean => /(?:^|[/-])words\.ts$/.test(file);

/** What people read on pages and in charts. Refusals are thrown where they are found, and declarations hold their own meaning. */
const shown = [
  ...filesIn('web/src'),
  ...filesIn('src/charts'),
  ...filesIn('src/conclusions'),
  'src/http/pages/built-pages.ts',
  'src/http/pages/sign-in-pages.ts',
];

/** Code that people copy, what is generated from the catalogue, the reference, selectors and drawing commands. */
const noTexts = [
  'web/src/ask/catalogue.ts',
  'web/src/ask/picked-rows.ts',
  'web/src/ask/request-texts.ts',
  'web/src/docs/docs.ts',
  'web/src/page-session.ts',
  'web/src/theme/theme.ts',
  'web/src/view/chart-picture.ts',
  'web/src/view/menu.tsx',
  'web/src/view/table-rows.tsx',
  'src/charts/draw-svg.ts',
];

/** A command, with its options, that people copy. */
const isCommand = ({ text }: InterfaceText): boolean => /-H '|(?:^|… .* )--[a-z]+ /.test(text);

/** A word by itself that begins with a capital, in brackets or within an element. Roles and names of products stay as they are. */
const isWord = ({ text, role }: InterfaceText): boolean =>
  !/^(?:Owner|Manager|Engineer|Plumb|PNG|API|… demo)$/.test(text) &&
  (role === 'content' ? /\p{L}{2}/u.test(text.replaceAll('…', ' ')) : /^(?:\p{Lu}\p{Ll}+|\(\p{Ll}+\))$/u.test(text));

test('What people read stands in words files, a single word as well as a sentence', () => {
  const elsewhere = shown
    .filter((file) => !isWordsFile(file) && !noTexts.includes(file))
    .flatMap((file) => textsOf(file, root))
    .filter((text) => (isProse(text) && !isCommand(text)) || isWord(text));
  expect(elsewhere.map(({ place, text }) => `${place} says ${text}`)).toEqual([]);
});

/** Their sentences still ask for what they are about. */
const stillAsking = ['web/src/view/asked-words.ts', 'web/src/view/whose-words.ts'];

test('A words file holds words: it has no element, and asks for nothing', () => {
  const words = [
    ...filesIn('src/charts'),
    ...filesIn('src/conclusions'),
    ...filesIn('src/http'),
    ...filesIn('web/src'),
  ].filter(isWordsFile);
  expect(words.length).toBeGreaterThan(15);
  const asks = (file: string) =>
    /^import (?!type )[^;]*from '(?:react|wouter|[^']*(?:\/use-[a-z-]+|\/send|page-session)\.tsx?)'/m.test(
      readFileSync(new URL(file, root), 'utf8'),
    );
  expect(words.filter(asks).sort()).toEqual(stillAsking);
});
