import { describe, expect, test } from 'vitest';
import {
  branchesOf,
  chooseProductionBranch,
  isPromotion,
  passesOn,
} from '../../../src/ingest/attribute/rules/branches.ts';
import {
  chooseSource,
  isProductionDeploy,
  isProductionEnvironment,
} from '../../../src/ingest/attribute/rules/deployment-source.ts';
import { type DeploymentSource, readSettings } from '../../../src/ingest/attribute/rules/repository-settings.ts';

const unset = readSettings(undefined);
const settings = (some: object) => readSettings(some as never);
const bases = (...names: readonly string[]) => {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
};

describe('the production branch', () => {
  test('The production branch is the one that is set, else the default branch', () => {
    const set = settings({ production_branch: 'live', default_branch: 'develop' });
    expect(chooseProductionBranch(set, bases('main'))).toBe('live');
    expect(chooseProductionBranch(settings({ default_branch: 'develop' }), bases('main'))).toBe('develop');
  });

  test('The production branch is main, else master, else what most pull requests are merged into', () => {
    expect(chooseProductionBranch(unset, bases('master', 'master', 'main'))).toBe('main');
    expect(chooseProductionBranch(unset, bases('trunk', 'trunk', 'master'))).toBe('master');
    expect(chooseProductionBranch(unset, bases('blue', 'red', 'red'))).toBe('red');
    expect(chooseProductionBranch(unset, bases('red', 'blue'))).toBe('blue');
    expect(chooseProductionBranch(unset, bases())).toBe('main');
  });
});

describe('a promotion', () => {
  const into = (base_branch: string, head_branch: string) => ({ base_branch, head_branch });

  test.each([
    ...['develop', 'development', 'dev', 'staging', 'stage', 'next', 'integration', 'qa', 'uat', 'test'],
    ...['preprod', 'pre-production', 'release', 'release/2024.1', 'release-3', 'Develop'],
  ])('A promotion brings %s into the production branch', (branch) => {
    expect(isPromotion(into('main', branch), branchesOf('main', unset))).toBe(true);
  });

  test.each(['feature/develop', 'topic', 'developer-docs', 'release-please--branches--main', 'hotfix/1', 'main'])(
    'A promotion is not what comes from %s',
    (branch) => {
      expect(isPromotion(into('main', branch), branchesOf('main', unset))).toBe(false);
    },
  );

  test('A promotion brings the default branch into a production branch of its own', () => {
    const branches = branchesOf('live', settings({ default_branch: 'trunk-2' }));
    expect(isPromotion(into('live', 'trunk-2'), branches)).toBe(true);
    expect(isPromotion(into('live', 'main'), branches)).toBe(true);
  });

  test('A promotion is not what a fork offers from its old master', () => {
    expect(isPromotion(into('main', 'master'), branchesOf('main', unset))).toBe(false);
  });

  test('A promotion may be prepared in steps, and bringing production back is none', () => {
    const branches = branchesOf('main', unset);
    expect(passesOn(into('staging', 'develop'), branches)).toBe(true);
    expect(isPromotion(into('staging', 'develop'), branches)).toBe(false);
    expect(passesOn(into('develop', 'main'), branches)).toBe(false);
  });
});

describe('production', () => {
  test.each(['production', 'prod', 'live', ' Production ', null, ''])(
    'Production is an environment called %j',
    (name) => {
      expect(isProductionEnvironment(name, unset)).toBe(true);
    },
  );

  test.each(['staging', 'production-eu', 'preprod', 'delivery'])('Production is not one called %s', (name) => {
    expect(isProductionEnvironment(name, unset)).toBe(false);
  });

  test('Production is what a repository lists, instead of the usual names', () => {
    const listed = settings({ production_environments: '["EU", "us"]' });
    expect(['eu', 'US', 'production', null].map((name) => isProductionEnvironment(name, listed))).toEqual([
      true,
      true,
      false,
      true,
    ]);
  });
});

describe('a workflow deploys to production', () => {
  const deploys = (workflow_name: string | null, environment: string | null = null, some = unset) =>
    isProductionDeploy({ workflow_name, environment }, some);

  test.each(['Deploy to production', 'deploy-prod', 'Release (live)', 'Production deployment', 'Redeploy PROD'])(
    'A workflow deploys to production when it is called %s',
    (name) => expect(deploys(name)).toBe(true),
  );

  test.each([
    'Deploy',
    'Deploy to staging',
    'Production tests',
    'CI',
    'Deploy pre-production',
    'Deploy non-prod',
    null,
  ])('A workflow deploys to production not when it is called %s', (name) => expect(deploys(name)).toBe(false));

  test('A workflow deploys to production when its environment says so, and only then', () => {
    expect(deploys('Deploy', 'production')).toBe(true);
    expect(deploys('Deploy to production', 'staging')).toBe(false);
  });

  test('A workflow deploys to production when it is listed, in any case, and no other does', () => {
    const listed = settings({ deploy_workflows: '["Ship It"]' });
    expect(deploys('ship it', null, listed)).toBe(true);
    expect(deploys('Deploy to production', null, listed)).toBe(false);
    expect(deploys('Ship it', 'eu-west', listed)).toBe(true);
    expect(deploys('Ship it', 'staging', listed)).toBe(false);
  });
});

describe('deployments of a repository come from', () => {
  const sources = (...pairs: readonly (readonly [DeploymentSource, boolean])[]) => new Map(pairs);
  const none = { reported: sources(), hasRelease: false, hasDeployRun: false };

  test('What is configured, whether or not there is anything of it', () => {
    const signals = { ...none, reported: sources(['workflow_run', true]), hasRelease: true };
    expect(chooseSource('github_release', signals)).toEqual({ source: 'github_release', isReported: false });
    expect(chooseSource('workflow_run', signals)).toEqual({ source: 'workflow_run', isReported: true });
    expect(chooseSource('bitbucket_deployment', none)).toEqual({ source: 'bitbucket_deployment', isReported: false });
  });

  test('The first reported source, one that knows of production before others', () => {
    const both = sources(['workflow_run', true], ['github_release', true]);
    expect(chooseSource(null, { ...none, reported: both }).source).toBe('github_release');
    const staging = sources(['bitbucket_deployment', false], ['workflow_run', true]);
    expect(chooseSource(null, { ...none, reported: staging }).source).toBe('workflow_run');
  });

  test('What is reported, before anything that could be derived', () => {
    const signals = { reported: sources(['workflow_run', false]), hasRelease: true, hasDeployRun: true };
    expect(chooseSource(null, signals)).toEqual({ source: 'workflow_run', isReported: true });
  });

  test('Releases, else deploy runs, else merges', () => {
    expect(chooseSource(null, { ...none, hasRelease: true, hasDeployRun: true }).source).toBe('github_release');
    expect(chooseSource(null, { ...none, hasDeployRun: true }).source).toBe('workflow_run');
    expect(chooseSource(null, none)).toEqual({ source: 'merge_to_default', isReported: false });
  });
});
