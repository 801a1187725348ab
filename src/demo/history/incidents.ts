import type { SeededRandom } from '../seeded-random.ts';
import { isoText, isoTextOrNull } from './clock-text.ts';
import type { CodeBase } from './code-bases.ts';
import { drawSkewed, hour, minute } from './delays.ts';
import type { World } from './world.ts';

const severities = ['SEV1', 'SEV2', 'SEV2', 'SEV3', 'SEV3', 'SEV3', 'SEV4'] as const;
const troubles = [
  ...['Errors on every tenth request', 'Queue is not drained', 'Wrong totals shown', 'Sign-in fails for some'],
  ...['Slow answers', 'Reminders sent twice', 'Uploads are refused', 'Search finds nothing'],
];

/** Writes incidents, each some time after the deployment that caused it. */
export class IncidentWriter {
  readonly #world: World;
  readonly #random: SeededRandom;
  #serial: number;

  constructor(world: World, random: SeededRandom) {
    this.#world = world;
    this.#random = random;
    this.#serial = random.integer(200, 3_000);
  }

  /** Returns when it was opened, or null when the history ended before that. */
  write(codeBase: CodeBase, deployedAt: number, deploymentId: string | null): number | null {
    const random = this.#random;
    const { weaver, calendar, organisation } = this.#world;
    const openedAt = Math.round(deployedAt + Math.max(3 * minute, drawSkewed(random, 50 * minute, 1.2)));
    if (openedAt >= calendar.endAt) return null;
    const resolvedAt = Math.round(openedAt + Math.max(8 * minute, drawSkewed(random, 1.8 * hour, 1)));
    this.#serial += 1;
    const { repository } = codeBase;
    // Alerting knows services and not repositories.
    const isService = random.chance(0.3);
    weaver.add('incidents', {
      incident_id: `incident-${this.#serial}`,
      repository: isService ? null : repository,
      service: isService ? repository.slice(repository.indexOf('/') + 1) : null,
      opened_at: isoText(openedAt),
      resolved_at: isoTextOrNull(resolvedAt < calendar.endAt && !random.chance(0.03) ? resolvedAt : null),
      severity: random.pick(severities),
      title: `${random.pick(troubles)} in ${codeBase.subject}`,
      url: `https://${organisation.slug}.pager.example/incidents/${this.#serial}`,
      deployment_id: random.chance(0.5) ? deploymentId : null,
      source: 'pagerduty',
    });
    return openedAt;
  }
}
