import { isObject } from '../../catalogue/field-values.ts';
import { Payload } from '../payload.ts';

/* Fields that Jira Cloud and Data Center write in different forms. */

/** Deeper than any editor makes a document. */
const maxDepth = 100;

/** A body as text: Data Center has text with its own marks, Jira Cloud a document of nodes. */
export function bodyText(body: unknown): string | null {
  const text = typeof body === 'string' ? body : isObject(body) ? nodeText(body, 0).trim() : null;
  return Payload.of({ text }, 'body').textOrNull('text');
}

const blocks = new Set(['paragraph', 'heading', 'codeBlock', 'rule', 'tableRow', 'blockCard', 'media']);

function nodeText(node: unknown, depth: number): string {
  if (!isObject(node) || depth > maxDepth) return '';
  const inside = Array.isArray(node.content) ? node.content.map((child) => nodeText(child, depth + 1)).join('') : '';
  const text = `${ownText(node)}${inside}`;
  if (node.type === 'tableCell' || node.type === 'tableHeader') return `${text.trim()}\t`;
  return typeof node.type === 'string' && blocks.has(node.type) ? `${text}\n` : text;
}

/** Of a piece of text, somebody who is mentioned, a link, or a picture that stands for a word. */
function ownText({ type, text, attrs }: Readonly<Record<string, unknown>>): string {
  if (type === 'hardBreak') return '\n';
  const own = isObject(attrs) ? [text, attrs.text, attrs.shortName, attrs.url] : [text];
  return own.find((each): each is string => typeof each === 'string') ?? '';
}

interface Sprint {
  readonly name: string;
  readonly isOpen: boolean;
  /** Milliseconds since 1970; nothing where it has not begun. */
  readonly startsAt: number;
}

/**
 * The name of the last sprint of an issue. Lists are in no order of time, so it is the one that is not over, else the one
 * that began last, else what stands last.
 */
export function lastSprint(value: unknown): string | null {
  const sprints = (Array.isArray(value) ? value : []).flatMap(sprintOf);
  const byTime = sprints.toSorted(
    (one, other) => Number(one.isOpen) - Number(other.isOpen) || one.startsAt - other.startsAt,
  );
  return byTime.at(-1)?.name ?? null;
}

function sprintOf(value: unknown): Sprint[] {
  const fields = typeof value === 'string' ? fieldsOfText(value) : isObject(value) ? value : {};
  const { name, state, startDate } = fields;
  if (typeof name !== 'string' || name === '') return [];
  const at = Date.parse(String(startDate));
  const isOpen = /^(active|future)$/i.test(String(state));
  return [{ name, isOpen, startsAt: Number.isNaN(at) ? 0 : at }];
}

const sprintFields = new Set([
  'id',
  'rapidViewId',
  'state',
  'name',
  'goal',
  'startDate',
  'endDate',
  'completeDate',
  'activatedDate',
  'sequence',
  'synced',
  'autoStartStop',
  'incompleteIssuesDestinationId',
]);

/** Data Center writes `…Sprint@1f2[id=3,state=ACTIVE,name=Sprint 3, late,startDate=…]`: names may hold commas. */
function fieldsOfText(text: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  let last: string | undefined;
  for (const part of text.slice(text.indexOf('[') + 1, text.lastIndexOf(']')).split(',')) {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(at, 0));
    if (sprintFields.has(name)) {
      last = name;
      fields[name] = part.slice(at + 1);
    } else if (last !== undefined) fields[last] += `,${part}`;
  }
  return fields;
}
