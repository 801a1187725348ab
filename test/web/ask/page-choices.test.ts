import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ownOf } from '../../../web/src/ask/exploration.ts';
import { choicesOfPath } from '../../../web/src/ask/page-choices.ts';
import { listedPages } from '../page-list.ts';

const pagesFolder = join(import.meta.dirname, '..', '..', '..', 'web', 'src', 'pages');

/** Pages whose folder is not named after their path. */
const folders: Readonly<Record<string, string>> = {
  '/': 'overview',
  '/pull-requests/:id': 'pull-request',
  '/deployments/:id': 'deployment',
  '/ai-sessions/:id': 'ai-session',
  '/people/:id': 'person',
  '/goal': 'goals',
  '/goal/:slug': 'goal',
  '/annotation': 'annotations',
  '/board': 'boards',
  '/board/:slug': 'board',
};

/** The names that the source of a page reads or writes in its address. */
function namesIn(folder: string): string[] {
  const files = readdirSync(join(pagesFolder, folder)).filter((file) =>
    statSync(join(pagesFolder, folder, file)).isFile(),
  );
  const text = files.map((file) => readFileSync(join(pagesFolder, folder, file), 'utf8')).join('\n');
  const all = (form: RegExp): string[] => [...text.matchAll(form)].map(([, name = '']) => name);
  const written = all(/changeOwn\(\{([^}]*)\}/g).flatMap((list) =>
    [...list.matchAll(/(\w+):/g)].map(([, name = '']) => name),
  );
  return [
    ...all(/useOwnChoice(?:<[^>]*>)?\(\s*'([^']+)'/g),
    ...all(/\bstate\.own\.(\w+)/g),
    ...written,
    ...(text.includes('useFigureTabs(') ? ['show'] : []),
    ...(/useParts.* from '..\/..\/view\/subpages.tsx'/.test(text) ? ['part'] : []),
    ...(folder === 'explore' ? [...Object.keys(ownOf({ metric: 'cycle-time', by: [], filters: {} })), 'board'] : []),
  ];
}

test.each(listedPages.map(({ path }) => path))(
  'What %s keeps in its address is in the list of page-choices.ts',
  (path) => {
    const folder = folders[path] ?? path.slice(1);
    const known = choicesOfPath(path.replace(':id', 'x'));
    expect([...new Set(known)].toSorted()).toEqual([...new Set(namesIn(folder))].toSorted());
  },
);
