import { hour, isoText, isoTextOrNull, minute } from './clock-text.ts';
import type { CodeBase } from './code-bases.ts';
import { phrases } from './wording.ts';
import type { World } from './world.ts';

const severities = ['SEV1', 'SEV2', 'SEV2', 'SEV3', 'SEV3', 'SEV3', 'SEV4'];

/** An incident some time after the deployment that caused it. Returns when it was opened, or null past the end. */
export function writeIncident(world: World, codeBase: CodeBase, deployedAt: number, deploymentId: string | null) {
  const { random, profile } = world;
  const { repository, subject } = codeBase;
  const openedAt = Math.round(deployedAt + Math.max(3 * minute, random.skewed(50 * minute, 1.2)));
  if (world.orNull(openedAt) === null) return null;
  const resolvedAt = Math.round(openedAt + Math.max(8 * minute, random.skewed(1.8 * hour, 1)));
  const number = world.nextNumber('incident', 1_200);
  // Alerting knows services and not repositories.
  const isService = random.chance(0.3);
  world.add('incidents', {
    incident_id: `incident-${number}`,
    repository: isService ? null : repository,
    service: isService ? repository.slice(repository.indexOf('/') + 1) : null,
    opened_at: isoText(openedAt),
    resolved_at: isoTextOrNull(random.chance(0.03) ? null : world.orNull(resolvedAt)),
    severity: random.pick(severities),
    title: `${random.pick(phrases.incident)} in ${subject}`,
    url: `https://${profile.slug}.pager.example/incidents/${number}`,
    deployment_id: random.chance(0.5) ? deploymentId : null,
    source: 'pagerduty',
  });
  return openedAt;
}
