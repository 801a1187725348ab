import type { SeededRandom } from '../seeded-random.ts';
import type { TitleStyle } from './characters.ts';
import type { CodeBase } from './code-bases.ts';
import { drawSkewed } from './delays.ts';
import type { Merge, Occasion } from './merges.ts';
import type { ChangedFile } from './source-paths.ts';
import type { Ticket } from './tracker.ts';
import { conventionalTypes, drawWording, type Purpose } from './wording.ts';

/** What a pull request does, apart from when and by whom. */
export interface Change {
  readonly occasion: Occasion;
  readonly purpose: Purpose;
  readonly title: string;
  readonly body: string | null;
  readonly branch: string;
  readonly base: string;
  readonly labels: readonly string[];
  readonly files: readonly ChangedFile[];
  readonly additions: number;
  readonly deletions: number;
}

const purposeOdds: readonly (readonly [Purpose, number])[] = [
  ['feature', 0.45],
  ['fix', 0.25],
  ['improvement', 0.2],
  ['unsaid', 0.1],
];

export function drawPurpose(random: SeededRandom): Purpose {
  return random.pickWeighted(purposeOdds, ([, odds]) => odds)[0];
}

const labelsByPurpose: Readonly<Record<Purpose, readonly (readonly string[])[]>> = {
  feature: [['enhancement'], ['feature'], ['feature', 'needs-docs'], [], []],
  fix: [['bug'], ['bug', 'customer-reported'], [], []],
  improvement: [['tech-debt'], ['refactoring'], [], []],
  unsaid: [[], [], [], ['needs-review']],
};
const medianLines: Readonly<Record<Purpose, number>> = { feature: 85, fix: 22, improvement: 55, unsaid: 40 };

/** Work that somebody planned. Work with an agent comes in somewhat larger pieces. */
export function drawOrdinaryChange(
  codeBase: CodeBase,
  options: {
    readonly style: TitleStyle;
    readonly purpose: Purpose;
    readonly ticket: Pick<Ticket, 'key' | 'slug'> | undefined;
    readonly isAided: boolean;
  },
  random: SeededRandom,
): Change {
  const { style, purpose, ticket, isAided } = options;
  const key = ticket?.key;
  const { sentence, branch } = drawWording(purpose, codeBase.subject, ticket?.slug, random);
  const size = drawSkewed(random, medianLines[purpose] * (isAided ? 1.25 : 1), 1.1);
  const deleted = size * drawSkewed(random, purpose === 'improvement' ? 0.8 : 0.3, 0.8);
  const files = codeBase.paths.drawChange(Math.ceil(size), Math.min(4_000, Math.floor(deleted)), random);
  return {
    occasion: 'ordinary',
    purpose,
    title: titled(sentence, style, purpose, key),
    body: random.chance(0.7) ? `${sentence}.${key === undefined ? '' : `\n\nTicket: ${key}`}` : null,
    branch,
    base: codeBase.trunk,
    labels: random.pick(labelsByPurpose[purpose]),
    files,
    ...totalsOf(files),
  };
}

function titled(sentence: string, style: TitleStyle, purpose: Purpose, key: string | undefined): string {
  if (style === 'conventional' && conventionalTypes[purpose] !== '') {
    return `${conventionalTypes[purpose]}: ${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`;
  }
  return style === 'key' && key !== undefined ? `${key}: ${sentence}` : sentence;
}

const packages = [
  'fastify',
  'left-pad',
  'lodash',
  'log4j-core',
  'numpy',
  'pino',
  'protobuf',
  'requests',
  'serde',
  'zod',
];

/** What bots open: a dependency raised by one version. */
export function drawBump(codeBase: CodeBase, random: SeededRandom): Change {
  const name = random.pick(packages);
  const [major, minor] = [random.integer(0, 9), random.integer(0, 30)];
  const files = [codeBase.paths.lockChange(random)];
  return {
    occasion: 'bump',
    purpose: 'improvement',
    title: `Bump ${name} from ${major}.${minor}.0 to ${major}.${minor + 1}.0`,
    body: `Bumps ${name} from ${major}.${minor}.0 to ${major}.${minor + 1}.0.`,
    branch: `dependencies/${name}-${major}.${minor + 1}.0`,
    base: codeBase.trunk,
    labels: ['dependencies'],
    files,
    ...totalsOf(files),
  };
}

/**
 * Takes back another pull request. Each code host marks that in its own way, and people who do it by hand leave fewer
 * marks: branch and number, number only, the quoted title only, the commit only.
 */
export function drawRevert({ codeBase, ...undone }: Merge, random: SeededRandom): Change {
  const { number, title, sha, branch } = undone;
  const quoted = `Revert "${title}"`;
  const traces = {
    branch: [`revert-${number}-${branch}`, quoted, `Reverts ${codeBase.repository}#${number}`],
    number: [`undo/${branch}`, `Undo: ${title}`, `Reverts #${number}, which broke production.`],
    title: [`undo/${branch}`, quoted, 'Takes this back until we know why it fails.'],
    commit: [`undo/${branch}`, `Back out ${sha.slice(0, 7)}`, `This reverts commit ${sha}.`],
  } as const;
  const marks = random.pick(['branch', 'branch', 'number', 'title', 'commit'] as const);
  const [head, said, body] = traces[marks];
  const files = codeBase.paths.drawChange(undone.deletions, undone.additions, random);
  return {
    occasion: 'revert',
    purpose: 'fix',
    title: said,
    body,
    branch: head,
    base: undone.base,
    labels: [],
    files,
    ...totalsOf(files),
  };
}

/** A repair that goes straight to production. It says so in its title, its branch or a label, seldom in all three. */
export function drawHotfix(codeBase: CodeBase, random: SeededRandom): Change {
  const { sentence, branch } = drawWording('fix', codeBase.subject, undefined, random);
  const mark = random.pick(['title', 'branch', 'label'] as const);
  const files = codeBase.paths.drawChange(Math.ceil(drawSkewed(random, 9, 0.8)), random.integer(0, 8), random);
  return {
    occasion: 'hotfix',
    purpose: 'fix',
    title: mark === 'title' ? `Hotfix: ${sentence}` : sentence,
    body: 'Production is affected, see the incident channel.',
    branch: mark === 'branch' ? branch.replace(/^[a-z]+\//, 'hotfix/') : branch,
    base: codeBase.production,
    labels: mark === 'label' ? ['bug', 'hotfix'] : ['bug'],
    files,
    ...totalsOf(files),
  };
}

/** Brings the branch that work is merged into to production. */
export function drawPromotion(
  codeBase: CodeBase,
  date: string,
  merges: readonly Merge[],
  random: SeededRandom,
): Change {
  const additions = merges.reduce((sum, merge) => sum + merge.additions, 0);
  const deletions = merges.reduce((sum, merge) => sum + merge.deletions, 0);
  const files = codeBase.paths.drawChange(additions, deletions, random);
  return {
    occasion: 'promotion',
    purpose: 'unsaid',
    title: random.chance(0.5) ? `Release ${date}` : `Promote ${codeBase.trunk} to ${codeBase.production}`,
    body: merges.map(({ number, title }) => `- #${number} ${title}`).join('\n'),
    branch: codeBase.trunk,
    base: codeBase.production,
    labels: ['release'],
    files,
    ...totalsOf(files),
  };
}

function totalsOf(files: readonly ChangedFile[]): { readonly additions: number; readonly deletions: number } {
  let additions = 0;
  let deletions = 0;
  for (const file of files) {
    additions += file.additions;
    deletions += file.deletions;
  }
  return { additions, deletions };
}
