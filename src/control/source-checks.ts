import { existsSync } from 'node:fs';
import { type SourceHealth, type StreamHealth, sourceHealth } from '../data-quality/source-health.ts';
import { addToList } from '../lists-by-key.ts';
import { type Diagnosis, ok, problem, warning } from '../safety/diagnosis.ts';
import type { StoreCheck } from '../safety/doctor.ts';
import { shown } from '../safety/record-checks.ts';
import { folderSecretPath } from '../secrets/folder-secret.ts';
import { type SecretSettings, Secrets } from '../secrets/secrets.ts';
import { listOrganisations } from '../store/organisations.ts';
import { listSources, type SourceRow } from '../store/sources.ts';
import type { Store } from '../store/store.ts';
import { examineMembers } from './member-checks.ts';

/** What the doctor says about sources, the people whom they bring, and the secret that tokens are encrypted with. */
export function sourceChecks(settings: SecretSettings): readonly StoreCheck[] {
  return [
    async (store) => [await examineSecret(store, settings)],
    async (store) => [await examineSources(store)],
    examineMembers,
  ];
}

const secretLengthLeast = 16;

async function examineSecret(store: Store, settings: SecretSettings): Promise<Diagnosis> {
  const { folder, secret, secretOld } = settings;
  const name = 'secret';
  const secrets = new Secrets(settings);
  const sources = await store.read((session) => listSources(session));
  const locked: string[] = [];
  let isAllCurrent = true;
  for (const { what, text } of sources.flatMap(encryptedTexts)) {
    if (!(await secrets.isReadable(text))) locked.push(what);
    else if (!(await secrets.isCurrent(text))) isAllCurrent = false;
  }
  if (locked.length > 0) {
    return {
      name,
      ...problem(
        `The secrets of ${shown(locked)} were encrypted with another PLUMB_SECRET. Nothing is lost: start with that one, or with that one as PLUMB_SECRET_OLD, or set them again with \`plumb source set\`.`,
      ),
    };
  }
  if (!isAllCurrent) {
    return { name, ...warning('Some secrets are encrypted with the secret before. Run `plumb secret rotate`.') };
  }
  if (secret === undefined) return { name, ...folderSecretDiagnosis(folder) };
  if (secretOld !== undefined) return { name, ...warning('PLUMB_SECRET_OLD is not needed any more. Unset it.') };
  if (existsSync(folderSecretPath(folder))) {
    return {
      name,
      ...warning(`${folderSecretPath(folder)} is not in use. Delete it, unless a backup from before needs it.`),
    };
  }
  return {
    name,
    ...(secret.length < secretLengthLeast
      ? warning(
          `PLUMB_SECRET is short. Set one of at least ${secretLengthLeast} characters, see \`plumb secret rotate\`.`,
        )
      : ok('PLUMB_SECRET')),
  };
}

/** Anyone who copies the folder copies the key along with what it encrypts. */
const folderSecretDiagnosis = (folder: string) =>
  existsSync(folderSecretPath(folder))
    ? warning(
        `It lies in the data folder (${folderSecretPath(folder)}), beside what is encrypted with it. Set PLUMB_SECRET to what the file holds, and delete the file.`,
      )
    : ok('none is needed yet');

const encryptedTexts = ({
  name,
  secrets,
  webhook_secret,
}: SourceRow): { readonly what: string; readonly text: string }[] => [
  ...(secrets === null ? [] : [{ what: name, text: secrets }]),
  ...(webhook_secret === null ? [] : [{ what: `${name} (webhook_secret)`, text: webhook_secret }]),
];

async function examineSources(store: Store): Promise<Diagnosis> {
  const name = 'sources';
  let count = 0;
  const lines: string[] = [];
  for (const organisation of await store.read(listOrganisations)) {
    const sources = await store.read((session) => sourceHealth(session, organisation.id));
    count += sources.length;
    const errors = sources.flatMap(findingsOf);
    if (errors.length > 0) lines.push(`${organisation.name}: ${shown(errors)}.`);
  }
  return { name, ...(lines.length > 0 ? warning(lines.join(' ')) : ok(`${count}, all read without an error`)) };
}

/** What to know about a source. Streams that failed for the same reason, such as a revoked token, are one finding. */
function findingsOf({ name, last_error, no_longer_listed, streams }: SourceHealth): string[] {
  const byReason = new Map<string, StreamHealth[]>();
  for (const stream of streams) {
    if (stream.last_error) addToList(byReason, sentence(stream.last_error), stream);
  }
  return [
    ...(last_error ? [`${name}: ${sentence(last_error)}`] : []),
    ...[...byReason].map(([reason, failed]) => `${name}, ${namesOf(failed)}: ${reason}. ${lastSuccess(failed)}`),
    ...(no_longer_listed.length > 0
      ? [
          `${name} no longer finds ${listed(no_longer_listed)}: deleted, archived, transferred, left out by its settings, or not for its token to see. What was read stays`,
        ]
      : []),
  ];
}

const namesOf = (streams: readonly StreamHealth[]): string =>
  listed(streams.map(({ stream, scope }) => (scope === '' ? stream : `${stream} of ${scope}`)));

/** Of several, the one that has waited longest. */
function lastSuccess(streams: readonly StreamHealth[]): string {
  const times = streams.flatMap(({ last_success_at }) => last_success_at ?? []);
  const [longestAgo] = times.toSorted();
  if (longestAgo === undefined || times.length < streams.length) return 'Last success: never';
  return `Last success: ${longestAgo}${streams.length > 1 ? ' or later' : ''}`;
}

const listedMost = 5;

const listed = (names: readonly string[]): string =>
  names.length <= listedMost
    ? names.join(', ')
    : `${names.slice(0, listedMost).join(', ')} and ${names.length - listedMost} more`;

/** Without the full stop, which the caller adds when it joins sentences. */
const sentence = ({ message, to_do }: { readonly message: string; readonly to_do: string | null }): string =>
  [message, to_do ?? '']
    .map((text) => text.replace(/\.$/, ''))
    .filter((text) => text !== '')
    .join('. ');
