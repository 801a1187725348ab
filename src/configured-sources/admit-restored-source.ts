import { Refusal } from '../refusal.ts';
import { isEarlierFormat } from '../secrets/encryption.ts';
import { sourceKinds } from '../sources/kinds.ts';
import { isReference } from '../sources/setting-references.ts';
import type { SourceRow } from '../store/source-rows.ts';
import { refuseBaseAddress } from './base-address.ts';
import { plainSettings } from './stored-settings.ts';

/** Something of a source that did not come back. */
export interface LeftOutOfSource {
  readonly source: string;
  /** A setting; null where the whole source was left out. */
  readonly setting: string | null;
  readonly reason: string;
}

interface AdmittedSource {
  /** Undefined where the whole source is left out. */
  readonly row: SourceRow | undefined;
  readonly leftOut: readonly LeftOutOfSource[];
}

/**
 * A source out of a backup that somebody else may have written, as a page or the API could have made it: without what
 * names variables or files of this machine, and without addresses inside the company's network. What is left out is for
 * its Owner or the operator to give again.
 */
export async function asThroughApi(row: SourceRow, sourceHosts: readonly string[]): Promise<AdmittedSource> {
  const { name: source } = row;
  const kind = sourceKinds.find((known) => known.kind === row.kind);
  if (kind?.isLocal) {
    return { row: undefined, leftOut: [{ source, setting: null, reason: 'its kind reads files of this machine' }] };
  }
  const settings: Record<string, string> = { ...plainSettings(row) };
  const leftOut: LeftOutOfSource[] = [];
  let { secrets } = row;
  for (const [setting, text] of Object.entries(settings)) {
    const reason = isReference(text)
      ? 'it names a variable or a file of this machine'
      : await addressProblem(setting, text, sourceHosts);
    if (reason === undefined) continue;
    delete settings[setting];
    leftOut.push({ source, setting, reason });
  }
  if (secrets !== null && leftOut.some(({ setting }) => setting === 'base_url')) {
    leftOut.push({ source, setting: 'secrets', reason: 'they are for the address that is left out' });
    secrets = null;
  }
  if (secrets !== null && isEarlierFormat(secrets)) {
    leftOut.push({
      source,
      setting: 'secrets',
      reason: 'an earlier version encrypted them, without the address that they are for',
    });
    secrets = null;
  }
  return { row: { ...row, added_by: 'api', settings: JSON.stringify(settings), secrets }, leftOut };
}

async function addressProblem(
  setting: string,
  text: string,
  sourceHosts: readonly string[],
): Promise<string | undefined> {
  if (setting !== 'base_url') return undefined;
  if (!URL.canParse(text)) return 'it is no address';
  try {
    await refuseBaseAddress(text, { origin: 'api', sourceHosts });
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return 'it leads into a private network';
    throw error;
  }
}
