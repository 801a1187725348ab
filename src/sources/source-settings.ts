import { isRepositoryName } from '../catalogue/record-ids.ts';
import { alternatives, didYouMean } from '../nearest.ts';
import { Refusal } from '../refusal.ts';
import { isHostPattern } from './http/host-patterns.ts';
import { type SettingValue, settingParsers } from './setting-parsers.ts';
import { isReference, referenceProblem, resolveReference } from './setting-references.ts';
import { type SettingField, type SettingValues, type SourceKind, SourceProblem } from './source.ts';

/** Settings as they are typed: name → text. */
export type SettingTexts = Readonly<Record<string, string>>;

/** Who gives settings. Only the command line may name variables and files of the machine that the server runs on. */
export type SettingsOrigin = 'command' | 'api';

/** The secret with which a provider signs its webhooks: a setting of every kind whose webhooks are signed. */
export const webhookSecretField: SettingField = {
  name: 'webhook_secret',
  label: 'Webhook secret',
  meaning: 'what webhooks are signed with (generated when unset, and shown once)',
  type: 'text',
  isSecret: true,
};

const givenWebhookSecretField = (label: string): SettingField => ({
  ...webhookSecretField,
  meaning: `what ${label} signs webhooks with, and shows when a webhook is made there (no webhook is accepted while it is unset)`,
});

/** All settings of a kind, as command line, pages and documentation show them. */
export function settingFields({
  label,
  settings,
  webhook,
}: Pick<SourceKind, 'label' | 'settings' | 'webhook'>): readonly SettingField[] {
  if (!webhook?.signature) return settings;
  return [...settings, webhook.signature.isMadeByProvider ? givenWebhookSecretField(label) : webhookSecretField];
}

/** Whether Plumb makes the secret of webhooks where none is given. A token is always made, so that it is a strong one. */
export const makesWebhookSecret = ({ webhook }: Pick<SourceKind, 'webhook'>): boolean =>
  webhook !== undefined && !webhook.signature?.isMadeByProvider;

/** Refuses settings with everything that is wrong with them. Whether a token works is for `check` to say. */
export function refuseBadSettings(
  kind: Pick<SourceKind, 'kind' | 'label' | 'settings' | 'webhook'>,
  texts: SettingTexts,
  /** Who gives which of them; the others are kept from before. */
  { origin, given = texts }: { readonly origin: SettingsOrigin; readonly given?: SettingTexts },
): void {
  const fields = settingFields(kind);
  const called = callingFor(origin);
  const problems = [
    ...Object.keys(texts).flatMap((name) => unknownProblem(name, fields, called)),
    ...fields.flatMap((field) => [
      ...wayProblem(field, fields, { texts, called }),
      ...fieldProblem(field, texts[field.name], { origin: field.name in given ? origin : 'command', called }),
    ]),
  ];
  if (problems.length === 0) return;
  throw new Refusal(
    'bad-input',
    origin === 'api'
      ? `Check these settings. ${problems.map((problem) => `${problem}.`).join(' ')}`
      : `The settings of a ${kind.kind} source are not usable:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`,
  );
}

/** Commands name settings as they are typed, pages as their fields are labelled. */
type Calling = (field: SettingField) => string;
const callingFor =
  (origin: SettingsOrigin): Calling =>
  ({ name, label }) =>
    origin === 'api' ? label : name;

function unknownProblem(name: string, fields: readonly SettingField[], called: Calling): string[] {
  const known = fields.map((field) => field.name);
  if (known.includes(name)) return [];
  return [`${name} is not a setting.${didYouMean(name, known)} Settings: ${fields.map(called).join(', ')}`];
}

/** Where pages ask for a setting: with the access, after a check from a list, as the day that history begins, or apart. */
type SettingStep = 'access' | 'choice' | 'history' | 'advanced';

export function settingStep({ type, isRequired, isAccess, isPicked }: SettingField): SettingStep {
  if (isPicked) return 'choice';
  if (type === 'date') return 'history';
  return type === 'address' || isRequired || isAccess ? 'access' : 'advanced';
}

/** The settings of a kind while nothing is picked yet: a check says first what there is to pick. */
export const beforePicking = (settings: readonly SettingField[]): readonly SettingField[] =>
  settings.map(({ isRequired, ...field }) => (isRequired && !field.isPicked ? { ...field, isRequired } : field));

const isGiven = (texts: SettingTexts, { name }: SettingField): boolean => (texts[name] ?? '').trim() !== '';

/** Settings that take the place of one, together. */
export const replacementsOf = ({ name }: SettingField, fields: readonly SettingField[]): readonly SettingField[] =>
  fields.filter(({ insteadOf }) => insteadOf === name);

/** The settings that have to be there, by which of several ways has been taken with those that are given. */
export function requiredSettings(fields: readonly SettingField[], texts: SettingTexts): readonly SettingField[] {
  const replaced = new Set(fields.flatMap((field) => (isGiven(texts, field) ? (field.insteadOf ?? []) : [])));
  return fields.filter(
    ({ name, insteadOf, isRequired, usual }) =>
      isRequired && usual === undefined && !replaced.has(name) && (insteadOf === undefined || replaced.has(insteadOf)),
  );
}

/** A setting that is missing, or that is given although others have taken its place. */
function wayProblem(
  field: SettingField,
  fields: readonly SettingField[],
  { texts, called }: { readonly texts: SettingTexts; readonly called: Calling },
): string[] {
  const others = replacementsOf(field, fields);
  if (isGiven(texts, field)) {
    if (!others.some((other) => isGiven(texts, other))) return [];
    return [
      `${called(field)} does not go with ${joinedNames(others, called)}: give one or the others, and clear with an empty value what is set`,
    ];
  }
  if (!requiredSettings(fields, texts).includes(field)) return [];
  return [
    `${called(field)} is missing: ${field.meaning}${others.length === 0 ? '' : `. Or give ${joinedNames(others, called)} instead`}`,
  ];
}

/** "app_id, installation_id and private_key" */
export const joinedNames = (fields: readonly SettingField[], called: Calling = ({ name }) => name): string =>
  new Intl.ListFormat('en-GB').format(fields.map(called));

function fieldProblem(
  field: SettingField,
  text: string | undefined,
  { origin, called }: { readonly origin: SettingsOrigin; readonly called: Calling },
): string[] {
  if (text === undefined || text.trim() === '') return [];
  if (isReference(text)) {
    const problem =
      origin === 'api' ? 'must be the value itself: env: and file: are for the command line' : referenceProblem(text);
    return problem === undefined ? [] : [`${called(field)} ${problem}`];
  }
  const parsed = parse(field, text);
  return 'problem' in parsed ? [`${called(field)} ${parsed.problem}`] : [];
}

/**
 * The settings for their use: references followed, usual values filled in. Throws a `SourceProblem` with what to do.
 * Without an environment, nothing leads to this machine's variables and files.
 */
export function settingValues(
  fields: readonly SettingField[],
  texts: SettingTexts,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): SettingValues {
  const values: Record<string, SettingValue> = {};
  const missing = requiredSettings(fields, texts).find(({ name }) => texts[name] === undefined);
  if (missing) {
    throw new SourceProblem(
      `The setting ${missing.name} is missing`,
      'Give it on the page of connections, or with `plumb source set`.',
    );
  }
  for (const field of fields) {
    const text = texts[field.name] ?? field.usual;
    if (text === undefined) continue;
    const parsed = parse(field, isReference(text) ? followed(field, text, environment) : text);
    if ('problem' in parsed) {
      throw new SourceProblem(`The setting ${field.name} ${parsed.problem}`, 'Set it again with `plumb source set`.');
    }
    values[field.name] = parsed.value;
  }
  return values;
}

function followed(
  { name }: SettingField,
  text: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): string {
  if (environment) return resolveReference(text, environment);
  throw new SourceProblem(
    `The setting ${name} names a variable or a file of the server, which only the command line may do for an address that it gave`,
    `Set ${name} again with \`plumb source set\`, together with base_url where the source has one.`,
  );
}

const hostsWanted = 'must be hosts of at most 253 characters, with one * between two dots at most';

const pairWanted = 'must say each as Name=owner/name, such as Checkout=acme/web';

/** A name may hold an equals sign, and a repository may lie in groups: `Checkout=acme/shop/web`. */
function repositoryPair(text: string): readonly [name: string, repository: string] | undefined {
  const at = text.lastIndexOf('=');
  const [name, repository] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1).trim()];
  return name !== '' && isRepositoryName(repository) ? [name.toLowerCase(), repository] : undefined;
}

/** Finds the repository of a name in a setting of pairs. Names are compared without regard to case. */
export function repositoryByName(value: SettingValue | undefined): (name: string | null) => string | null {
  const known = new Map<string, string>();
  for (const text of Array.isArray(value) ? value : []) {
    const pair = repositoryPair(text);
    if (pair) known.set(...pair);
  }
  return (name) => (name === null ? null : (known.get(name.trim().toLowerCase()) ?? null));
}

type Parsed = { readonly value: SettingValue } | { readonly problem: string };

/** A problem never quotes a secret. */
function parse(field: SettingField, text: string): Parsed {
  const { type, isSecret, isHosts, isRepositoryMap, most = Number.POSITIVE_INFINITY } = field;
  const trimmed = text.trim();
  const value = settingParsers[type].read(trimmed);
  const badPair = isRepositoryMap && Array.isArray(value) ? value.find((pair) => !repositoryPair(pair)) : undefined;
  if (badPair !== undefined) return { problem: `${pairWanted}, not '${badPair.slice(0, 100)}'` };
  const badHost = isHosts && Array.isArray(value) ? value.find((host) => !isHostPattern(host)) : undefined;
  if (badHost !== undefined) return { problem: `${hostsWanted}, not '${badHost.slice(0, 100)}'` };
  if (field.oneOf && value !== undefined && !field.oneOf.includes(String(value))) {
    return { problem: `must be ${alternatives(field.oneOf)}${isSecret ? '' : `, not '${trimmed}'`}` };
  }
  const isTooMuch = typeof value === 'number' && value > most;
  if (value !== undefined && !isTooMuch) return { value };
  const wanted = `${settingParsers[type].wanted}${isTooMuch ? ` up to ${most}` : ''}`;
  return { problem: `must be ${wanted}${isSecret ? '' : `, not '${trimmed}'`}` };
}

/** Settings that every kind of source with a host has in the same words. `openSource` reads them. */
export const allowHostsField: SettingField = {
  name: 'allow_hosts',
  label: 'Allowed hosts',
  meaning:
    'other hosts that answers may lead to, such as example.com, *.example.com or example.com:8443 (they never get the token)',
  type: 'list',
  isHosts: true,
};

/** Without a usual address a source of one's own servers needs one. */
export const addressField = (meaning: string, usual?: string): SettingField => ({
  name: 'base_url',
  label: 'Address',
  meaning,
  type: 'address',
  ...(usual === undefined ? { isRequired: true } : { usual }),
});

export const tokenField = (label: string, meaning: string): SettingField => ({
  name: 'token',
  label,
  meaning,
  type: 'text',
  isSecret: true,
  isRequired: true,
});

/** `what` has a time by which it is old: "incident that was opened". */
export const sinceField = (what: string): SettingField => ({
  name: 'since',
  label: 'Since',
  meaning: `no ${what} before this day is read (the whole history when unset)`,
  type: 'date',
});

export const keepFreeField: SettingField = {
  name: 'keep_free_percent',
  label: 'Leave API quota for other tools',
  meaning: 'how much of the hourly rate limit is left to other tools that use the same account, in percent, at most 90',
  type: 'integer',
  // With all of it kept free, nothing would ever be asked.
  most: 90,
  usual: '20',
};
