import { idHostKey } from '../sources/first-names.ts';
import { type SourceKind, SourceProblem } from '../sources/source.ts';
import { type SettingTexts, settingValues } from '../sources/source-settings.ts';
import { findCursor, noteCursor } from '../store/cursors.ts';
import { listSources } from '../store/source-rows.ts';
import type { OrganisationWriting } from '../store/store.ts';
import { plainSettings } from './stored-settings.ts';

interface AddedCodeHost {
  readonly kind: SourceKind;
  readonly texts: SettingTexts;
  readonly addedBy: string;
}

interface KnownKinds {
  readonly kinds: readonly SourceKind[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly now: () => Date;
}

/**
 * Decides whether ids of a code host that is being added hold the host: they do where a source of another host of that
 * kind is there already, since both may have a repository of one name. Once decided, it stays with the host.
 */
export async function decideIdHost(
  session: OrganisationWriting,
  { kinds, environment, now }: KnownKinds,
  { kind, texts, addedBy }: AddedCodeHost,
): Promise<void> {
  const host = hostOf(kind, texts, addedBy === 'command' ? environment : undefined);
  if (!kind.isCodeHost || host === undefined) return;
  const { organisationId } = session;
  const key = idHostKey(host);
  if ((await findCursor(session, organisationId, kind.kind, key)) !== undefined) return;
  const hosts = (await listSources(session, organisationId)).flatMap((row) => {
    const known = kinds.find((each) => each.kind === row.kind);
    if (!known?.isCodeHost || known.accounts !== kind.accounts) return [];
    return [hostOf(known, plainSettings(row), row.added_by === 'command' ? environment : undefined)];
  });
  const isFirst = hosts.length === 0 || hosts.includes(host);
  await noteCursor(session, organisationId, kind.kind, key, JSON.stringify(!isFirst), now());
}

/** The host that settings lead to; undefined for a kind without one, and where it cannot be known now. */
function hostOf(
  { settings }: SourceKind,
  texts: SettingTexts,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): string | undefined {
  try {
    const { base_url } = settingValues(
      settings.filter(({ name }) => name === 'base_url'),
      texts,
      environment,
    );
    return typeof base_url === 'string' ? new URL(base_url).host : undefined;
  } catch (error) {
    if (error instanceof SourceProblem) return undefined;
    throw error;
  }
}
