import type { StoreRowOf, StoreTable } from '../store/all-store-tables.ts';
import type { AuditedAction } from '../store/audit.ts';
import {
  type GroupKind,
  listGroups,
  mergeGroup,
  removeGroups,
  renumberGroup,
  type SquadRow,
  type TeamRow,
} from '../store/group-rows.ts';
import { putRows } from '../store/put-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { generatedId, isTooLong, maxIdentifierLength } from './identifier.ts';

type GroupRow = TeamRow | SquadRow;

interface GroupChange<R extends GroupRow> {
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly fields: Partial<Omit<R, 'organisation_id' | 'id' | 'name' | 'name_key' | 'is_implied'>>;
}

/** The teams or squads of an organisation while records change them: read once, changed in memory, written once. */
export class GroupDraft<R extends GroupRow> {
  readonly #session: OrganisationWriting;
  readonly #kind: GroupKind<R>;
  readonly #noun: 'team' | 'squad';
  readonly #blank: Omit<R, 'organisation_id' | 'id' | 'name' | 'name_key' | 'is_implied'>;
  readonly #byId = new Map<string, R>();
  readonly #byName = new Map<string, R>();
  readonly #changed = new Set<string>();
  /** The changes to rows that are already written, in the order in which the records asked for them. */
  readonly #steps: (
    | { readonly remove: string }
    | { readonly from: string; readonly to: string }
    | { readonly merged: string; readonly into: string }
  )[] = [];
  readonly auditedActions: AuditedAction[] = [];

  private constructor(
    session: OrganisationWriting,
    kind: GroupKind<R>,
    noun: 'team' | 'squad',
    blank: Omit<R, 'organisation_id' | 'id' | 'name' | 'name_key' | 'is_implied'>,
  ) {
    this.#session = session;
    this.#kind = kind;
    this.#noun = noun;
    this.#blank = blank;
  }

  static async load<R extends GroupRow>(
    session: OrganisationWriting,
    kind: GroupKind<R>,
    noun: 'team' | 'squad',
    blank: Omit<R, 'organisation_id' | 'id' | 'name' | 'name_key' | 'is_implied'>,
  ): Promise<GroupDraft<R>> {
    const draft = new GroupDraft(session, kind, noun, blank);
    for (const row of await listGroups(session, kind, session.organisationId)) draft.#keep(row);
    return draft;
  }

  find(nameOrId: string): R | undefined {
    return this.#byId.get(nameOrId) ?? this.#byName.get(keyOf(nameOrId));
  }

  all(): R[] {
    return [...this.#byId.values()];
  }

  /** The identifier of the group that a person names. A name that is not known yet gets a new identifier. */
  named(name: string): string {
    const known = this.#byName.get(keyOf(name));
    if (known) {
      // Of several spellings the first by code point is shown, so that it does not matter who was read first.
      const spelled = named(name);
      if (known.is_implied && spelled.name < known.name) this.#write({ ...known, ...spelled }, 'update');
      return known.id;
    }
    const row = this.#newGroup(this.#freeId(name), name, true);
    this.#write(row, 'create');
    return row.id;
  }

  /** Applies one record, or says what is wrong with it. */
  apply({ id, name, fields }: GroupChange<R>): string | undefined {
    if (isTooLong(id ?? '') || isTooLong(name ?? '')) {
      return `${this.#noun}_id and ${this.#noun}_name must have at most ${maxIdentifierLength} characters`;
    }
    const namesake = name === undefined ? undefined : this.#byName.get(keyOf(name));
    const known = id === undefined ? namesake : this.#byId.get(id);
    if (!known && name === undefined) return `needs ${this.#noun}_name: no ${this.#noun} has the identifier '${id}'`;
    if (namesake && id !== undefined && namesake.id !== id) {
      const spelled = named(name ?? namesake.name);
      // Made from the name alone: the record that brings an identifier may come before or after all others.
      if (!known && this.#hasGeneratedId(namesake)) {
        return this.#write({ ...this.#changeId(namesake, id), ...fields, ...spelled }, 'update');
      }
      if (known && namesake.is_implied) {
        this.#mergeInto(namesake, id);
        return this.#write({ ...known, ...fields, ...spelled, is_implied: false }, 'update');
      }
      return `${this.#noun}_name '${namesake.name}' belongs to another ${this.#noun}, with the identifier '${namesake.id}'`;
    }
    if (!known) {
      const newName = name ?? '';
      const newId = id ?? this.#freeId(newName);
      return this.#write({ ...this.#newGroup(newId, newName, false), ...fields }, 'create');
    }
    const next = { ...known, ...fields, is_implied: false, ...(name === undefined ? {} : named(name)) };
    return JSON.stringify(next) === JSON.stringify(known) ? undefined : this.#write(next, 'update');
  }

  /** Removes a group and its memberships; one that is not there is no mistake. */
  remove(id: string | undefined, name: string | undefined): undefined {
    const known =
      id === undefined ? (name === undefined ? undefined : this.#byName.get(keyOf(name))) : this.#byId.get(id);
    if (!known) return;
    this.#forget(known);
    this.#changed.delete(known.id);
    this.#steps.push({ remove: known.id });
    this.auditedActions.push({ action: `${this.#noun}.remove`, subject: known.id, details: { name: known.name } });
  }

  async save(): Promise<void> {
    const { organisationId } = this.#session;
    let removed: string[] = [];
    const removeThem = async () => {
      if (removed.length > 0) await removeGroups(this.#session, this.#kind, organisationId, removed);
      removed = [];
    };
    for (const step of this.#steps) {
      if ('remove' in step) {
        removed.push(step.remove);
        continue;
      }
      await removeThem();
      if ('merged' in step) await mergeGroup(this.#session, this.#kind, organisationId, step.merged, step.into);
      else {
        await renumberGroup(this.#session, this.#kind, organisationId, step.from, step.to);
      }
    }
    await removeThem();
    const rows = [...this.#changed].flatMap((id) => this.#byId.get(id) ?? []);
    await putRows(this.#session, this.#kind.table, rows as unknown as StoreRowOf<StoreTable>[]);
  }

  /** A group that was renamed keeps the identifier its old name gave it: then a further one is made. */
  #freeId(name: string): string {
    for (let attempt = 0; ; attempt += 1) {
      const id = generatedId(
        this.#session.organisationId,
        this.#noun,
        `${keyOf(name)}${attempt === 0 ? '' : `#${attempt}`}`,
      );
      if (!this.#byId.has(id)) return id;
    }
  }

  #hasGeneratedId({ id, name_key }: R): boolean {
    return id === generatedId(this.#session.organisationId, this.#noun, name_key);
  }

  /** Moves memberships that people named under a name that turns out to be another group's. */
  #mergeInto(row: R, into: string): void {
    this.#forget(row);
    this.#changed.delete(row.id);
    this.#steps.push({ merged: row.id, into });
    this.auditedActions.push({ action: `${this.#noun}.remove`, subject: row.id, details: { name: row.name, into } });
  }

  #newGroup(id: string, name: string, isImplied: boolean): R {
    const own = { organisation_id: this.#session.organisationId, id, ...named(name), is_implied: isImplied };
    return { ...this.#blank, ...own } as R;
  }

  #changeId(row: R, id: string): R {
    this.#forget(row);
    this.#steps.push({ from: row.id, to: id });
    return { ...row, id, is_implied: false };
  }

  #write(row: R, verb: 'create' | 'update'): undefined {
    const before = this.#byId.get(row.id);
    if (before) this.#forget(before);
    this.#keep(row);
    this.#changed.add(row.id);
    this.auditedActions.push({ action: `${this.#noun}.${verb}`, subject: row.id, details: { name: row.name } });
  }

  #keep(row: R): void {
    this.#byId.set(row.id, row);
    this.#byName.set(row.name_key, row);
  }

  #forget(row: R): void {
    this.#byId.delete(row.id);
    this.#byName.delete(row.name_key);
  }
}

const named = (name: string) => ({ name: name.trim().normalize('NFC'), name_key: keyOf(name) });
