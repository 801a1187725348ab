import type { PersonRecord } from '../catalogue/directory-records.ts';
import { addToList } from '../lists-by-key.ts';
import type { AuditedAction } from '../store/audit.ts';
import { type SquadRow, squadKind, type TeamRow, teamKind } from '../store/group-rows.ts';
import { findOrganisation } from '../store/organisation-rows.ts';
import { countOwners, ownersOfKeys } from '../store/people-rows.ts';
import { forgetWhoBrought } from '../store/source-people-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { changedPerson, newPerson } from './changed-person.ts';
import { GroupDraft } from './group-draft.ts';
import { generatedId, isTooLong, maxIdentifierLength } from './identifier.ts';
import { type Identity, identityKey, namedIdentities } from './person-identities.ts';
import { differences, type PersonState, readPeople, removePeople, repairMerges, writePeople } from './person-state.ts';

const onlyOwner = 'is the only Owner: an organisation needs one. Make someone else Owner first';
const explicitId = ({ merged_user_id }: PersonRecord): string | undefined => merged_user_id?.trim() || undefined;
/** Whether they count among the Owners: someone who became part of another person does not. */
const isOwner = (person: PersonState | undefined) =>
  person?.row.access_role === 'Owner' && person.row.merged_into === null;
const isBlank = (name: string) => name.trim() === '';
const blankTeam = { department: null };
const blankSquad = { level: null, parent: null, lead_email: null };

/**
 * The people that a batch of records touches: read once, changed in memory record by record, written once. So fifty
 * thousand people cost a handful of statements, and a record sees what the ones before it did.
 */
export class PeopleDraft {
  readonly #session: OrganisationWriting;
  readonly #at: Date;
  readonly #teams: GroupDraft<TeamRow>;
  readonly #squads: GroupDraft<SquadRow>;
  readonly #people = new Map<string, PersonState>();
  readonly #before = new Map<string, PersonState>();
  readonly #owners = new Map<string, string>();
  /** The people merged into each person, however long the chain. */
  readonly #absorbed = new Map<string, string[]>();
  #ownersLeft = 0;
  /** Whether new people are onboarded. */
  #isAutomatic = true;
  readonly #recorded = new Set<string>();
  /** People of whom a record says which teams they are in: no source takes those memberships away again. */
  readonly #teamsGiven = new Set<string>();

  private constructor(
    session: OrganisationWriting,
    at: Date,
    teams: GroupDraft<TeamRow>,
    squads: GroupDraft<SquadRow>,
  ) {
    this.#session = session;
    this.#at = at;
    this.#teams = teams;
    this.#squads = squads;
  }

  static async load(session: OrganisationWriting, at: Date, records: readonly PersonRecord[]): Promise<PeopleDraft> {
    const draft = new PeopleDraft(
      session,
      at,
      await GroupDraft.load(session, teamKind, 'team', blankTeam),
      await GroupDraft.load(session, squadKind, 'squad', blankSquad),
    );
    await draft.#read(records);
    return draft;
  }

  /** Applies one record, or says what is wrong with it and leaves everything as it was. */
  apply(record: PersonRecord): string | undefined {
    const named = namedIdentities(record);
    if ('problem' in named) return named.problem;
    const found = this.#find(record, named.identities);
    if ('problem' in found) return found.problem;
    if (record._deleted) return found.id === undefined ? undefined : this.#remove(found.id);

    const known = found.id === undefined ? undefined : this.#people.get(found.id);
    const id = found.id ?? explicitId(record) ?? this.#newId(named.identities);
    if (id === undefined) return 'needs merged_user_id, an email address or a login to tell who it is';
    const blank = (['teams', 'managed_teams', 'squads'] as const).find((field) => record[field]?.some(isBlank));
    if (blank) return `${blank} must not hold a blank name`;
    const long = (['teams', 'managed_teams', 'squads'] as const).find((field) => record[field]?.some(isTooLong));
    if (long || isTooLong(id)) return `${long ?? 'merged_user_id'} must have at most ${maxIdentifierLength} characters`;
    const demoted = record.access_role !== undefined && record.access_role !== 'Owner';
    if (demoted && isOwner(known) && this.#ownersLeft === 1) return onlyOwner;
    const person = known ?? newPerson(this.#session.organisationId, id, this.#at);
    const terms = { teams: this.#teams, squads: this.#squads, isAutomatic: this.#isAutomatic };
    const isTaken = (identity: Identity) => {
      // An address that came with a merged person is theirs already, and stays with the one who brought it.
      const owner = this.#owners.get(identityKey(identity));
      return owner !== undefined && owner !== id;
    };
    this.#keep(changedPerson(person, record, { ...terms, isTaken }), known);
    this.#recorded.add(id);
    if (record.teams !== undefined) this.#teamsGiven.add(id);
    return undefined;
  }

  /** The person who has an identity, before any merge. */
  ownerOf(identity: Identity): PersonState | undefined {
    return this.person(this.#owners.get(identityKey(identity)) ?? '');
  }

  person(id: string): PersonState | undefined {
    return this.#people.get(id);
  }

  /** The identifier of a team. A name that is not known yet gets a new identifier. */
  teamNamed(name: string): string {
    return this.#teams.named(name);
  }

  teamName(id: string): string | undefined {
    return this.#teams.find(id)?.name;
  }

  get teamNames(): string[] {
    return this.#teams.all().map(({ name }) => name);
  }

  /** Puts somebody into exactly these teams on behalf of a source. */
  placeInTeams(id: string, teams: readonly string[]): void {
    const person = this.#people.get(id);
    if (person) this.#people.set(id, { ...person, teams: [...new Set(teams)].sort() });
  }

  /** Everyone whom a record named and who is still present, after all merges. */
  get recorded(): string[] {
    return [...new Set([...this.#recorded].flatMap((id) => this.#effective(id) ?? []))];
  }

  /** Writes what has changed, and returns it in the words of the audit log. */
  async save(): Promise<AuditedAction[]> {
    const auditedActions: AuditedAction[] = [];
    const takenOver = new Set(await forgetWhoBrought(this.#session, [...this.#teamsGiven]));
    const changed: PersonState[] = [];
    const removed: string[] = [];
    for (const [id, before] of this.#before) {
      if (!this.#people.has(id)) {
        removed.push(id);
        auditedActions.push({ action: 'person.remove', subject: id, details: { name: before.row.name } });
      }
    }
    for (const [id, person] of this.#people) {
      const before = this.#before.get(id);
      const fields = before ? differences(before, person) : undefined;
      if (fields?.length === 0 && takenOver.has(id)) fields.push('teams');
      if (fields?.length === 0) continue;
      changed.push(person);
      auditedActions.push({
        action: fields ? 'person.update' : 'person.create',
        subject: id,
        details: fields ? { fields } : {},
      });
    }
    await this.#teams.save();
    await this.#squads.save();
    await writePeople(this.#session, changed);
    const keys = await removePeople(this.#session, removed, this.#at);
    if (removed.length > 0) await repairMerges(this.#session);
    const revoked = keys.map(
      (subject) => ({ action: 'key.revoke', subject, details: { why: 'creator removed' } }) as const,
    );
    return [...this.#teams.auditedActions, ...this.#squads.auditedActions, ...auditedActions, ...revoked];
  }

  async #read(records: readonly PersonRecord[]): Promise<void> {
    const { organisationId } = this.#session;
    const keys = new Set<string>();
    const ids = new Set<string>();
    const newcomers: (readonly Identity[])[] = [];
    for (const record of records) {
      const explicit = explicitId(record);
      if (explicit) ids.add(explicit);
      const named = namedIdentities(record);
      if ('problem' in named) continue;
      for (const { key } of named.identities) keys.add(key);
      newcomers.push(named.identities);
    }
    for (const { person_id } of await ownersOfKeys(this.#session, organisationId, [...keys])) ids.add(person_id);
    await this.#load([...ids]);
    await this.#loadNamesakes(newcomers);
    this.#ownersLeft = await countOwners(this.#session, organisationId);
    this.#isAutomatic = (await findOrganisation(this.#session, organisationId))?.onboard_automatically ?? true;
  }

  /** Loads people who already have an identifier that would be made for a new person, so that two people never share one. */
  async #loadNamesakes(newcomers: readonly (readonly Identity[])[]): Promise<void> {
    const isUnknown = (named: readonly Identity[]) => named[0] && !this.#owners.has(identityKey(named[0]));
    let unresolved = newcomers.filter(isUnknown);
    for (let attempt = 0; unresolved.length > 0; attempt += 1) {
      const made = unresolved.map((named) => this.#generatedId(named, attempt) ?? '');
      await this.#load(made.filter((id) => !this.#people.has(id)));
      unresolved = unresolved.filter((_, i) => this.#people.has(made[i] ?? ''));
    }
  }

  async #load(ids: readonly string[]): Promise<void> {
    for (const person of await readPeople(this.#session, ids)) {
      const { id, effective_id } = person.row;
      this.#before.set(id, person);
      this.#people.set(id, person);
      for (const identity of person.identities) this.#owners.set(identityKey(identity), id);
      if (effective_id !== id) addToList(this.#absorbed, effective_id, id);
    }
  }

  /**
   * Finds the person of a record: an identifier that exists wins, then an email address, then a login on its source.
   * Someone who was merged into another is still the one their records speak of.
   */
  #find(record: PersonRecord, named: readonly Identity[]): { id: string | undefined } | { problem: string } {
    const owners = named.flatMap((identity) => {
      const owner = this.#owners.get(identityKey(identity));
      return owner === undefined ? [] : [{ owner, identity }];
    });
    const explicit = explicitId(record);
    const byEmail = owners.find(({ identity }) => identity.kind === 'email') ?? owners[0];
    const id = explicit !== undefined && this.#people.has(explicit) ? explicit : byEmail?.owner;
    const other = owners.find(({ owner }) => id !== undefined && this.#effective(owner) !== this.#effective(id));
    if (other && !record._deleted) {
      const { owner, identity } = other;
      const name = this.#people.get(owner)?.row.name ?? owner;
      return {
        problem: `'${identity.value}' belongs to another person, ${name} (${owner}). Merge the two if they are one`,
      };
    }
    return { id };
  }

  #effective(id: string): string | undefined {
    return this.#people.get(id)?.row.effective_id;
  }

  #generatedId(named: readonly Identity[], attempt: number): string | undefined {
    const [first] = named;
    if (!first) return undefined;
    const identity = `${first.kind === 'email' ? '' : `${first.source}:`}${first.key}${attempt === 0 ? '' : `#${attempt}`}`;
    return generatedId(this.#session.organisationId, 'person', identity);
  }

  /** Someone else may once have been made from the same identity and given it up since: then a further one is made. */
  #newId(named: readonly Identity[]): string | undefined {
    for (let attempt = 0; ; attempt += 1) {
      const id = this.#generatedId(named, attempt);
      if (id === undefined || !this.#people.has(id)) return id;
    }
  }

  #keep(next: PersonState, known: PersonState | undefined): void {
    for (const identity of known?.identities ?? []) this.#owners.delete(identityKey(identity));
    for (const identity of next.identities) this.#owners.set(identityKey(identity), next.row.id);
    this.#ownersLeft += Number(isOwner(next)) - Number(isOwner(known));
    this.#people.set(next.row.id, next);
    // People who were merged into this person are onboarded and offboarded with them.
    const { onboarded, onboarding } = next.row;
    for (const id of this.#absorbed.get(next.row.id) ?? []) {
      const other = this.#people.get(id);
      if (other) this.#people.set(id, moved(other, { onboarded, onboarding }));
    }
  }

  /** Removes one person. People who were merged into them go back to where they would be without them. */
  #remove(id: string): string | undefined {
    const gone = this.#people.get(id);
    if (!gone) return undefined;
    const root = gone.row.effective_id;
    const group = [root, ...(this.#absorbed.get(root) ?? [])].flatMap((one) => this.#people.get(one) ?? []);
    const left = group
      .filter(({ row }) => row.id !== id)
      .map((person) => (person.row.merged_into === id ? moved(person, { merged_into: gone.row.merged_into }) : person));
    const owners = left.filter(isOwner).length - group.filter(isOwner).length;
    if (owners < 0 && this.#ownersLeft + owners === 0) return onlyOwner;
    this.#ownersLeft += owners;
    for (const identity of gone.identities) this.#owners.delete(identityKey(identity));
    this.#people.delete(id);
    this.#absorbed.delete(root);
    for (const person of left) this.#moveToSurvivor(person, left);
    return undefined;
  }

  /** Puts a person where the chain of merges now ends, without an address that belongs to nobody there any more. */
  #moveToSurvivor(person: PersonState, all: readonly PersonState[]): void {
    const rootOf = ({ row }: PersonState): string => {
      const above = all.find((one) => one.row.id === row.merged_into);
      return above ? rootOf(above) : row.id;
    };
    const root = rootOf(person);
    const emails = all
      .filter((one) => rootOf(one) === root)
      .flatMap((one) => one.identities.filter(({ kind }) => kind === 'email'));
    const { main_email } = person.row;
    const isKept = main_email !== null && emails.some(({ key }) => key === keyOf(main_email));
    const own = person.identities.find(({ kind }) => kind === 'email')?.value ?? null;
    this.#people.set(person.row.id, moved(person, { effective_id: root, main_email: isKept ? main_email : own }));
    if (root !== person.row.id) addToList(this.#absorbed, root, person.row.id);
  }
}

const moved = (person: PersonState, row: Partial<PersonState['row']>): PersonState => ({
  ...person,
  row: { ...person.row, ...row },
});
