import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { shortTextNames } from '../../scripts/short-text-names.mjs';

const words = `import { counted } from './format.ts';

export const keyWords = {
  revoke: 'Revoke',
  keysThatWork: (keys: number) => \`\${counted(keys, 'key works', 'keys work')}. Keys: \${keys}\`,
  programsAreRefused:
    'Programs that ask with this key are refused: it has ended.',
} as const;

export const plainNames = {
  first: 'First',
} as const;
`;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'short-text-names-'));
  writeFileSync(join(folder, 'key-words.ts'), words);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the build reads of a file, or what it refuses. */
function read(name: string, code: string): string | undefined {
  const plugin = shortTextNames();
  const transform = plugin.transform as unknown as (
    this: { error: (text: string) => never },
    code: string,
    id: string,
  ) => { readonly code: string } | undefined;
  const error = (text: string): never => {
    throw new Error(text);
  };
  return transform.call({ error }, code, join(folder, name))?.code;
}

const using = (use: string): string => `import { keyWords, plainNames } from './key-words.ts';\n${use}\n`;

test('A text has one short name where it is declared and where it is shown', () => {
  const declared = read('key-words.ts', words) ?? '';
  expect(declared).toContain("  a: 'Revoke',");
  expect(declared).toContain('Keys: $' + '{keys}');
  expect(declared).toContain("  c:\n    'Programs that ask with this key are refused: it has ended.',");
  expect(declared).toContain("  first: 'First',");
  expect(read('table.tsx', using('<p title={keyWords.revoke}>{keyWords.keysThatWork(2)} {plainNames.first}</p>'))).toBe(
    using('<p title={keyWords.a}>{keyWords.b(2)} {plainNames.first}</p>'),
  );
});

test('Names of more than twenty-six texts differ', () => {
  const many = Array.from({ length: 60 }, (_, at) => `  text${at}: 'Text',`).join('\n');
  const declared = read('many-words.ts', `export const manyWords = {\n${many}\n} as const;\n`) ?? '';
  const names = [...declared.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  expect(new Set(names).size).toBe(60);
});

test('A file without such texts stays as it is', () => {
  expect(read('table.tsx', `const foundWords = ['a'];\nfoundWords.map(String);\n`)).toBeUndefined();
});

test('An object of texts that is passed on as a whole, or under another name, stops the build', () => {
  expect(() => read('table.tsx', using("import {\n  one,\n} from './one.ts';\nconst { revoke } = keyWords;"))).toThrow(
    'keyWords is used as a whole',
  );
  expect(() => read('table.tsx', using('show(keyWords[name]);'))).toThrow('keyWords is used as a whole');
  expect(() => read('table.tsx', "import { keyWords as words } from './key-words.ts';\nwords.revoke;\n")).toThrow(
    'an object of texts keeps its name',
  );
  expect(() => read('table.tsx', using('keyWords.gone;'))).toThrow('keyWords has no text gone');
});
