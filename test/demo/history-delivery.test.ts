import { describe, expect, test } from 'vitest';
import type { CodeBase } from '../../src/demo/history/code-bases.ts';
import { groupedBy, medianOf, type SomeHistory, secondsOf, shareOf, someHistories } from './some-history.ts';

const histories = someHistories();

const codeBasesOf = ({ world }: SomeHistory) =>
  new Map(world.workforce.codeBases.map((codeBase) => [codeBase.repository, codeBase]));

/** What went to production by a run, a deployment or a release, in the order of time. */
const deployRunsOf = (history: SomeHistory) => {
  const codeBases = codeBasesOf(history);
  return history.records.workflow_runs.filter(({ repository, workflow_name }) =>
    codeBases.get(repository ?? '')?.workflows.includes(workflow_name ?? ''),
  );
};

describe('what goes to production', () => {
  test('What goes to production is seen as each repository says: as runs, deployments or releases, or not at all', () => {
    for (const history of histories) {
      const { records } = history;
      const codeBases = codeBasesOf(history);
      const ways = (repositories: readonly (string | null | undefined)[]) =>
        new Set(repositories.map((repository) => codeBases.get(repository ?? '')?.delivery));
      expect(ways(deployRunsOf(history).map(({ repository }) => repository))).toEqual(new Set(['run']));
      const reported = ways((records.deployments ?? []).map(({ repository }) => repository));
      expect([...reported].filter((way) => way !== 'reported')).toEqual([]);
      const released = ways((records.release_details ?? []).map(({ repository }) => repository));
      expect([...released].filter((way) => way !== 'release')).toEqual([]);
    }
  });

  test('What goes to production keeps to the source that a repository names', () => {
    for (const history of histories) {
      for (const { repository, deployment_source } of history.organisation.repositories) {
        const { delivery } = codeBasesOf(history).get(repository ?? '') as CodeBase;
        if (deployment_source === 'workflow_run') expect(delivery).toBe('run');
        if (deployment_source === 'github_release') expect(delivery).toBe('release');
        if (deployment_source === 'bitbucket_deployment') expect(delivery).toBe('reported');
        if (deployment_source === 'merge_to_default') expect(delivery).toBe('merge');
      }
      for (const { repository, deployment_source } of history.records.deployments ?? []) {
        const said = history.organisation.repositories.find((record) => record.repository === repository);
        expect(deployment_source ?? undefined).toBe(
          said?.deployment_source === 'bitbucket_deployment' ? 'bitbucket_deployment' : undefined,
        );
      }
    }
  });

  test('What goes to production is the merge commit of a pull request into the production branch, merged before', () => {
    for (const history of histories) {
      const codeBases = codeBasesOf(history);
      const merged = new Map(history.records.pull_requests.map((pr) => [pr.merge_commit_sha ?? '', pr]));
      const shown = [
        ...deployRunsOf(history).map(({ head_sha, run_created_at }) => ({ sha: head_sha, at: run_created_at })),
        ...(history.records.deployments ?? []).map(({ sha, deployed_at }) => ({ sha, at: deployed_at })),
      ];
      expect(shown.length).toBeGreaterThan(20);
      for (const { sha, at } of shown) {
        const pr = merged.get(sha ?? '');
        expect(pr?.base_branch).toBe(codeBases.get(pr?.repository ?? '')?.production);
        expect(secondsOf(pr?.pr_merged_at)).toBeLessThan(secondsOf(at));
      }
    }
  });

  test('What goes to production fails now and then, is tried again, and is rolled back in a few cases', () => {
    const runs = histories.flatMap(deployRunsOf);
    const reported = histories
      .flatMap(({ records }) => records.deployments ?? [])
      .filter(({ environment }) => environment === 'production');
    const failed =
      runs.filter(({ run_conclusion }) => run_conclusion === 'failure').length +
      reported.filter(({ status }) => status === 'failure').length;
    const share = failed / (runs.length + reported.length);
    expect(share).toBeGreaterThan(0.02);
    expect(share).toBeLessThan(0.1);

    const went = [
      ...runs.map((run) => ({
        repository: run.repository,
        sha: run.head_sha,
        at: secondsOf(run.run_created_at),
        status: run.run_conclusion,
      })),
      ...reported.map((one) => ({
        repository: one.repository,
        sha: one.sha,
        at: secondsOf(one.started_at),
        status: one.status,
      })),
    ].toSorted((a, b) => a.at - b.at);
    let rollbacks = 0;
    let retried = 0;
    for (const line of groupedBy(went, ({ repository }) => repository).values()) {
      const live: string[] = [];
      line.forEach(({ sha, status }, index) => {
        if (status === 'failure' && line[index + 1] !== undefined) retried += 1;
        if (status !== 'success' || sha == null) return;
        if (live.includes(sha) && live.at(-1) !== sha) rollbacks += 1;
        live.push(sha);
      });
    }
    expect(retried).toBeGreaterThan(failed * 0.8);
    expect(rollbacks).toBeGreaterThanOrEqual(3);
    expect(rollbacks).toBeLessThan(went.length * 0.03);
  });

  test('What goes to production goes to other environments too where deployments are reported', () => {
    const reported = histories.flatMap(({ records }) => records.deployments ?? []);
    expect(shareOf(reported, ({ environment }) => environment === 'staging')).toBeGreaterThan(0.1);
    expect(reported.some(({ pr_ids }) => (pr_ids?.length ?? 0) > 0)).toBe(true);
  });

  test('What goes to production leads to incidents in some cases, most of which are resolved within a day', () => {
    const incidents = histories.flatMap(({ records }) => records.incidents ?? []);
    expect(incidents.length).toBeGreaterThan(30);
    expect(incidents.length).toBeLessThan(150);
    const resolved = incidents.filter(({ resolved_at }) => resolved_at != null);
    expect(resolved.length / incidents.length).toBeGreaterThan(0.85);
    const seconds = medianOf(resolved.map((one) => secondsOf(one.resolved_at) - secondsOf(one.opened_at)));
    expect(seconds).toBeLessThan(86_400 / 4);
    for (const { repository, service } of incidents) expect(repository ?? service).toBeTruthy();
    expect(incidents.some(({ deployment_id }) => deployment_id != null)).toBe(true);
  });
});

describe('repositories that are promoted from branch to branch', () => {
  test('Repositories that are promoted from branch to branch take work on the one and bring it to the other by pull requests of their own', () => {
    for (const history of histories) {
      const promoted = history.world.workforce.codeBases.filter(({ trunk, production }) => trunk !== production);
      expect(promoted.length).toBeGreaterThan(0);
      const repositories = new Map(promoted.map((codeBase) => [codeBase.repository, codeBase]));
      const own = history.records.pull_requests.filter(({ repository }) => repositories.has(repository ?? ''));
      const promotions = own.filter((pr) => pr.head_branch === repositories.get(pr.repository ?? '')?.trunk);
      expect(promotions.length, history.organisation.slug).toBeGreaterThan(0);
      expect(promotions.length).toBeLessThan(own.length * 0.4);
      for (const pr of promotions) expect(pr.base_branch).toBe(repositories.get(pr.repository ?? '')?.production);
      const straight = own.filter((pr) => pr.base_branch === repositories.get(pr.repository ?? '')?.production);
      // Only promotions and repairs go there.
      expect(straight.length - promotions.length).toBeLessThan(own.length * 0.05);
    }
  });
});

describe('releases', () => {
  test('Releases have rising versions, some prereleases, and notes of what was merged', () => {
    const releases = histories.flatMap(({ records }) => records.release_details ?? []);
    expect(releases.length).toBeGreaterThan(80);
    expect(shareOf(releases, ({ is_prerelease }) => is_prerelease === true)).toBeGreaterThan(0.03);
    expect(shareOf(releases, ({ is_prerelease }) => is_prerelease === true)).toBeLessThan(0.4);
    for (const line of groupedBy(releases, ({ repository }) => repository).values()) {
      const full = line.filter(({ is_prerelease, release_date }) => !is_prerelease && release_date != null);
      const numbers = full.map(({ version }) =>
        (version ?? '')
          .slice(1)
          .split('.')
          .reduce((sum, part) => sum * 1_000 + Number(part), 0),
      );
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      for (const { notes } of full) expect(notes).toMatch(/\(#\d+\)/);
    }
  });
});

describe('checks', () => {
  test('Checks run for a sample of the pull requests, mostly well', () => {
    const runs = histories
      .flatMap(({ records }) => records.workflow_runs)
      .filter(({ event }) => event === 'pull_request');
    const pullRequests = histories.flatMap(({ records }) => records.pull_requests);
    expect(runs.length / pullRequests.length).toBeGreaterThan(0.2);
    expect(runs.length / pullRequests.length).toBeLessThan(0.6);
    expect(shareOf(runs, ({ run_conclusion }) => run_conclusion === 'success')).toBeGreaterThan(0.75);
    const known = new Set(pullRequests.map(({ pr_id }) => pr_id));
    for (const { associated_pr_ids } of runs) expect(associated_pr_ids?.every((id) => known.has(id))).toBe(true);
  });
});
