import type { prCategories } from '../../catalogue/tables/pull-requests.ts';

export type Category = (typeof prCategories)[number];

interface Described {
  readonly labels: readonly string[];
  readonly title: string | null;
  readonly headBranch: string | null;
}

/**
 * The kind of work, when no source says it. People say it in three places, and the most deliberate one is heard first:
 * labels, then the title (its prefix, then its words), then the branch. Null when none of them says anything: a share of
 * feature work that is really a share of titles nobody understood would mislead.
 */
export function categoryOf({ labels, title, headBranch }: Described): Category | null {
  return fromLabels(labels) ?? fromTitle(title ?? '') ?? fromBranch(headBranch ?? '');
}

/**
 * Words that name a kind of work by themselves, as labels, as the prefix of a title (`fix(api): …`, `[chore] …`) and as
 * the beginning of a branch (`feature/…`, `fix-…`). Written in lower case with single spaces.
 */
const kinds: Readonly<Record<Category, readonly string[]>> = {
  'Bug Fixes': [
    ...['bug', 'bugs', 'bugfix', 'bugfixes', 'bug fix', 'bug fixes', 'defect', 'fix', 'fixes', 'fixup'],
    ...['hotfix', 'hot fix', 'incident', 'regression', 'revert', 'security', 'vulnerability'],
  ],
  'Feature Work': [
    ...['enhancement', 'epic', 'feat', 'feats', 'feature', 'features', 'feature request', 'feature work'],
    ...['new feature', 'story', 'user story'],
  ],
  'Tech Improvements': [
    ...['bench', 'build', 'build system', 'chore', 'chores', 'ci', 'clean up', 'cleanup', 'code quality', 'dep'],
    ...[
      'dependencies',
      'dependency',
      'deps',
      'dependabot',
      'devops',
      'doc',
      'docs',
      'documentation',
      'fuzz',
      'housekeeping',
    ],
    ...['infra', 'infrastructure', 'internal', 'lint', 'maintenance', 'migration', 'optimization', 'optimisation'],
    ...['perf', 'performance', 'refactor', 'refactoring', 'release', 'renovate', 'style', 'task', 'tech', 'tech debt'],
    ...['tech improvement', 'tech improvements', 'technical debt', 'test', 'testing', 'tests', 'tooling', 'typo'],
  ],
};

const categoryOfKind: ReadonlyMap<string, Category> = new Map(
  Object.entries(kinds).flatMap(([category, words]) => words.map((word) => [word, category as Category] as const)),
);

/** Several labels can name several kinds. A fix stays a fix when it also changes documentation. */
const precedence: readonly Category[] = ['Bug Fixes', 'Feature Work', 'Tech Improvements'];

/** `type: bug`, `kind/bug`, `T-bug`: a prefix that announces the kind. Any other (`area/docs`) says where, not what. */
const announced = /^(?:type|kind|category|class|work|t|k|c)\s*[:/=-]+\s*/;

/** Whole labels only: `wontfix`, `needs tests` and `bug bash` name no kind of work. */
function fromLabels(labels: readonly string[]): Category | null {
  const said = new Set(labels.map((label) => categoryOfKind.get(spaced(label.toLowerCase().replace(announced, '')))));
  return precedence.find((category) => said.has(category)) ?? null;
}

const spaced = (words: string): string => words.replace(/[\s_-]+/g, ' ').trim();

/** `ABC-123`, `[ABC-123]`, `#123`, with what stands between it and the title proper. */
const ticket = /^[\s[(]*(?:[A-Z][A-Z\d]{0,15}-\d+|#\d+)[\s\])]*[:|–—-]?\s*/;
/** `fix(api)!: …`, `wallet, rpc: …`, or `[fix] …`. */
const prefix = /^(?:\[([^\]]{1,60})\]|([^:([]{1,60})(?:\([^)]{0,60}\))?!?:)\s*/;
/** More tags than this stand before no title. */
const maxPrefixes = 4;

/** The first prefix that names a kind decides, then the words behind the prefixes, then all of them. */
function fromTitle(title: string): Category | null {
  const bare = title.trim().replace(ticket, '');
  let rest = bare;
  for (let i = 0; i < maxPrefixes; i += 1) {
    const [whole, tag, area] = prefix.exec(rest) ?? [];
    if (whole === undefined) break;
    const category = fromWords((tag ?? area ?? '').split(/[,/|&+]/));
    if (category) return category;
    rest = rest.slice(whole.length).replace(ticket, '');
  }
  return fromPatterns(rest) ?? fromPatterns(bare);
}

const fromPatterns = (words: string): Category | null =>
  titlePatterns.find(([pattern]) => pattern.test(words))?.[1] ?? null;

function fromWords(words: readonly string[]): Category | null {
  for (const word of words) {
    const category = categoryOfKind.get(spaced(word.toLowerCase()));
    if (category) return category;
  }
  return null;
}

/** Patterns for titles without a prefix. The first pattern that matches decides. */
const titlePatterns: readonly (readonly [RegExp, Category])[] = [
  [/^(?:(?:hot|bug)?fix(?:es|ed|ing)?|resolv(?:e|es|ed|ing)|repair|correct|prevent|avoid|revert)\b/i, 'Bug Fixes'],
  [
    /^(?:refactor|restructure|reorgani[sz]e|simplify|clean|tidy|bump|upgrade|migrate|rename|remove|delete|drop|deprecate|move|extract|replace|optimi[sz]e|improve|speed up|document|test|lint|format)(?:s|es|ed|d|ing)?\b/i,
    'Tech Improvements',
  ],
  [
    /^update\b.*(?:\b(?:dependenc(?:y|ies)|deps|packages?|version|docs?|readme|changelog|tests?)|\w\.md)\b/i,
    'Tech Improvements',
  ],
  [
    /^(?:add|adds|added|adding|create|write|extend|introduce|more|increase)\b.*\b(?:tests?|coverage|docs?|documentation|comments?|readme|changelog|benchmarks?|linter|linting|ci)\b/i,
    'Tech Improvements',
  ],
  [
    /^(?:add|implement|introduc|support|allow|enabl|creat|expos|provid|launch)(?:e|s|es|ed|ing)?\b|^new\b/i,
    'Feature Work',
  ],
  [/\b(?:bugs?|fix(?:es|ing)?|hotfix|crash(?:es|ed)?|regressions?|memory leak|race condition)\b/i, 'Bug Fixes'],
  [
    /\b(?:refactor(?:s|ed|ing)?|clean-?\s?up|tech(?:nical)? debt|dependenc(?:y|ies)|flaky|unit tests?)\b/i,
    'Tech Improvements',
  ],
  [/\bfeatures?\b(?!\s+(?:flag|branch))/i, 'Feature Work'],
];

/**
 * The first part of the path that says a kind, as a whole or by its first word: `feature/login`, `ada/fix-crash`,
 * `dependabot/npm/…`. Not by a later word: `ada/login-test` may well be a feature.
 */
function fromBranch(branch: string): Category | null {
  if (longLived.test(branch)) return null;
  return fromWords(branch.split('/').flatMap((part) => [part, part.split(/[-_.\s]/, 1)[0] ?? '']));
}

/** A branch that stays is a place, and merging it says nothing of the work. */
const longLived = /^(?:test|testing|docs|ci|build|release(?:[-_./].*)?)$/i;
