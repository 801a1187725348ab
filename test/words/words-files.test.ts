import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isProse, textsOf } from './interface-texts.ts';

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

/**
 * Folders and files whose texts still stand between their code. This list only becomes shorter: what is new has a words
 * file from the beginning.
 */
const stillToBeMoved: readonly string[] = [
  'web/src/ask/connect-draft.ts',
  'web/src/ask/page-filters.ts',
  'web/src/ask/people-answers.ts',
  'web/src/ask/record-lists.ts',
  'web/src/ask/send.ts',
  'web/src/pages/ai-session/',
  'web/src/pages/ai/',
  'web/src/pages/benchmarks/',
  'web/src/pages/ci/',
  'web/src/pages/cycle-time/',
  'web/src/pages/delivery/',
  'web/src/pages/deployment/',
  'web/src/pages/explore/',
  'web/src/pages/issues/',
  'web/src/pages/overview/',
  'web/src/pages/people/',
  'web/src/pages/person/',
  'web/src/pages/pull-request/',
  'web/src/pages/reviews/',
  'web/src/pages/settings/',
  'web/src/pages/surveys/',
  'web/src/pages/welcome/',
  'web/src/routes.ts',
  'web/src/view/action.tsx',
  'web/src/view/arriving.tsx',
  'web/src/view/card-views.tsx',
  'web/src/view/change-sentence.tsx',
  'web/src/view/chart.tsx',
  'web/src/view/check-list.tsx',
  'web/src/view/choice-list.tsx',
  'web/src/view/computed-tile.tsx',
  'web/src/view/connect-flow.tsx',
  'web/src/view/connect-picker.tsx',
  'web/src/view/connection-form.tsx',
  'web/src/view/copy.tsx',
  'web/src/view/day-range.tsx',
  'web/src/view/deployments-by-result.tsx',
  'web/src/view/filter-bar.tsx',
  'web/src/view/filter-choices.tsx',
  'web/src/view/filter-sheet.tsx',
  'web/src/view/frame.tsx',
  'web/src/view/freshness.tsx',
  'web/src/view/new-data.tsx',
  'web/src/view/nothing-connected.tsx',
  'web/src/view/nothing-yet.tsx',
  'web/src/view/offline-note.tsx',
  'web/src/view/page-notices.tsx',
  'web/src/view/palette-list.tsx',
  'web/src/view/palette-opener.tsx',
  'web/src/view/panel-distribution.tsx',
  'web/src/view/panel-rows.tsx',
  'web/src/view/panel.tsx',
  'web/src/view/person-picker.tsx',
  'web/src/view/phase-chart.tsx',
  'web/src/view/phases.ts',
  'web/src/view/print-parts.tsx',
  'web/src/view/range-menu.tsx',
  'web/src/view/share-button.tsx',
  'web/src/view/shown-request.tsx',
  'web/src/view/states.tsx',
  'web/src/view/subpages.tsx',
  'web/src/view/sync-progress-note.tsx',
  'web/src/view/tile.tsx',
  'web/src/view/timeline.tsx',
  'web/src/view/unless-all-failed.tsx',
  'web/src/view/unread-note.tsx',
  'web/src/view/use-figure-tabs.tsx',
  'web/src/view/use-median-and-slowest.ts',
  'web/src/view/webhook-shown-once.tsx',
];

const isCovered = (file: string): boolean =>
  stillToBeMoved.some((one) => file === one || (one.endsWith('/') && file.startsWith(one)));

const withTexts = shown.filter(
  (file) => !isWordsFile(file) && !noTexts.includes(file) && textsOf(file, root).some(isProse),
);

test('What people read stands in words files, but for those still to be moved', () => {
  expect(withTexts.filter((file) => !isCovered(file))).toEqual([]);
});

test('What has been moved is no longer listed', () => {
  const isNeeded = (one: string) =>
    withTexts.some((file) => file === one || (one.endsWith('/') && file.startsWith(one)));
  expect(stillToBeMoved.filter((one) => !isNeeded(one))).toEqual([]);
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
