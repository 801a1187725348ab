import { createHash, randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { organisations } from '../store/all-store-tables.ts';
import { audit } from '../store/audit.ts';
import {
  ambiguousName,
  findOrganisation,
  listOrganisations,
  type OrganisationRow,
  organisationsMeant,
  refuseUnusableName,
} from '../store/organisation-rows.ts';
import { insertRows, putRows } from '../store/put-rows.ts';
import type { Reading } from '../store/store.ts';
import { keyOf } from '../text-comparison.ts';
import type { Actor, ChangeContext, Directory } from './directory.ts';
import { isSettingName, readSetting, settingNames } from './organisation-settings.ts';
import { PeopleDraft } from './people-draft.ts';

interface NewOrganisation {
  /** Only the demo names it, so that the same seed gives the same organisations. */
  readonly id?: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly ownerName?: string;
}

/** Makes an organisation together with its first Owner, who is onboarded. */
export async function createOrganisation(
  directory: Directory,
  actor: Actor,
  { id: given, name, ownerEmail, ownerName }: NewOrganisation,
): Promise<{ readonly id: string; readonly ownerId: string }> {
  if (name.trim() === '') throw new Refusal('bad-input', 'An organisation needs a name.');
  const id = given ?? v4();
  const at = directory.now();
  return directory.store.change(id, async (session) => {
    if (await findOrganisation(session, id)) throw new Refusal('conflict', `Organisation ${id} exists already.`);
    await refuseUnusableName(session, id, name.trim());
    await insertRows(session, organisations, [
      {
        id,
        name: name.trim(),
        time_zone: 'UTC',
        team_restrictions: false,
        salary_visibility: false,
        benchmark_opt_out: false,
        incident_window_days: 7,
        survey_minimum_group: 5,
        runner_prices: null,
        version: 0,
        created_at: at,
        onboard_automatically: true,
        survey_privacy: 'role',
        survey_report_by: 'team',
        // The demo has the same one every time, so that the same seed shows the same answers.
        survey_key:
          given === undefined ? randomBytes(16).toString('hex') : createHash('sha256').update(id).digest('hex'),
      },
    ]);
    const owner = {
      main_email: ownerEmail,
      access_role: 'Owner',
      onboarded: true,
      ...(ownerName === undefined ? {} : { name: ownerName }),
    };
    const draft = await PeopleDraft.load(session, at, [owner]);
    const problem = draft.apply(owner);
    if (problem) throw new Refusal('bad-input', `The owner is not usable: ${problem}.`);
    const auditedActions = await draft.save();
    await audit(session, actor, at, [
      { action: 'organisation.create', subject: id, details: { name: name.trim() } },
      ...auditedActions,
    ]);
    const ownerId = auditedActions.find(({ action }) => action === 'person.create')?.subject;
    if (ownerId === undefined) throw new Error('an organisation was made without its owner');
    return { id, ownerId };
  });
}

/** Changes settings of an organisation, given as texts; all of them or, when one is wrong, none. */
export async function setOrganisation(
  directory: Directory,
  context: ChangeContext,
  values: Readonly<Record<string, string>>,
): Promise<OrganisationRow> {
  const changes: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(values)) {
    if (!isSettingName(name)) {
      throw new Refusal(
        'bad-input',
        `'${name}' is not a setting of an organisation.${didYouMean(name, settingNames)} Settings: ${settingNames.join(', ')}.`,
      );
    }
    changes[name] = readSetting(name, text);
  }
  return directory.store.change(context.organisationId, async (session) => {
    const known = await findOrganisation(session, context.organisationId);
    if (!known) throw new Refusal('not-found', `There is no organisation ${context.organisationId}.`);
    const next: OrganisationRow = { ...known, ...changes, version: session.version };
    // One that shares its name with others keeps it until it is given another.
    if (keyOf(next.name) !== keyOf(known.name)) await refuseUnusableName(session, next.id, next.name);
    await putRows(session, organisations, [next]);
    await audit(session, context.actor, directory.now(), [
      { action: 'organisation.set', subject: next.id, details: changes },
    ]);
    return next;
  });
}

/** The organisation that a command means: by identifier, or by name where only one has it. */
export async function resolveOrganisation(session: Reading, idOrName: string): Promise<OrganisationRow> {
  const all = await listOrganisations(session);
  const meant = organisationsMeant(all, idOrName);
  const [only] = meant;
  if (only && meant.length === 1) return only;
  if (meant.length > 1) throw new Refusal('bad-input', ambiguousName(idOrName, meant));
  const names = all.map(({ name }) => name);
  const hint =
    names.length === 0
      ? ' There are none yet: make one with `plumb org create`.'
      : didYouMean(idOrName, names) || ' `plumb org list` lists all of them.';
  throw new Refusal('not-found', `There is no organisation '${idOrName}'.${hint}`);
}
