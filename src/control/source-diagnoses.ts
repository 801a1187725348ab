import { existsSync } from 'node:fs';
import { disputedLinks, peopleWhoLeft } from '../data-quality/gaps.ts';
import { type SourceHealth, type StreamHealth, sourceHealth } from '../data-quality/source-health.ts';
import { addToList } from '../lists-by-key.ts';
import {
  type CountedExamples,
  type Diagnosis,
  type OrganisationFindings,
  ok,
  problem,
  warning,
} from '../safety/diagnosis.ts';
import type { StoreCheck } from '../safety/doctor.ts';
import { countFound, type DoctorScope, diagnoseFindings } from '../safety/finding.ts';
import { folderSecretPath } from '../secrets/folder-secret.ts';
import { type SecretSettings, Secrets } from '../secrets/secrets.ts';
import { listEncryptedTexts } from '../store/encrypted-texts.ts';
import { type ListedAccount, listAccounts } from '../store/source-people-rows.ts';
import { listSources, type SourceRow } from '../store/source-rows.ts';
import type { Store } from '../store/store.ts';

/** The checks of the doctor about sources, the people whom they bring, and the secret that encrypts tokens. */
export function sourceChecks(settings: SecretSettings): readonly StoreCheck[] {
  return [
    async (store, scope) => [await examineSecret(store, settings, scope)],
    async (store, scope) => [await examineSources(store, scope)],
    examineMembers,
  ];
}

const minSecretLength = 16;

async function examineSecret(
  store: Store,
  settings: SecretSettings,
  { organisations, isOfOne, maxExamples }: DoctorScope,
): Promise<Diagnosis> {
  const { folder, secret, secretOld } = settings;
  const name = 'secret';
  const secrets = new Secrets(settings);
  const findings: OrganisationFindings[] = [];
  let isAllCurrent = true;
  for (const { id, name: organisation } of organisations) {
    const [sources, others] = await store.read(async (session) => [
      await listSources(session, id),
      await listEncryptedTexts(session, id),
    ]);
    const locked: string[] = [];
    for (const { what, text } of [...sources.flatMap(encryptedTexts), ...others]) {
      if (!(await secrets.isReadable(text))) locked.push(what);
      else if (!(await secrets.isCurrent(text))) isAllCurrent = false;
    }
    if (locked.length > 0) findings.push({ organisation, ...countFound(locked, maxExamples, (what) => what) });
  }
  if (findings.length > 0 || isOfOne) {
    return diagnoseFindings(
      {
        name,
        advice:
          'These secrets were encrypted with another PLUMB_SECRET. Nothing is lost: start with that one, or with that one as PLUMB_SECRET_OLD, or give them again: those of a source with `plumb source set`, and those of an alert or a digest by saving it with its whole addresses.',
        things: ['secret that cannot be read', 'secrets that cannot be read'],
        well: 'those of its sources can be read',
        judge: problem,
      },
      findings,
    );
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
    ...(secret.length < minSecretLength
      ? warning(
          `PLUMB_SECRET is short. Set one of at least ${minSecretLength} characters, see \`plumb secret rotate\`.`,
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

async function examineSources(store: Store, { organisations, maxExamples }: DoctorScope): Promise<Diagnosis> {
  let count = 0;
  const findings: OrganisationFindings[] = [];
  for (const { id, name: organisation } of organisations) {
    const sources = await store.read((session) => sourceHealth(session, id));
    count += sources.length;
    const found = countFound(sources.flatMap(findingsOf), maxExamples, (finding) => finding);
    if (found.count > 0) findings.push({ organisation, ...found });
  }
  const well = `${count.toLocaleString('en')}, all read without an error`;
  return diagnoseFindings({ name: 'sources', advice: '', things: ['finding', 'findings'], well }, findings);
}

/** The findings about a source. Streams that failed for the same reason, such as a revoked token, are one finding. */
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

/** Of several such streams, the one that has waited longest. */
function lastSuccess(streams: readonly StreamHealth[]): string {
  const times = streams.flatMap(({ last_success_at }) => last_success_at ?? []);
  const [longestAgo] = times.toSorted();
  if (longestAgo === undefined || times.length < streams.length) return 'Last success: never';
  return `Last success: ${longestAgo}${streams.length > 1 ? ' or later' : ''}`;
}

const maxListed = 5;

const listed = (names: readonly string[]): string =>
  names.length <= maxListed
    ? names.join(', ')
    : `${names.slice(0, maxListed).join(', ')} and ${names.length - maxListed} more`;

/** Without the full stop, which the caller adds when it joins sentences. */
const sentence = ({ message, to_do }: { readonly message: string; readonly to_do: string | null }): string =>
  [message, to_do ?? '']
    .map((text) => text.replace(/\.$/, ''))
    .filter((text) => text !== '')
    .join('. ');

interface MemberCheck {
  readonly name: string;
  readonly advice: string;
  readonly things: readonly [string, string];
  look(accounts: readonly ListedAccount[], maxExamples: number): CountedExamples;
}

const checks: readonly MemberCheck[] = [
  {
    name: 'people who left',
    advice:
      'No code host lists them any more, and they are still in metrics. Exclude those who have left, or set offboard_leavers of the source.',
    things: ['person', 'people'],
    look: (accounts, maxExamples) => {
      const { people: count, latest } = peopleWhoLeft(accounts, maxExamples);
      const examples = latest.map(({ name, left_at }) => `${name} (${left_at.slice(0, 10)})`);
      return { count, examples, more: count - examples.length };
    },
  },
  {
    name: 'disputed links',
    advice:
      'The login of an account is one person’s and its verified email address another’s. Merge the two with `plumb person merge` if they are one.',
    things: ['account', 'accounts'],
    look: (accounts, maxExamples) =>
      countFound(
        disputedLinks(accounts, Number.POSITIVE_INFINITY),
        maxExamples,
        ({ login, linked_to, email_belongs_to }) => `${login} (${linked_to}, ${email_belongs_to})`,
      ),
  },
];

/** The checks of the doctor about members of code hosts. The accounts of one organisation are in memory at a time. */
export async function examineMembers(
  store: Store,
  { organisations, maxExamples }: Pick<DoctorScope, 'organisations' | 'maxExamples'>,
): Promise<Diagnosis[]> {
  const examined = checks.map((check) => ({ check, findings: [] as OrganisationFindings[] }));
  for (const { id, name: organisation } of organisations) {
    const accounts = await store.read((session) => listAccounts(session, id));
    for (const { check, findings } of examined) {
      const found = check.look(accounts, maxExamples);
      if (found.count > 0) findings.push({ organisation, ...found });
    }
  }
  return examined.map(({ check, findings }) => diagnoseFindings(check, findings));
}
