import type { IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type Diagnosis, ok, warning } from './diagnosis.ts';

/** Something in the records of an organisation that somebody should look at. What to look for is for others to say. */
export interface RecordCheck {
  readonly name: string;
  /** What a list of findings is about, and what to do about it, in a sentence. */
  readonly advice: string;
  /** What it finds is worth knowing, and nothing to put right. */
  readonly isNotice?: true;
  /** Each finding in a few words, the most important first. */
  readonly look: (reader: TableReader, now: Date) => Promise<readonly string[]>;
}

interface CheckedRecords {
  readonly organisations: readonly { readonly id: string; readonly name: string }[];
  readonly checks: readonly RecordCheck[];
  readonly now: Date;
}

/** Findings of one organisation that are written out. */
const shownMost = 50;

export async function examineRecords(
  warehouse: Pick<IntakePort, 'holds' | 'read'>,
  { organisations, checks, now }: CheckedRecords,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  for (const { name, advice, look, isNotice } of checks) {
    const lines: string[] = [];
    for (const organisation of organisations) {
      if (!warehouse.holds(organisation.id)) continue;
      try {
        const found = await warehouse.read(organisation.id, (reader) => look(reader, now), { lane: 'heavy' });
        if (found.length > 0) lines.push(`${organisation.name}: ${shown(found)}.`);
      } catch {
        lines.push(`${organisation.name}: its tables cannot be read, see \`plumb verify\`.`);
      }
    }
    const judge = isNotice ? ok : warning;
    diagnoses.push(lines.length === 0 ? nothingFound(name) : { name, ...judge(`${advice} ${lines.join(' ')}`) });
  }
  return diagnoses;
}

export const nothingFound = (name: string): Diagnosis => ({ name, ...ok('none') });

/** Findings of one organisation in one line. */
export function shown(found: readonly string[]): string {
  const more = found.length - shownMost;
  return `${found.slice(0, shownMost).join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}
