import { createHash, randomBytes } from 'node:crypto';
import { v4 } from 'uuid';
import { didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { audit } from '../store/audit.ts';
import { findOrganisation, listOrganisations, type OrganisationRow } from '../store/organisations.ts';
import { insertRows, putRows } from '../store/rows.ts';
import type { Reading } from '../store/store.ts';
import { organisations } from '../store/tables.ts';
import type { Actor, ChangeContext, Directory } from './directory.ts';
import { keyOf } from './identifier.ts';
import { PeopleDraft } from './people-draft.ts';

export type { OrganisationRow } from '../store/organisations.ts';

export interface NewOrganisation {
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
    const deeds = await draft.save();
    await audit(session, actor, at, [
      { action: 'organisation.create', subject: id, details: { name: name.trim() } },
      ...deeds,
    ]);
    const ownerId = deeds.find(({ action }) => action === 'person.create')?.subject;
    if (ownerId === undefined) throw new Error('an organisation was made without its owner');
    return { id, ownerId };
  });
}

type OrganisationSettings = Omit<OrganisationRow, 'id' | 'version' | 'created_at' | 'survey_key'>;

const surveyPrivacies = ['role', 'anonymous'];

/** How each setting is read from the text of a command. */
const settings: { readonly [N in keyof OrganisationSettings]: (text: string) => OrganisationSettings[N] } = {
  name: (text) => {
    if (text.trim() === '') throw new Refusal('bad-input', 'name must not be blank.');
    return text.trim();
  },
  time_zone: (text) => {
    const zone = knownTimeZone(text);
    if (!zone) throw new Refusal('bad-input', `time_zone must be an IANA name such as Europe/Vienna, not '${text}'.`);
    return zone;
  },
  team_restrictions: trueOrFalse('team_restrictions'),
  salary_visibility: trueOrFalse('salary_visibility'),
  benchmark_opt_out: trueOrFalse('benchmark_opt_out'),
  incident_window_days: wholeNumber('incident_window_days', 1, 365),
  survey_minimum_group: wholeNumber('survey_minimum_group', 1, 1_000),
  survey_privacy: (text) => {
    const word = text.trim().toLowerCase();
    if (surveyPrivacies.includes(word)) return word;
    throw new Refusal('bad-input', `survey_privacy must be one of ${surveyPrivacies.join(', ')}, not '${text}'.`);
  },
  onboard_automatically: trueOrFalse('onboard_automatically'),
  runner_prices: (text) => (text.trim() === '' ? null : prices(text)),
};

export const settingNames = Object.keys(settings);

/** A setting's value, from its text. */
export const readSetting = (name: string, text: string): unknown => settings[name as keyof OrganisationSettings](text);

/** Changes settings of an organisation, given as texts; all of them or, when one is wrong, none. */
export async function setOrganisation(
  directory: Directory,
  context: ChangeContext,
  values: Readonly<Record<string, string>>,
): Promise<OrganisationRow> {
  const changes: Record<string, unknown> = {};
  for (const [name, text] of Object.entries(values)) {
    if (!Object.hasOwn(settings, name)) {
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
  const byId = all.find(({ id }) => id === idOrName.trim().toLowerCase());
  if (byId) return byId;
  const named = all.filter(({ name }) => keyOf(name) === keyOf(idOrName));
  const [only] = named;
  if (only && named.length === 1) return only;
  if (named.length > 1) {
    throw new Refusal(
      'bad-input',
      `${named.length} organisations are called '${idOrName}'. Use an identifier: ${named.map(({ id }) => id).join(', ')}.`,
    );
  }
  const names = all.map(({ name }) => name);
  throw new Refusal(
    'not-found',
    `There is no organisation '${idOrName}'.${didYouMean(idOrName, names)}${names.length === 0 ? ' There are none yet: make one with `plumb org create`.' : ''}`,
  );
}

/** The zone as it was named, in its proper case: the engine's own name for it may be an older one (Asia/Calcutta). */
function knownTimeZone(text: string): string | undefined {
  const zone = text.trim();
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions();
    return timeZone.toLowerCase() === zone.toLowerCase() ? timeZone : zone;
  } catch {
    return undefined;
  }
}

function trueOrFalse(name: string): (text: string) => boolean {
  return (text) => {
    const word = text.trim().toLowerCase();
    if (word === 'true' || word === 'on' || word === 'yes') return true;
    if (word === 'false' || word === 'off' || word === 'no') return false;
    throw new Refusal('bad-input', `${name} must be true or false, not '${text}'.`);
  };
}

function wholeNumber(name: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most) return value;
    throw new Refusal('bad-input', `${name} must be a whole number from ${least} to ${most}, not '${text}'.`);
  };
}

function prices(text: string): string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const isPriceList =
    typeof parsed === 'object' &&
    parsed !== null &&
    !Array.isArray(parsed) &&
    Object.values(parsed).every((price) => typeof price === 'number' && price >= 0);
  if (!isPriceList) {
    throw new Refusal(
      'bad-input',
      `runner_prices must be JSON such as {"ubuntu": 0.008}, US dollars a minute, not '${text}'.`,
    );
  }
  return JSON.stringify(parsed);
}
