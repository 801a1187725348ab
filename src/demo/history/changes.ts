import { list } from '../organisation-profile.ts';
import type { SeededRandom } from '../seeded-random.ts';
import type { CodeBase } from './code-bases.ts';
import type { Change, Merge } from './pull-request.ts';
import { type ChangedFile, drawFiles, drawLockFile } from './source-tree.ts';
import { drawWording, type Purpose } from './wording.ts';
import type { World } from './world.ts';

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

/** A change with its lines counted from its files. */
function counted(change: Omit<Change, 'files' | 'additions' | 'deletions'>, files: readonly ChangedFile[]): Change {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return { ...change, files, additions, deletions };
}

/** Work that somebody planned. Work with an agent comes in somewhat larger pieces. */
export function drawOrdinaryChange(
  world: World,
  codeBase: CodeBase,
  key: string | undefined,
  isAided: boolean,
): Change {
  const { random, profile } = world;
  const { titles } = profile.tools;
  const purpose = random.pickKey(purposes);
  const { sentence, branch } = drawWording(purpose, codeBase.subject, key, random);
  const size = random.skewed(medianLines[purpose] * (isAided ? 1.25 : 1), 1.1);
  const deleted = size * random.skewed(purpose === 'improvement' ? 0.8 : 0.3, 0.8);
  const conventional = conventionalTypes[purpose] + sentence.charAt(0).toLowerCase() + sentence.slice(1);
  const change = {
    pr_title: titles === 'conventional' ? conventional : titles === 'key' && key ? `${key}: ${sentence}` : sentence,
    pr_body: random.chance(0.7) ? `${sentence}.${key ? `\n\nTicket: ${key}` : ''}` : null,
    head_branch: branch,
    base_branch: codeBase.trunk,
    labels: random.pick(labels[purpose]).split(' ').filter(Boolean),
  };
  const files = drawFiles(codeBase.tree, Math.ceil(size), Math.min(4_000, Math.floor(deleted)), random);
  return counted({ occasion: 'ordinary', purpose, ...change }, files);
}

/** What bots open: a dependency raised by one version. */
export function drawBump({ trunk, tree }: CodeBase, random: SeededRandom): Change {
  const name = random.pick(packages);
  const [major, minor] = [random.integer(0, 9), random.integer(0, 30)];
  const pr_title = `Bump ${name} from ${major}.${minor}.0 to ${major}.${minor + 1}.0`;
  const branches = { head_branch: `dependencies/${name}-${major}.${minor + 1}.0`, base_branch: trunk };
  const change = { pr_title, pr_body: `${pr_title}.`, ...branches, labels: ['dependencies'] };
  return counted({ occasion: 'bump', purpose: 'improvement', ...change }, [drawLockFile(tree, random)]);
}

/**
 * Takes back another pull request. Each code host marks that in its own way, and people who do it by hand leave fewer
 * marks: branch and number, number only, the quoted title only, the commit only.
 */
export function drawRevert(undone: Merge, random: SeededRandom): Change {
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
  const change = { pr_title, pr_body, head_branch, base_branch, labels: [] };
  return counted({ occasion: 'revert', purpose: 'fix', ...change }, files);
}

/** A repair that goes straight to production. It says so in its title, its branch or a label, seldom in all three. */
export function drawHotfix({ subject, production, tree }: CodeBase, random: SeededRandom): Change {
  const { sentence, branch } = drawWording('fix', subject, undefined, random);
  const mark = random.pick(['title', 'branch', 'label']);
  const change = {
    pr_title: mark === 'title' ? `Hotfix: ${sentence}` : sentence,
    pr_body: 'Production is affected, see the incident channel.',
    head_branch: mark === 'branch' ? branch.replace(/^[a-z]+\//, 'hotfix/') : branch,
    base_branch: production,
    labels: mark === 'label' ? ['bug', 'hotfix'] : ['bug'],
  };
  const files = drawFiles(tree, Math.ceil(random.skewed(9, 0.8)), random.integer(0, 8), random);
  return counted({ occasion: 'hotfix', purpose: 'fix', ...change }, files);
}

/** Brings the branch that work is merged into to production. */
export function drawPromotion(
  codeBase: CodeBase,
  date: string,
  merges: readonly Merge[],
  random: SeededRandom,
): Change {
  const { trunk, production, tree } = codeBase;
  const total = (column: 'additions' | 'deletions') => merges.reduce((sum, merge) => sum + merge[column], 0);
  const pr_title = random.chance(0.5) ? `Release ${date}` : `Promote ${trunk} to ${production}`;
  const pr_body = merges.map((merge) => `- #${merge.number} ${merge.pr_title}`).join('\n');
  const change = { pr_title, pr_body, head_branch: trunk, base_branch: production, labels: ['release'] };
  const files = drawFiles(tree, total('additions'), total('deletions'), random);
  return counted({ occasion: 'promotion', purpose: 'unsaid', ...change }, files);
}
