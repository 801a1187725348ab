import type { SquadRecord, TeamRecord } from '../catalogue/directory-records.ts';
import type { AuditedAction } from '../store/audit.ts';
import { type SquadRow, squadKind, type TeamRow, teamKind } from '../store/group-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import { GroupDraft } from './group-draft.ts';

const given = (text: string | null | undefined): string | undefined => text?.trim() || undefined;

export class TeamsDraft {
  readonly #groups: GroupDraft<TeamRow>;

  private constructor(groups: GroupDraft<TeamRow>) {
    this.#groups = groups;
  }

  static async load(session: OrganisationWriting): Promise<TeamsDraft> {
    return new TeamsDraft(await GroupDraft.load(session, teamKind, 'team', { department: null }));
  }

  apply(record: TeamRecord): string | undefined {
    const id = given(record.team_id);
    const name = given(record.team_name);
    if (!id && !name) return 'needs team_name';
    if (record._deleted) return this.#groups.remove(id, name);
    return this.#groups.apply({
      id,
      name,
      fields: record.department === undefined ? {} : { department: given(record.department) ?? null },
    });
  }

  async save(): Promise<AuditedAction[]> {
    await this.#groups.save();
    return this.#groups.auditedActions;
  }
}

export class SquadsDraft {
  readonly #groups: GroupDraft<SquadRow>;

  private constructor(groups: GroupDraft<SquadRow>) {
    this.#groups = groups;
  }

  static async load(session: OrganisationWriting): Promise<SquadsDraft> {
    return new SquadsDraft(
      await GroupDraft.load(session, squadKind, 'squad', { level: null, parent: null, lead_email: null }),
    );
  }

  apply(record: SquadRecord): string | undefined {
    const id = given(record.squad_id);
    const name = given(record.squad_name);
    if (!id && !name) return 'needs squad_name';
    if (record._deleted) return this.#groups.remove(id, name);
    if (record.squad_level != null && record.squad_level < 1) return 'squad_level must be 1 or more, and 1 is the top';
    const loop = this.#loopThrough(id, name, record.parent_squad);
    if (loop) return `parent_squad would put the squad below itself: ${loop}`;
    const before = this.#groups.find(id ?? name ?? '') ?? this.#groups.find(name ?? '');
    const problem = this.#groups.apply({
      id,
      name,
      fields: {
        ...(record.squad_level === undefined ? {} : { level: record.squad_level }),
        ...(record.parent_squad === undefined ? {} : { parent: given(record.parent_squad) ?? null }),
        ...(record.lead_email === undefined ? {} : { lead_email: given(record.lead_email) ?? null }),
      },
    });
    if (problem === undefined && before) this.#renameParent(before, this.#groups.find(id ?? name ?? ''));
    return problem;
  }

  async save(): Promise<AuditedAction[]> {
    await this.#groups.save();
    return this.#groups.auditedActions;
  }

  /** Squads name the one above them by text: when it is renamed, they go along. */
  #renameParent(before: SquadRow, after: SquadRow | undefined): void {
    if (!after || (after.id === before.id && after.name_key === before.name_key)) return;
    for (const { id, parent } of this.#groups.all()) {
      const isBelow = parent !== null && (parent === before.id || keyOf(parent) === before.name_key);
      if (isBelow && this.#groups.find(parent)?.id !== after.id)
        this.#groups.apply({ id, name: undefined, fields: { parent: after.name } });
    }
  }

  /**
   * The way from a squad up through its parents, when it leads back to the squad under any name that it has or gets:
   * the squad above may have been named long before this one is known.
   */
  #loopThrough(
    id: string | undefined,
    name: string | undefined,
    parent: string | null | undefined,
  ): string | undefined {
    const known = this.#groups.find(id ?? name ?? '') ?? (name === undefined ? undefined : this.#groups.find(name));
    const key = keyOf(name ?? known?.name ?? id ?? '');
    const itself = (above: string) =>
      above === id || keyOf(above) === key || (known !== undefined && this.#groups.find(above) === known);
    const path = [name ?? known?.name ?? id ?? ''];
    let above = parent === undefined ? known?.parent : given(parent);
    while (above != null && path.length < 1_000) {
      path.push(above);
      if (itself(above)) return path.join(' → ');
      above = this.#groups.find(above)?.parent;
    }
    return undefined;
  }
}
