import { isoText } from '../../calendar.ts';
import { type CodeBase, isDueOn } from './code-bases.ts';
import type { MergedChange } from './code-changes.ts';
import type { DemoWorld } from './demo-world.ts';
import { phrases } from './wording.ts';
import { hour, isoTextOrNull, minute } from './working-calendar.ts';
import type { FollowUp } from './write-pull-requests.ts';
import { runUrl, writeRun } from './write-workflow-runs.ts';

class Pipeline {
  /** The commit that is live, and the one that was live before. */
  liveSha: string | null = null;
  formerSha: string | null = null;
  /** When the next deployment starts. Merges until then go with it. */
  dueAt: number | null = null;
  /** When the last deployment was over: they come one after the other. */
  lastAt = 0;
  waiting: MergedChange[] = [];
  version: readonly [major: number, minor: number, patch: number];

  /** A new major version begins with each chapter. */
  constructor(
    public latest: MergedChange,
    chapter: number,
  ) {
    this.version = [1 + chapter, 0, 0];
  }
}

const outcomes = { failure: 45, cancelled: 12, success: 943 };
/** In the one week of a chapter in which nothing goes right. */
const badOutcomes = { failure: 380, cancelled: 40, success: 580 };
const severities = ['SEV1', 'SEV2', 'SEV2', 'SEV3', 'SEV3', 'SEV3', 'SEV4'];
const incidentShare = 0.025;
const badIncidentShare = 0.16;

/** Brings merges to production, where records show that: as runs, as deployments or as releases. */
export class Deliveries {
  readonly #pipelines = new Map<CodeBase, Pipeline>();

  constructor(
    private readonly world: DemoWorld,
    private readonly schedule: (followUp: FollowUp) => void,
  ) {}

  /** A merge into the production branch. They come in the order of time. */
  take(merge: MergedChange): void {
    const { random, calendar } = this.world;
    const { codeBase, at, occasion } = merge;
    if (codeBase.delivery === 'merge') return;
    const pipeline = this.#pipelines.get(codeBase) ?? new Pipeline(merge, this.world.chapter);
    this.#pipelines.set(codeBase, pipeline);
    this.#deliverUntil(pipeline, at + 1);
    // A repair may come a day late: what was merged after it stays the latest.
    if (at >= pipeline.latest.at) pipeline.latest = merge;
    pipeline.waiting.push(merge);
    // A repair does not wait for the next release: it is one.
    const isUrgent = occasion === 'hotfix' || occasion === 'revert';
    if (pipeline.dueAt !== null && !(isUrgent && codeBase.delivery === 'release')) return;
    const wait = random.skewed(isUrgent ? 8 * minute : 1.6 * hour, 0.9);
    const soon = isUrgent ? Math.round(at + wait) : calendar.later(at, wait, 0);
    const dueAt = codeBase.delivery === 'release' && !isUrgent ? this.#nextRelease(codeBase, at) : soon;
    pipeline.dueAt = Math.max(dueAt, pipeline.lastAt + minute);
  }

  settle(until: number): void {
    for (const pipeline of this.#pipelines.values()) this.#deliverUntil(pipeline, until);
  }

  #nextRelease(codeBase: CodeBase, at: number): number {
    const { random, calendar } = this.world;
    let day = calendar.dayOf(at) + 1;
    while (day < this.world.endDay && !isDueOn(codeBase, day, calendar)) day += 1;
    return calendar.startOf(day) + random.integer(10 * hour, 15 * hour);
  }

  #deliverUntil(pipeline: Pipeline, until: number): void {
    // One that fails is tried again, perhaps before the same moment.
    while (pipeline.dueAt !== null && pipeline.dueAt < until) {
      const at = pipeline.dueAt;
      pipeline.dueAt = null;
      if (pipeline.latest.codeBase.delivery === 'release') this.#release(pipeline, at);
      else this.#deploy(pipeline, at);
    }
  }

  #deploy(pipeline: Pipeline, at: number): void {
    const { random } = this.world;
    const { codeBase, sha } = pipeline.latest;
    const isBad = this.#isBad(at);
    const outcome = random.pickKey(isBad ? badOutcomes : outcomes);
    const deploymentId = this.#write(pipeline, at, sha, outcome);
    if (outcome !== 'success') {
      pipeline.dueAt = Math.round(pipeline.lastAt + Math.max(minute, random.skewed(35 * minute, 0.6)));
      return;
    }
    if (sha !== pipeline.liveSha) pipeline.formerSha = pipeline.liveSha;
    pipeline.liveSha = sha;
    pipeline.waiting = [];
    if (!random.chance(isBad ? badIncidentShare : incidentShare)) return;
    const openedAt = writeIncident(this.world, codeBase, pipeline.lastAt, deploymentId);
    // After an incident production sometimes goes back to what it was before, and sometimes a hotfix is made.
    if (pipeline.formerSha !== null && random.chance(0.3)) {
      this.#write(pipeline, openedAt + random.integer(8, 40) * minute, pipeline.formerSha, 'success');
      pipeline.liveSha = pipeline.formerSha;
      pipeline.formerSha = null;
    } else if (random.chance(0.3)) {
      this.schedule({ occasion: 'hotfix', at: openedAt + random.integer(10, 50) * minute, codeBase, merges: [] });
    }
  }

  #isBad(at: number): boolean {
    const { stories, calendar } = this.world;
    return stories.isBadWeek(calendar.dayOf(at));
  }

  /** Returns the identifier, null for a run. */
  #write(pipeline: Pipeline, at: number, sha: string, status: string): string | null {
    const world = this.world;
    const { random, calendar } = world;
    const { codeBase, author, occasion } = pipeline.latest;
    const { repository, production, workflows, deploymentSource } = codeBase;
    const seconds = Math.round(random.skewed(7 * minute, 0.6));
    pipeline.lastAt = at + seconds;
    const host = codeBase.hostOn(calendar.dayOf(at));
    const workflow_name = (occasion === 'hotfix' ? workflows[1] : undefined) ?? workflows[0] ?? null;
    const named = { workflow_name, ...author.accounts[host] };
    if (codeBase.delivery === 'run') {
      const event = random.chance(0.75) ? 'push' : 'workflow_dispatch';
      const environment = random.chance(0.7) ? 'production' : null;
      const run = { ...named, event, branch: production, head_sha: sha, environment, run_conclusion: status };
      pipeline.lastAt = writeRun(world, codeBase, at, seconds, { source: host, ...run });
      return null;
    }
    const put = (deployedAt: number, environment: string): string => {
      const number = world.nextNumber('deployment', 30_000);
      const deployment_id = `${host}:${repository}/deployments/${number}`;
      const isNamed = codeBase.namesPullRequests && environment === 'production';
      world.give('deployments', {
        ...{ deployment_id, repository, source: host, environment, sha, version: `build-${sha.slice(0, 7)}`, ...named },
        deployed_at: isoText(deployedAt),
        started_at: isoText(deployedAt - seconds),
        status: environment === 'production' ? status : 'success',
        deployment_source: deploymentSource,
        run_url: runUrl(host, codeBase, number),
        ...(isNamed && { pr_ids: pipeline.waiting.map(({ id }) => id) }),
      });
      return deployment_id;
    };
    if (random.chance(0.3)) put(at, 'staging');
    return put(at + seconds, 'production');
  }

  /** A release, in some cases with a release candidate a day before. Some are written and never published. */
  #release(pipeline: Pipeline, at: number): void {
    const { random, workforce, calendar } = this.world;
    const { codeBase } = pipeline.latest;
    const { repository, subject } = codeBase;
    const [major, minor, patch] = pipeline.version;
    const hasFeature = pipeline.waiting.some(({ occasion }) => occasion === 'ordinary' || occasion === 'promotion');
    const next = hasFeature ? ([major, minor + 1, 0] as const) : ([major, minor, patch + 1] as const);
    const entries = pipeline.waiting.slice(0, 12).map(({ pr_title, number }) => `- ${pr_title} (#${number})`);
    const notes = entries.join('\n');
    const day = calendar.dayOf(at);
    const source = codeBase.hostOn(day);
    const account = workforce.pickKeeper(codeBase, day).accounts[source];
    const isPublished = !random.chance(0.02);
    const put = (version: string, publishedAt: number, is_prerelease: boolean): void => {
      const release_date = isoTextOrNull(isPublished || is_prerelease ? publishedAt : null);
      this.world.give('release_details', {
        release_id: `${source}:${repository}/releases/${release_date === null ? `${version}-${day}` : version}`,
        version,
        release_name: random.chance(0.6) ? version : `${subject} ${version.slice(1)}`,
        ...{ notes, source, repository, release_date, is_prerelease, ...account },
        release_url: `https://${source}.example/${repository}/releases/tag/${version}`,
        created_at: isoText(publishedAt - random.integer(minute, 2 * hour)),
      });
    };
    if (hasFeature && random.chance(0.25)) put(`v${next.join('.')}-rc.${day}`, at - 24 * hour, true);
    put(`v${next.join('.')}`, at, false);
    if (!isPublished) return;
    Object.assign(pipeline, { version: next, waiting: [], lastAt: at });
    if (random.chance(this.#isBad(at) ? badIncidentShare : incidentShare))
      writeIncident(this.world, codeBase, at, null);
  }
}

/** An incident some time after the deployment that caused it. Returns when it was opened. */
function writeIncident(world: DemoWorld, codeBase: CodeBase, deployedAt: number, deploymentId: string | null) {
  const { random, profile } = world;
  const { repository, subject } = codeBase;
  const openedAt = Math.round(deployedAt + Math.max(3 * minute, random.skewed(50 * minute, 1.2)));
  const resolvedAt = Math.round(openedAt + Math.max(8 * minute, random.skewed(1.8 * hour, 1)));
  const number = world.nextNumber('incident', 1_200, 'a repository');
  // Alerting knows services and not repositories.
  const isService = random.chance(0.3);
  const named = { incident_id: `incident-${number}`, url: `https://${profile.slug}.pager.example/incidents/${number}` };
  const resolved_at = isoTextOrNull(random.chance(0.03) ? null : resolvedAt);
  world.give('incidents', {
    ...named,
    ...(isService ? { service: repository.split('/')[1] ?? '' } : { repository }),
    opened_at: isoText(openedAt),
    resolved_at,
    severity: random.pick(severities),
    title: `${random.pick(phrases.incident)} in ${subject}`,
    deployment_id: random.chance(0.5) ? deploymentId : null,
    source: 'pagerduty',
  });
  return openedAt;
}
