import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Html } from '../../escaped-html.ts';
import { packageFolder } from '../../version.ts';
import { markdown } from './markdown.ts';

/** A page of docs/. */
export interface Guide {
  /** The path in docs/ without the ending, such as `sources/git`. */
  readonly name: string;
  readonly title: string;
  /** The Markdown of the page. */
  readonly text: string;
}

const folder = fileURLToPath(new URL('docs/', packageFolder));

/** The guides that a newcomer reads first; the rest follows by name. */
const order = [
  'asking',
  'metrics',
  'ingest',
  'records',
  'operating',
  'operating/install',
  'operating/configuration',
  'operating/people-and-keys',
  'signing-in',
  'operating/connecting-sources',
  'operating/messages',
  'operating/monitoring',
  'operating/backup',
  'operating/upgrades',
  'operating/scale-out',
  'operating/moving',
  'operating/measured',
];

/** Every guide by name: read once, so that no address can name another file. */
export function readGuides(): ReadonlyMap<string, Guide> {
  if (!existsSync(folder)) return new Map();
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.md$/, ''))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1));
  return new Map(
    names.map((name) => {
      const text = readFileSync(join(folder, `${name}.md`), 'utf8');
      return [name, { name, text, title: /^# (.*)$/m.exec(text)?.[1] ?? name }];
    }),
  );
}

const placeOf = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);

/** Decisions are served, since guides refer to them; lists leave them out. */
export const isListed = ({ name }: Guide): boolean => !name.startsWith('decisions/');

export const guidePath = (name: string): string => `/docs/guides/${name}`;

/** A guide as HTML. Links between guides stay here; files that are not served lose their links. */
export function guideContent(guide: Guide, guides: ReadonlyMap<string, Guide>): Html {
  return markdown(guide.text, (target) => {
    if (/^(?:https?:|#)/.test(target)) return target;
    const [file = '', anchor] = target.split('#');
    const name = posix.join(posix.dirname(guide.name), file).replace(/\.md$/, '');
    if (!guides.has(name)) return undefined;
    return `${guidePath(name)}${anchor === undefined ? '' : `#${anchor}`}`;
  });
}
