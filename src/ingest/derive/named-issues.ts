import { hostOf, idOfIssue, isRepositoryName, placeOfFullId, pullRequestId } from '../../catalogue/record-ids.ts';
import type { IssueRow } from '../../catalogue/tables/issues.ts';
import type { PullRequestRow } from '../../catalogue/tables/pull-requests.ts';
import { compareTexts, keyOf } from '../../text-comparison.ts';

/** The columns of a pull request that name issues. */
export const namingColumnsOfPullRequest = [
  'pr_id',
  'source',
  'repository',
  'pr_url',
  'head_branch',
  'pr_title',
  'pr_body',
] as const satisfies readonly (keyof PullRequestRow)[];

type NamingPullRequest = Pick<PullRequestRow, (typeof namingColumnsOfPullRequest)[number]>;

/** More than so many are no work on issues any more, but a list of everything. */
const maxNamed = 500;

/**
 * The keys of issues that a pull request names, sorted: `ABC-123` anywhere in branch, title or body, and what the closing
 * words of its code host say in title and body. Whether such an issue is stored is not asked here.
 */
export function namedIssues(pr: NamingPullRequest): string[] {
  const { head_branch: branch, pr_title: title, pr_body: body } = pr;
  // Text that a template hides in comments is nobody's word.
  const said = [title ?? '', (body ?? '').replace(/<!--[\s\S]*?(?:-->|$)/g, ' ')];
  // Tools make branches of keys in lower case.
  const keys = [branch?.toUpperCase() ?? '', ...said].flatMap((text) => text.match(trackerKeys) ?? []);
  const numbered = said.flatMap((text) => [...closedIssues(text, pr)]);
  return [...new Set([...keys, ...numbered])].slice(0, maxNamed).sort(compareTexts);
}

/** The key by which pull requests name an issue: that of its tracker, or its place on a code host. */
export function keyOfIssue({ issue_id, issue_key, source }: Pick<IssueRow, 'issue_id' | 'issue_key' | 'source'>) {
  if (issue_id !== null && placeOfFullId(issue_id)) return keyOf(issue_id);
  const placed = idOfIssue({ source, issue_key });
  if (placed !== undefined) return keyOf(placed);
  const key = issue_key?.trim().toUpperCase() ?? '';
  return trackerKey.test(key) ? key : null;
}

const trackerKey = /^[A-Z][A-Z0-9_]{0,49}-[1-9]\d{0,14}$/;
/** A whole word: an underscore is part of a key, a hyphen or a slash before it is not. */
const trackerKeys = /(?<![\p{L}\p{N}_])[A-Z][A-Z0-9_]{0,49}-[1-9]\d{0,14}(?![\p{L}\p{N}])/gu;

/** The words with which a code host closes issues, and whether one word closes all of a list: `Closes #4, #6 and #7`. */
interface ClosingWords {
  readonly words: RegExp;
  readonly between?: RegExp;
}

const closingWords: Readonly<Record<'github' | 'gitlab', ClosingWords>> = {
  github: { words: /\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s{1,9}/gi },
  gitlab: {
    words:
      /\b(?:clos(?:e[sd]?|ing)|fix(?:e[sd]|ing)?|resolv(?:e[sd]?|ing)|implement(?:s|ed|ing)?):?\s{1,9}(?:issues?\s{1,9})?/gi,
    between: /\s{0,9}(?:,\s{0,9})?(?:and\s{1,9})?(?:issues?\s{1,9})?/iy,
  },
};

function* closedIssues(text: string, pr: NamingPullRequest): Generator<string> {
  const place = placeOf(pr);
  if (!place) return;
  const { words, between } = closingWords[place.host === 'gitlab' ? 'gitlab' : 'github'];
  for (const { index, 0: word } of text.matchAll(words)) {
    for (let at: number | undefined = index + word.length; at !== undefined; ) {
      nextWord.lastIndex = at;
      const found = readReference(nextWord.exec(text)?.[0] ?? '');
      if (!found) break;
      at = between && endOf(between, text, at + found.length);
      // An address of another host is of another repository, however that is called.
      if (found.host !== undefined && found.host !== place.address) continue;
      const repository = found.repository === undefined ? place.repository : place.instance + found.repository;
      yield keyOf(pullRequestId(place.host, repository, found.number));
    }
  }
}

const nextWord = /[^\s,]{1,500}/y;

interface ClosedIssue {
  readonly number: number;
  /** How much of the word it is. */
  readonly length: number;
  /** Absent where it is the pull request's own. */
  readonly repository?: string;
  /** Of an address, in lower case. */
  readonly host?: string;
}

/** Reads `#12`, `owner/name#12`, the address of an issue, or GitHub's `GH-12` at the beginning of a word. */
function readReference(word: string): ClosedIssue | undefined {
  if (/^https?:\/\//i.test(word)) return readAddress(word);
  const [prefix = ''] = /^(?:GH-|[^#]*#)/i.exec(word) ?? [];
  const number = numberAt(word, prefix.length);
  if (prefix === '' || number === undefined) return undefined;
  const length = prefix.length + number.length;
  if (prefix === '#' || prefix.toUpperCase() === 'GH-') return { number: Number(number), length };
  const repository = prefix.slice(0, -1);
  return isPath(repository) ? { number: Number(number), length, repository } : undefined;
}

/** `https://host/owner/name/issues/12`, and `/-/issues/12` or `/-/work_items/12` of GitLab. */
function readAddress(word: string): ClosedIssue | undefined {
  const [scheme = '', empty = '', host = '', ...path] = word.split('/');
  const at = path.findIndex((part, i) => i >= 2 && ['issues', 'work_items'].includes(part));
  const number = at === -1 ? undefined : numberAt(path[at + 1] ?? '', 0);
  const repository = path.slice(0, path[at - 1] === '-' ? at - 1 : at).join('/');
  if (number === undefined || !isPath(repository)) return undefined;
  const before = [scheme, empty, host, ...path.slice(0, at + 1), ''].join('/');
  return { number: Number(number), length: before.length + number.length, repository, host: host.toLowerCase() };
}

const isPath = (text: string): boolean => /^[\w./-]+$/.test(text) && isRepositoryName(text);

function numberAt(text: string, place: number): string | undefined {
  return /^\d{1,9}\b/.exec(text.slice(place))?.[0];
}

function endOf(pattern: RegExp, text: string, from: number): number | undefined {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Where a pull request is, as its id says; its source and repository where the id has another form. */
function placeOf({ pr_id, source, repository, pr_url }: NamingPullRequest) {
  const [, address] = /^https?:\/\/([^\s/]{1,253})\//i.exec(pr_url ?? '') ?? [];
  const full = placeOfFullId(pr_id ?? '');
  if (!full && (source === null || repository === null)) return undefined;
  const own = full?.repository ?? repository ?? '';
  // Ids of a second host of one kind hold that before the repository: `github:git.acme.example/acme/web#7`.
  const isLonger = repository !== null && keyOf(own).endsWith(`/${keyOf(repository)}`);
  return {
    host: full?.host ?? hostOf(source ?? ''),
    repository: own,
    instance: isLonger ? own.slice(0, own.length - (repository?.length ?? 0)) : '',
    address: address?.toLowerCase(),
  };
}
