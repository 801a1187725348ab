import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { TimeZone } from '../../calendar.ts';
import type { Row, Table } from '../../catalogue/table.ts';
import { pullRequests } from '../../catalogue/tables/pull-requests.ts';
import { statedBot } from '../../directory/called-bots.ts';
import { EarlierNames } from '../../directory/earlier-names.ts';
import { isBotLogin } from '../../directory/identifier.ts';
import { copiesOf, repositoryCopies, versionUnchangedSince } from '../../directory/published-copies.ts';
import { type DirectorySnapshot, readSnapshot } from '../../directory/snapshot.ts';
import { Refusal } from '../../refusal.ts';
import type { KnownRepositories } from '../../sources/source.ts';
import type { Reading, Store } from '../../store/store.ts';
import { keyOf } from '../../text-comparison.ts';
import type { IntakePort } from '../../warehouse/intake-port.ts';
import { type SettingsOf, settingsByKey } from '../attribute/rules/repository-settings.ts';
import { type RunnerPrices, runnerPrices } from '../derive/workflow-run-cost.ts';
import { Resolver } from '../resolve/resolver.ts';

interface SurveySettings {
  readonly privacy: string;
  readonly minRespondents: number;
  readonly reportBy: string;
}

/** The directory as ingest needs it, computed once for each version. */
export interface KnownDirectory {
  readonly version: number;
  /** The version at which anything that tables depend on last changed, as far as that is known. */
  readonly contentVersion: number;
  readonly resolver: Resolver;
  /** People of whom the directory has heard that most of their records call them a bot. */
  readonly calledBots: ReadonlySet<string>;
  readonly earlierNames: EarlierNames;
  /** The settings of repositories about their deployments. */
  readonly settingsOf: SettingsOf;
  readonly zone: TimeZone;
  readonly runnerPrices: RunnerPrices;
  readonly incidentWindowDays: number;
  /** The key that makes identifiers of survey answers. */
  readonly surveyKey: string;
  /** How answers are shown of a survey whose first record comes now. */
  readonly surveySettings: SurveySettings;
  /**
   * A short text of everything that rows of records depend on: two directories with the same text derive the same rows.
   */
  readonly meaning: () => string;
  /** The rows that the copies in the warehouse should have, computed when they are first asked for. */
  readonly copies: () => Map<Table, Row[]>;
}

/** Whether tables that show this version of a directory have in them what it says. */
export const hasContentOf = ({ contentVersion, version }: KnownDirectory, shown: number): boolean =>
  shown >= contentVersion && shown <= version;

/** Organisations whose directory is kept at hand. */
export const maxKeptDirectories = 20;

export class KnownDirectories {
  readonly #store: Store;
  readonly #kept = new LRUCache<string, KnownDirectory>({ max: maxKeptDirectories });

  constructor(store: Store) {
    this.#store = store;
  }

  /** Never older than `atLeast`: another process may have shown a version that is not yet known of here. */
  async of(organisationId: string, atLeast = 0): Promise<KnownDirectory> {
    const kept = this.#kept.get(organisationId);
    const current = this.#store.versionOf(organisationId);
    if (kept && current !== undefined && kept.version === current && current >= atLeast) return kept;
    const directory = await this.#store.read(
      async (session) => (kept && (await unchanged(session, organisationId, kept))) ?? load(session, organisationId),
      { organisationId },
    );
    this.#kept.set(organisationId, directory);
    return directory;
  }
}

/** The same directory under its newest version, when no later change affects the tables. */
async function unchanged(
  session: Reading,
  organisationId: string,
  kept: KnownDirectory,
): Promise<KnownDirectory | undefined> {
  const version = await versionUnchangedSince(session, organisationId, kept.version);
  return version === undefined ? undefined : { ...kept, version };
}

async function load(session: Reading, organisationId: string): Promise<KnownDirectory> {
  const snapshot = await readSnapshot(session, organisationId);
  if (!snapshot) throw new Refusal('not-found', `There is no organisation ${organisationId}.`);
  return known(snapshot);
}

function known(snapshot: DirectorySnapshot): KnownDirectory {
  const { organisation, people } = snapshot;
  let copies: Map<Table, Row[]> | undefined;
  let meaning: string | undefined;
  return {
    version: organisation.version,
    contentVersion: organisation.version,
    resolver: resolverOf(snapshot),
    calledBots: new Set(
      people.flatMap(({ id, merged_into, called_bot }) => (called_bot && merged_into === null ? [id] : [])),
    ),
    earlierNames: new EarlierNames(snapshot.repositories),
    settingsOf: settingsByKey(repositoryCopies(snapshot)),
    zone: TimeZone.named(organisation.time_zone),
    runnerPrices: runnerPrices(organisation.runner_prices),
    incidentWindowDays: organisation.incident_window_days,
    // Backups from before there were keys bring none.
    surveyKey: organisation.survey_key ?? organisation.id,
    surveySettings: {
      privacy: organisation.survey_privacy ?? 'role',
      minRespondents: organisation.survey_minimum_group,
      reportBy: organisation.survey_report_by ?? 'team',
    },
    meaning: () => {
      meaning ??= meaningOf(snapshot);
      return meaning;
    },
    copies: () => {
      copies ??= copiesOf(snapshot);
      return copies;
    },
  };
}

/** Teams, squads and who is onboarded are looked up in the copies when a question is asked: no row depends on them. */
function meaningOf({ organisation, people, identities, repositories }: DirectorySnapshot): string {
  const rows = [
    { ...organisation, version: null },
    ...people.map((person) => ({ ...person, onboarded: null, onboarding: null })),
    ...identities,
    ...repositories,
  ];
  // The store gives rows in any order.
  const lines = rows.map((row) => JSON.stringify(row)).sort();
  return createHash('sha256').update(lines.join('\n')).digest('base64');
}

function resolverOf({ people, identities }: DirectorySnapshot): Resolver {
  const withBotLogin = new Set(
    identities.flatMap(({ kind, key, person_id }) => (kind === 'login' && isBotLogin(key) ? [person_id] : [])),
  );
  const known = people.map((person) => ({ ...person, stated_bot: statedBot(person, withBotLogin.has(person.id)) }));
  return new Resolver(known, identities as ConstructorParameters<typeof Resolver>[1]);
}

/** The repositories of an organisation: by the names that the directory knows, and by those that stand in records. */
export const knownRepositories = (
  organisationId: string,
  directory: () => Promise<Pick<KnownDirectory, 'earlierNames'>>,
  warehouse: Pick<IntakePort, 'holds' | 'read'>,
): KnownRepositories => ({
  names: async () => (await directory()).earlierNames,
  async inRecordsOf(host) {
    if (!warehouse.holds(organisationId)) return [];
    const named = await warehouse.read(organisationId, (reader) =>
      reader.tally(pullRequests, ['source', 'repository'], { column: 'repository', isNull: false }),
    );
    return named.flatMap(({ source, repository }) =>
      source !== null && keyOf(source) === keyOf(host) && repository !== null ? [repository] : [],
    );
  },
});
