import type { IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type Diagnosis, ok, warning } from './diagnosis.ts';

/** Something in the records of an organisation that somebody should look at. What to look for is for others to say. */
export interface RecordCheck {
  readonly name: string;
  /** What a list of findings is about, and what to do about it, in a sentence. */
  readonly advice: string;
  /** Each finding in a few words, the most important first. */
  readonly look: (reader: TableReader) => Promise<readonly string[]>;
}

export interface CheckedRecords {
  readonly organisations: readonly { readonly id: string; readonly name: string }[];
  readonly checks: readonly RecordCheck[];
}

/** Findings of one organisation that are written out. */
const shownMost = 50;

export async function examineRecords(
  warehouse: Pick<IntakePort, 'holds' | 'read'>,
  { organisations, checks }: CheckedRecords,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  for (const { name, advice, look } of checks) {
    const lines: string[] = [];
    for (const organisation of organisations) {
      if (!warehouse.holds(organisation.id)) continue;
      try {
        const found = await warehouse.read(organisation.id, look, { lane: 'heavy' });
        if (found.length > 0) lines.push(`${organisation.name}: ${shown(found)}.`);
      } catch {
        lines.push(`${organisation.name}: its tables cannot be read, see \`plumb verify\`.`);
      }
    }
    diagnoses.push(lines.length === 0 ? nothingFound(name) : { name, ...warning(`${advice} ${lines.join(' ')}`) });
  }
  return diagnoses;
}

export const nothingFound = (name: string): Diagnosis => ({ name, ...ok('none') });

function shown(found: readonly string[]): string {
  const more = found.length - shownMost;
  return `${found.slice(0, shownMost).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
