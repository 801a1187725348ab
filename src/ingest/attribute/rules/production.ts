import { keyOf } from '../../../text-comparison.ts';
import type { RepositorySettings } from './repository-settings.ts';

const conventionalNames: ReadonlySet<string> = new Set(['production', 'prod', 'live']);

type Environments = Pick<RepositorySettings, 'productionEnvironments'>;

/** An environment as it is matched. None given means production, so it is the same one as that. */
export const environmentKey = (environment: string | null): string => keyOf(environment ?? '') || 'production';

const names = (environment: string, { productionEnvironments }: Environments): boolean =>
  (productionEnvironments ?? conventionalNames).has(keyOf(environment));

/** By its name; a deployment that names no environment went to production. */
export const isProductionEnvironment = (environment: string | null, settings: Environments): boolean =>
  environment === null || environment.trim() === '' || names(environment, settings);

const saysDeploy = /deploy|releas/i;
/** As a word of its own, and not what comes before production. */
const saysProduction = /(?<![a-z])(?=prod|live)(?<!(?:pre|non|not)[\s_/.-]*)(?:production|prod|live)(?![a-z])/i;
const saysOther =
  /(?<![a-z])(?:staging|stage|test|testing|dev|develop|development|qa|uat|preview|review|sandbox|integration|pre-?prod(?:uction)?)(?![a-z])/i;

/**
 * Whether a run of this workflow deploys to production. Where workflows are listed, these are the ones, except for runs
 * that say they went elsewhere: one workflow often serves every environment.
 */
export function isProductionDeploy(
  { workflow_name, environment }: { readonly workflow_name: string | null; readonly environment: string | null },
  settings: Environments & Pick<RepositorySettings, 'deployWorkflows'>,
): boolean {
  const where = environment?.trim() || null;
  if (settings.deployWorkflows) {
    if (workflow_name === null || !settings.deployWorkflows.has(keyOf(workflow_name))) return false;
    return where === null || names(where, settings) || !saysOther.test(where);
  }
  if (where !== null) return names(where, settings);
  return workflow_name !== null && saysDeploy.test(workflow_name) && saysProduction.test(workflow_name);
}
