import { environmentKey } from './rules/production.ts';
import { Spans } from './spans.ts';
import type { TouchedRows } from './touched-rows.ts';
import type { Attributed } from './write-attribution.ts';

/** Where failures may be others than before, and which deployments are counted again, after everything was attributed. */
export class FailuresToFind {
  /** When something in a repository is different. */
  readonly spans = new Spans();
  /** Ids of deployments that name what they carried, or carry pull requests of other repositories, or incidents name. */
  readonly deployments: Set<string>;
  /** Ids of pull requests that others take back or took back. */
  readonly reverted: Set<string>;
  /** Environments in which something is different, as they are matched. */
  readonly environments: Set<string>;
  /** Names that incidents of the batch give to their repositories. */
  readonly incidentNames: Spans;

  constructor({ deploymentsToJudge, reverted, environments, incidentNames }: TouchedRows) {
    this.deployments = new Set(deploymentsToJudge);
    this.reverted = new Set(reverted);
    this.environments = new Set(environments);
    this.incidentNames = incidentNames;
  }

  /** What follows from the attribution of a repository. */
  collect({ facts, result }: Attributed): void {
    const { key, span } = facts;
    this.spans.add(key, span);
    for (const { environment } of facts.deployments) this.environments.add(environmentKey(environment));
    for (const { environment } of result.inferred.values()) this.environments.add(environmentKey(environment));
    const own = new Set(facts.deployments.map(({ deployment_id }) => deployment_id));
    for (const id of facts.naming) this.deployments.add(id);
    for (const [i, before] of facts.pullRequests.entries()) {
      const now = result.pullRequests[i];
      for (const id of [before.deployment_id, now?.deployment_id ?? null]) {
        if (id !== null && !own.has(id) && !result.inferred.has(id)) this.deployments.add(id);
      }
      for (const id of [before.reverts_pr_id, now?.reverts_pr_id ?? null]) if (id !== null) this.reverted.add(id);
      // A hotfix blames what was live before it, until what brought it restores that.
      if (before.is_hotfix === true && before.pr_merged_at !== null) {
        const isOther = before.deployment_id !== now?.deployment_id || before.deployed_at !== now.deployed_at;
        const times = [before.pr_merged_at, before.deployed_at, now?.deployed_at].flatMap((at) => at ?? []);
        if (isOther) this.spans.touch(key, Math.min(...times), Math.max(...times));
      }
    }
  }
}
