import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'rolldown/utils';

/** A regular expression that is written down in a file. */
export interface WrittenPattern {
  readonly source: string;
  readonly flags: string;
  readonly files: readonly string[];
}

interface FoundPatterns {
  /** By how they are written, each once. */
  readonly written: ReadonlyMap<string, WrittenPattern>;
  /** Files that make a regular expression of a text, which nobody can look at beforehand. */
  readonly made: readonly string[];
}

const root = join(import.meta.dirname, '..', '..');

/** All regular expressions of some folders, found as the language finds them. */
export function patternsIn(folders: readonly string[]): FoundPatterns {
  const written = new Map<string, WrittenPattern>();
  const made: string[] = [];
  for (const file of folders.flatMap(sourcesIn)) {
    const { literals, isMade } = patternsOf(file, readFileSync(join(root, file), 'utf8'));
    for (const { source, flags } of literals) {
      const text = `/${source}/${flags}`;
      written.set(text, { source, flags, files: [...(written.get(text)?.files ?? []), file] });
    }
    if (isMade) made.push(file);
  }
  return { written, made };
}

interface PatternsOfFile {
  readonly literals: readonly { readonly source: string; readonly flags: string }[];
  readonly isMade: boolean;
}

export function patternsOf(file: string, text: string): PatternsOfFile {
  const { program, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file} cannot be read: ${errors[0].message}`);
  const literals: { source: string; flags: string }[] = [];
  let isMade = false;
  const waiting: unknown[] = [program];
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if (Array.isArray(node)) waiting.push(...node);
    else {
      const pattern = literalIn(node);
      if (pattern) literals.push(pattern);
      // Also where it is given away under another name. Its type has another node.
      isMade ||= 'type' in node && node.type === 'Identifier' && 'name' in node && node.name === 'RegExp';
      for (const [name, part] of Object.entries(node)) if (!isOfType(name)) waiting.push(part);
    }
  }
  return { literals, isMade };
}

const isOfType = (part: string): boolean =>
  ['typeAnnotation', 'typeArguments', 'typeParameters', 'returnType'].includes(part);

function literalIn(node: object): { readonly source: string; readonly flags: string } | undefined {
  if (!('regex' in node) || typeof node.regex !== 'object' || node.regex === null) return undefined;
  const { pattern, flags } = node.regex as { readonly pattern: string; readonly flags: string };
  return { source: pattern, flags };
}

const sourcesIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:tsx?|mjs|js)$/.test(file) && !file.endsWith('.d.ts'))
    .map((file) => `${folder}/${file}`)
    .toSorted();
