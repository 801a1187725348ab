import type { Diagnosis, OrganisationFindings } from '../safety/diagnosis.ts';
import type { StoreCheck } from '../safety/doctor.ts';
import { countFound, type DoctorScope, diagnoseFindings } from '../safety/finding.ts';
import { listTroubledMessages, type TroubledMessage, troubledDays } from '../store/message-rows.ts';
import type { Store } from '../store/store.ts';

/** The check of the doctor about messages: those that failed lately, and those that are tried again and again. */
export const messageChecks: readonly StoreCheck[] = [examineMessages];

/** Nothing is said where nothing is wrong: most installations send nothing. */
async function examineMessages(
  store: Store,
  { organisations, maxExamples }: DoctorScope,
): Promise<readonly Diagnosis[]> {
  const since = new Date(Date.now() - troubledDays * 24 * 3_600_000);
  const findings: OrganisationFindings[] = [];
  for (const { id, name: organisation } of organisations) {
    const troubled = await store.read((session) => listTroubledMessages(session, id, since));
    if (troubled.length > 0) findings.push({ organisation, ...countFound(troubled, maxExamples, inWords) });
  }
  if (findings.length === 0) return [];
  return [
    diagnoseFindings(
      {
        name: 'messages',
        advice: `These could not be sent in the last ${troubledDays} days, or are tried again. What came back stands behind each: look at the address, or at PLUMB_SMTP_URL for email.`,
        things: ['receiver', 'receivers'],
      },
      findings,
    ),
  ];
}

const inWords = ({ about_kind, about_slug, medium, failed, retried, last_status }: TroubledMessage): string => {
  const counts = [
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(retried > 0 ? [`${retried} ${retried === 1 ? 'waits' : 'wait'} for another try`] : []),
  ];
  return `${about_kind} '${about_slug}' by ${medium}: ${counts.join(', ')} (${last_status})`;
};
