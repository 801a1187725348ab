import { isUtf8 } from 'node:buffer';
import { type Document, isAlias, isScalar, Lexer, LineCounter, Parser, parseDocument, stringify, visit } from 'yaml';
import { type JsonLimits, readJson } from '../bounded-json.ts';
import { Refusal } from '../refusal.ts';
import { isUnstorable } from '../text-limits.ts';

/** How people write documents. A file is YAML unless its name says otherwise, since JSON is YAML too. */
export type DocumentFormat = 'json' | 'yaml';

export const maxDocumentBytes = 65_536;

export const documentTooLarge = (): Refusal => new Refusal('too-large', 'A document has at most 64 KiB.');

const maxDepth = 16;
const limits: JsonLimits = { depth: maxDepth, values: 20_000 };

/** A mapping in a list is two levels, and a document around them is one more. */
const maxOpen = maxDepth + 2;

/** Words, signs and the spaces between them: more than there are in 64 KiB of anything that means something. */
const maxLexemes = 40_000;

const unreadable = (why: string): Refusal => new Refusal('bad-input', `The document ${why}`);
const tooDeep = (): Refusal => unreadable(`has more than ${maxDepth} levels.`);

/** What a document says, as data. Refuses what could be read in two ways. */
export async function readDocument(bytes: Buffer, format: DocumentFormat): Promise<unknown> {
  if (bytes.length > maxDocumentBytes) throw documentTooLarge();
  if (!isUtf8(bytes)) throw unreadable('is not valid UTF-8.');
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (text.trim() === '') throw unreadable('is empty.');
  const value = format === 'yaml' ? readYaml(text) : await readJsonText(text);
  refuseUnstorable(value);
  return value;
}

async function readJsonText(text: string): Promise<unknown> {
  const reading = await readJson(text, limits);
  if ('problem' in reading) throw unreadable(`${reading.problem}.`);
  // The parser of the language takes the last of two fields with one name. JSON is YAML as well.
  refuseDuplicates(composed(text));
  return reading.value;
}

function readYaml(text: string): unknown {
  const lines = new LineCounter();
  const document = composed(text, lines);
  const [error] = document.errors;
  if (error) {
    const { line, col } = lines.linePos(error.pos[0]);
    if (error.code === 'MULTIPLE_DOCS') throw unreadable(`ends on line ${line}, where another one begins. Send one.`);
    throw unreadable(`is not valid YAML: ${error.message} (line ${line}, column ${col}).`);
  }
  const version = document.directives.yaml.explicit ? document.directives.yaml.version : '1.2';
  if (version !== '1.2') throw unreadable(`is YAML ${version}: leave out the line %YAML, which has to be 1.2.`);
  visit(document, {
    Node: (_key, node) => {
      if (isAlias(node)) throw unreadable(`has the alias *${node.source}, which is not read. Write the value again.`);
      if ('anchor' in node && node.anchor)
        throw unreadable(`has the anchor &${node.anchor}, which is not read. Leave it out.`);
      if (node.tag !== undefined) throw unreadable(`has the tag ${node.tag}, which is not read. Leave it out.`);
      if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
        throw unreadable(`has ${node.source}, which is no number.`);
    },
  });
  refuseDuplicates(document);
  return document.toJS();
}

/** The library compares every key with every other one, which takes seconds for a mapping of 64 KiB. */
const options = { version: '1.2', schema: 'core', uniqueKeys: false, merge: false, prettyErrors: false } as const;

function composed(text: string, lineCounter = new LineCounter()): Document.Parsed {
  refuseExcess(text);
  return parseDocument(text, { ...options, lineCounter, stringKeys: true });
}

/** Looked at before anything is built: what builds it calls itself for each level, until the stack is full. */
function refuseExcess(text: string): void {
  const parser = new Parser();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    lexemes += 1;
    if (parser.stack.length > maxOpen) throw tooDeep();
    if (lexemes > maxLexemes) throw unreadable('has too many values.');
  }
}

function refuseDuplicates(document: Document): void {
  visit(document, {
    Map: (_key, { items }) => {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (seen.has(name)) throw unreadable(`has the field '${String(name)}' twice in one place. Leave one out.`);
        seen.add(name);
      }
    },
  });
}

/** A text with half a character in it cannot be compared with anything. */
function refuseUnstorable(value: unknown): void {
  if (typeof value === 'string' && isUnstorable(value)) throw unreadable('has half a character or a NUL in a text.');
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    refuseUnstorable(name);
    refuseUnstorable(inner);
  }
}

/** A document as YAML. Texts that another YAML reader could take for a date or a yes are quoted. */
export const yamlText = (document: unknown): string =>
  stringify(document, {
    version: '1.2',
    schema: 'core',
    compat: 'yaml-1.1',
    lineWidth: 0,
    aliasDuplicateObjects: false,
  });
