import { utcDay } from '../calendar.ts';
import type { PersonRecord } from '../catalogue/directory-records.ts';
import type { SquadRow, TeamRow } from '../store/group-rows.ts';
import { isBot, statedBot } from './called-bots.ts';
import type { GroupDraft } from './group-draft.ts';
import { isBotLogin } from './identifier.ts';
import { changedIdentities, type Identity } from './person-identities.ts';
import { counts, onboardingAfter, onboardingOf, type PersonState } from './person-state.ts';

interface RecordTerms {
  readonly teams: GroupDraft<TeamRow>;
  readonly squads: GroupDraft<SquadRow>;
  /** Whether new people are onboarded. */
  readonly isAutomatic: boolean;
  /** Whether an identity belongs to another person. */
  readonly isTaken: (identity: Identity) => boolean;
}

/** A person of whom nothing is known yet. */
export function newPerson(organisationId: string, id: string, at: Date): PersonState {
  return {
    row: {
      organisation_id: organisationId,
      id,
      name: '',
      main_email: null,
      role: null,
      level: null,
      location: null,
      manager_email: null,
      access_role: 'Engineer',
      permissions: '[]',
      salary: null,
      is_bot: false,
      onboarded: false,
      created_date: utcDay(at),
      merged_into: null,
      effective_id: id,
      stated_bot: null,
      called_bot: null,
      onboarding: 'unsaid',
    },
    identities: [],
    teams: [],
    managedTeams: [],
    squads: [],
  };
}

/** A person as a record changes them: fields that the record does not have stay as they are. */
export function changedPerson(person: PersonState, record: PersonRecord, terms: RecordTerms): PersonState {
  const { row } = person;
  const given = <T>(value: T | null | undefined, old: T | null): T | null => (value === undefined ? old : value);
  const changed = changedIdentities(person.identities, row.main_email, record, terms.isTaken);
  const { identities: owned, mainEmail } = changed;
  const stated = given(record.is_bot, statedBot(row, hasBotLogin(person.identities)));
  const is_bot = isBot(stated, hasBotLogin(owned), row.called_bot);
  // A merged person is onboarded or not as a whole, and that is said of the one who stayed.
  const isPart = row.merged_into !== null;
  const onboarding = isPart
    ? onboardingOf(row)
    : onboardingAfter(onboardingOf(row), record.onboarded, terms.isAutomatic);
  const name = given(record.name, row.name)?.trim().normalize('NFC');
  return {
    row: {
      ...row,
      name: name || mainEmail || owned[0]?.value || row.id,
      main_email: mainEmail,
      role: given(record.role, row.role),
      level: given(record.level, row.level),
      location: given(record.location, row.location),
      manager_email: given(record.manager_email, row.manager_email),
      access_role: given(record.access_role, row.access_role) ?? 'Engineer',
      permissions:
        record.permissions === undefined
          ? row.permissions
          : JSON.stringify([...new Set(record.permissions ?? [])].sort()),
      salary: given(record.salary, row.salary),
      is_bot,
      stated_bot: stated,
      onboarding,
      onboarded: isPart ? row.onboarded : counts(onboarding, is_bot),
      created_date: given(record.created_date, row.created_date) ?? row.created_date,
    },
    identities: owned,
    teams: groupsNamed(terms.teams, record.teams, person.teams),
    managedTeams: groupsNamed(terms.teams, record.managed_teams, person.managedTeams),
    squads: groupsNamed(terms.squads, record.squads, person.squads),
  };
}

const hasBotLogin = (identities: readonly Identity[]): boolean =>
  identities.some(({ kind, key }) => kind === 'login' && isBotLogin(key));

/** Identifiers of the groups that a record names; those from before where it names none. */
function groupsNamed<R extends TeamRow | SquadRow>(
  groups: GroupDraft<R>,
  names: readonly string[] | null | undefined,
  before: readonly string[],
): readonly string[] {
  if (names === undefined) return before;
  return [...new Set((names ?? []).map((name) => groups.named(name)))].sort();
}
