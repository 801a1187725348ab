import { list } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { type CodeBase, type DrawnFile, drawFiles, drawLockFile } from './code-bases.ts';
import type { Contributor } from './contributors.ts';
import type { DemoWorld } from './demo-world.ts';
import { drawWording, type Purpose } from './wording.ts';

export type Occasion = 'ordinary' | 'bump' | 'revert' | 'hotfix' | 'promotion';

/** The change of a pull request, apart from when and by whom. Fields with names of columns are those of its record. */
export interface CodeChange {
  readonly occasion: Occasion;
  readonly purpose: Purpose;
  readonly pr_title: string;
  readonly pr_body: string | null;
  readonly head_branch: string;
  readonly base_branch: string;
  readonly labels: readonly string[];
  readonly files: readonly DrawnFile[];
  readonly additions: number;
  readonly deletions: number;
}

/** The facts about a merged pull request that later ones need. */
export interface MergedChange extends Omit<CodeChange, 'purpose' | 'files' | 'labels' | 'pr_body'> {
  readonly id: string;
  readonly number: number;
  readonly author: Contributor;
  readonly codeBase: CodeBase;
  readonly at: number;
  readonly sha: string;
}

const purposes: Readonly<Record<Purpose, number>> = { feature: 45, fix: 25, improvement: 20, unsaid: 10 };
const medianLines: Readonly<Record<Purpose, number>> = { feature: 85, fix: 22, improvement: 55, unsaid: 40 };
const conventionalTypes = { feature: 'feat: ', fix: 'fix: ', improvement: 'refactor: ', unsaid: '' };
const labels: Readonly<Record<Purpose, readonly string[]>> = {
  feature: ['enhancement', 'feature', 'feature needs-docs', '', ''],
  fix: ['bug', 'bug customer-reported', '', ''],
  improvement: ['tech-debt', 'refactoring', '', ''],
  unsaid: ['', '', '', 'needs-review'],
};
const packages = list('fastify, left-pad, lodash, log4j-core, numpy, pino, protobuf, requests, serde, zod');

function changeOf(
  [occasion, purpose]: readonly [Occasion, Purpose],
  [pr_title, pr_body]: readonly [string, string | null],
  [head_branch, base_branch]: readonly [string, string],
  labels: readonly string[],
  files: readonly DrawnFile[],
): CodeChange {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return { occasion, purpose, pr_title, pr_body, head_branch, base_branch, labels, files, additions, deletions };
}

/** Work that somebody planned. Work with an agent comes in somewhat larger pieces. */
export function drawOrdinaryChange(world: DemoWorld, codeBase: CodeBase, key: string | undefined, isAided: boolean) {
  const { random, profile } = world;
  const { titles } = profile.tools;
  const purpose = random.pickKey(purposes);
  const { sentence, branch } = drawWording(purpose, codeBase.subject, key, random);
  const size = random.skewed(medianLines[purpose] * (isAided ? 1.25 : 1), 1.1);
  const deleted = size * random.skewed(purpose === 'improvement' ? 0.8 : 0.3, 0.8);
  const conventional = conventionalTypes[purpose] + sentence.charAt(0).toLowerCase() + sentence.slice(1);
  const title = titles === 'conventional' ? conventional : titles === 'key' && key ? `${key}: ${sentence}` : sentence;
  const body = random.chance(0.7) ? `${sentence}.${key ? `\n\nTicket: ${key}` : ''}` : null;
  const named = random.pick(labels[purpose]).split(' ').filter(Boolean);
  const files = drawFiles(codeBase.tree, Math.ceil(size), Math.min(4_000, Math.floor(deleted)), random);
  return changeOf(['ordinary', purpose], [title, body], [branch, codeBase.trunk], named, files);
}

export function drawBump({ trunk, tree }: CodeBase, random: SeededRandom): CodeChange {
  const name = random.pick(packages);
  const [major, minor] = [random.integer(0, 9), random.integer(0, 30)];
  const title = `Bump ${name} from ${major}.${minor}.0 to ${major}.${minor + 1}.0`;
  const branch = `dependencies/${name}-${major}.${minor + 1}.0`;
  const files = [drawLockFile(tree, random)];
  return changeOf(['bump', 'improvement'], [title, `${title}.`], [branch, trunk], ['dependencies'], files);
}

/** Takes back another pull request. Code hosts mark that in branch and body; people by hand leave one mark only. */
export function drawRevert(undone: MergedChange, random: SeededRandom): CodeChange {
  const { number, pr_title: title, sha, head_branch: branch, base_branch, codeBase } = undone;
  const quoted = `Revert "${title}"`;
  const byHost = [`revert-${number}-${branch}`, quoted, `Reverts ${codeBase.repository}#${number}`];
  const [head_branch = '', pr_title = '', pr_body = ''] = random.pick([
    byHost,
    byHost,
    [`undo/${branch}`, `Undo: ${title}`, `Reverts #${number}, which broke production.`],
    [`undo/${branch}`, quoted, 'Takes this back until we know why it fails.'],
    [`undo/${branch}`, `Back out ${sha.slice(0, 7)}`, `This reverts commit ${sha}.`],
  ]);
  const files = drawFiles(codeBase.tree, undone.deletions, undone.additions, random);
  return changeOf(['revert', 'fix'], [pr_title, pr_body], [head_branch, base_branch], [], files);
}

/** A repair that goes straight to production. It says so in its title, its branch or a label, seldom in all three. */
export function drawHotfix({ subject, production, tree }: CodeBase, random: SeededRandom): CodeChange {
  const { sentence, branch } = drawWording('fix', subject, undefined, random);
  const mark = random.pick(['title', 'branch', 'label']);
  const title = mark === 'title' ? `Hotfix: ${sentence}` : sentence;
  const head = mark === 'branch' ? branch.replace(/^[a-z]+\//, 'hotfix/') : branch;
  const named = mark === 'label' ? ['bug', 'hotfix'] : ['bug'];
  const files = drawFiles(tree, Math.ceil(random.skewed(9, 0.8)), random.integer(0, 8), random);
  const body = 'Production is affected, see the incident channel.';
  return changeOf(['hotfix', 'fix'], [title, body], [head, production], named, files);
}

export function drawPromotion(codeBase: CodeBase, date: string, merges: readonly MergedChange[], random: SeededRandom) {
  const { trunk, production, tree } = codeBase;
  const total = (column: 'additions' | 'deletions') => merges.reduce((sum, merge) => sum + merge[column], 0);
  const pr_title = random.chance(0.5) ? `Release ${date}` : `Promote ${trunk} to ${production}`;
  const pr_body = merges.map((merge) => `- #${merge.number} ${merge.pr_title}`).join('\n');
  const files = drawFiles(tree, total('additions'), total('deletions'), random);
  return changeOf(['promotion', 'unsaid'], [pr_title, pr_body], [trunk, production], ['release'], files);
}
