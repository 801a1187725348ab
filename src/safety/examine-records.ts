import type { Store } from '../store/store.ts';
import type { IntakePort, TableReader } from '../warehouse/intake-port.ts';
import { type CountedExamples, type Diagnosis, type OrganisationFindings, ok, warning } from './diagnosis.ts';
import { type DoctorScope, diagnoseFindings } from './finding.ts';

/** Something in the records of an organisation that somebody should look at. What to look for is for others to say. */
export interface RecordCheck {
  readonly name: string;
  /** A sentence about a list of findings, and what to do about them. */
  readonly advice: string;
  /** The word for one finding, and for several. */
  readonly things: readonly [string, string];
  /** The findings are worth knowing, and nothing to put right. */
  readonly isNotice?: true;
  readonly look: (reader: TableReader, options: LookOptions) => Promise<CountedExamples>;
}

export interface LookOptions {
  readonly organisationId: string;
  /** The meaning of records depends on how far the sources of the organisation were read, which the store knows. */
  readonly store: Store;
  readonly now: Date;
  readonly maxExamples: number;
}

type ExaminedOrganisations = Pick<DoctorScope, 'organisations'> & Omit<LookOptions, 'organisationId'>;

export async function examineRecords(
  warehouse: Pick<IntakePort, 'holds' | 'read'>,
  checks: readonly RecordCheck[],
  { organisations, ...options }: ExaminedOrganisations,
): Promise<Diagnosis[]> {
  const diagnoses: Diagnosis[] = [];
  for (const { look, isNotice, ...check } of checks) {
    const findings: OrganisationFindings[] = [];
    for (const { id, name: organisation } of organisations) {
      if (!warehouse.holds(id)) continue;
      try {
        const lookAt = (reader: TableReader) => look(reader, { organisationId: id, ...options });
        const found = await warehouse.read(id, lookAt, { lane: 'heavy' });
        if (found.count > 0) findings.push({ organisation, ...found });
      } catch {
        findings.push({ organisation, ...unreadable });
      }
    }
    diagnoses.push(diagnoseFindings({ ...check, judge: isNotice ? ok : warning }, findings));
  }
  return diagnoses;
}

const unreadable: CountedExamples = { count: 0, examples: ['its tables cannot be read, see `plumb verify`'], more: 0 };

export const nothingFound = (name: string): Diagnosis => ({ name, ...ok('none') });
