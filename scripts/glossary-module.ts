import { readFileSync } from 'node:fs';

/** The glossary as a module: a package and an image hold no docs/, and agents can read it all the same. */
export function glossaryModule(): string {
  const lines = readFileSync(new URL('../docs/glossary.md', import.meta.url), 'utf8').split('\n');
  return [
    '// Made from docs/glossary.md by `npm run docs`: change that file, not this one.',
    'export const glossary: string = [',
    ...lines.map((line) => `  ${JSON.stringify(line)},`),
    "].join('\\n');",
    '',
  ].join('\n');
}
