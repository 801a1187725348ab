import type { Standing } from './seats.ts';
import type { SeededRandom } from './seeded-random.ts';

/** The day the demo directory was written down. A constant, so that the same seed gives the same people for ever. */
export const directoryDay = '2026-01-01';

const dayMilliseconds = 86_400_000;
const daysSinceEpoch = (date: string) => Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMilliseconds);

/** A first working day: a Monday from the founding up to the day the directory was written. */
export function drawJoiningDate(founded: string, standing: Standing, random: SeededRandom): string {
  if (standing === 'top') return founded;
  const first = daysSinceEpoch(founded);
  const age = daysSinceEpoch(directoryDay) - first;
  const day = first + Math.floor((1 - shareOfAge(standing, random)) * age);
  // The first day of 1970 was a Thursday. Rounding down to a Monday stays inside, as the founding is one itself.
  const monday = day - ((day + 3) % 7);
  return new Date(monday * dayMilliseconds).toISOString().slice(0, 10);
}

/** How long ago someone came, as a share of the organisation's age. Growing organisations hired most people lately. */
function shareOfAge(standing: Standing, random: SeededRandom): number {
  switch (standing) {
    case 'member':
    case 'outsider':
      return random.next() ** 2;
    case 'leaver':
      return random.between(0.25, 1);
    default:
      return random.between(0.1, 1);
  }
}
