import { damagedFileParts } from '../../store/open.ts';
import { Findings, type HealthFinding } from '../finding.ts';

/**
 * Compares every part of an embedded engine's file with its checksum. The file must not be open. `what` names it in the
 * findings: "the store file".
 */
export async function damagedBlocks(path: string, what: string): Promise<HealthFinding[]> {
  const findings = new Findings();
  for await (const { part, at } of damagedFileParts(path)) {
    const problem =
      part === 'start' ? `${what} does not begin like one` : `a ${part} of ${what} does not match its checksum`;
    findings.add('file', problem, `byte ${at}`);
  }
  return findings.all();
}
