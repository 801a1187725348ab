import { readFileSync } from 'node:fs';
import { parseSync } from 'rolldown/utils';

/** A text of the source that people may read, with `…` for what is put into it. */
export interface InterfaceText {
  readonly text: string;
  /** The file and the line it begins in. */
  readonly place: string;
  /** The attribute of an element or the property of an object that it is the value of. */
  readonly role: string | undefined;
}

interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';

const childrenOf = (node: SyntaxNode): SyntaxNode[] =>
  Object.values(node)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter(isNode);

/** Names, types and paths, none of which is a text. */
const unread: ReadonlySet<string> = new Set([
  'ImportDeclaration',
  'ImportExpression',
  'ExportAllDeclaration',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAnnotation',
  'TSTypeParameterInstantiation',
  'TSLiteralType',
]);

/** Attributes whose values are for the browser. */
const technical: ReadonlySet<string> = new Set(
  'className id key href to type name htmlFor style d viewBox rel role method action'.split(' '),
);

/** What a text may stand in and still be the value of an attribute or a property. */
const transparent: ReadonlySet<string> = new Set([
  'ArrayExpression',
  'ConditionalExpression',
  'JSXExpressionContainer',
  'LogicalExpression',
]);

/** Every text that a file of the repository has, in its order. */
export function textsOf(path: string, root: URL): InterfaceText[] {
  const source = readFileSync(new URL(path, root), 'utf8');
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const texts: InterfaceText[] = [];
  const add = (text: string, { start }: SyntaxNode, role: string | undefined) => {
    const line = source.slice(0, start).split('\n').length;
    texts.push({ text: text.replace(/\n\s*/g, ' ').trim(), place: `${path}:${line}`, role });
  };
  const visit = (node: SyntaxNode, role?: string): void => {
    if (unread.has(node.type)) return;
    const text = ownText(node);
    if (text !== undefined) add(text, node, node.type.startsWith('JSX') ? 'content' : role);
    if (node.type === 'JSXAttribute' || node.type === 'Property') {
      const name = nameOf(node.type === 'Property' ? node.key : node.name);
      if (name === 'className' || (node.type === 'JSXAttribute' && technical.has(name))) return;
      if (isNode(node.value)) visit(node.value, name);
      return;
    }
    if (node.type === 'SwitchCase') {
      for (const one of node.consequent as SyntaxNode[]) visit(one);
      return;
    }
    if (isComparison(node)) {
      for (const side of childrenOf(node)) if (side.type !== 'Literal') visit(side);
      return;
    }
    for (const child of childrenOf(node)) visit(child, transparent.has(node.type) ? role : undefined);
  };
  visit(program as unknown as SyntaxNode);
  return texts.filter(({ text }) => /[A-Za-z]/.test(text));
}

/** A value that is compared with one of the code's own is no text. */
const isComparison = ({ type, operator }: SyntaxNode): boolean =>
  type === 'BinaryExpression' && /^[!=]==?$/.test(String(operator));

function nameOf(key: unknown): string {
  if (!isNode(key)) return '';
  return String(key.name ?? key.value ?? '');
}

/** The text that a node is itself, and not one of its parts. */
function ownText(node: SyntaxNode): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
    case 'JSXElement':
    case 'JSXFragment': {
      const pieces = (node.children as SyntaxNode[]).map((child) =>
        child.type === 'JSXText' ? String(child.value) : '…',
      );
      return pieces.some((piece) => piece !== '…' && piece.trim() !== '') ? pieces.join('') : undefined;
    }
    default:
      return undefined;
  }
}

/** Two words of a language beside each other, and nothing of a statement, a header or a style. Markup is none. */
export const isProse = ({ text }: InterfaceText): boolean => {
  const said = text.replaceAll(/<[^>]*>/g, ' ');
  return (
    /\p{L}{2,}[,:.;’]? (?:…|[\p{L}“]{2,})/u.test(said) &&
    !/nobody@|\b(?:SELECT|INSERT|UPDATE|FROM|WHERE)\b|charset=|filename=|\{ ?[\w-]+: |=>|^\.?\/|;$|-src /.test(said)
  );
};
