import type { LoginSource } from './blueprint.ts';
import type { Name } from './names/name.ts';
import type { SeededRandom } from './seeded-random.ts';

/** GitHub's limit is 39; two digits and a suffix must still fit. */
const handleLengthMax = 30;
const pastimes = ['builds', 'codes', 'dev', 'makes', 'ships', 'tinkers'] as const;

/** What people call themselves where code is kept: letters, digits and single hyphens, since GitHub takes no others. */
export function handles({ given, family }: Name, random: SeededRandom): readonly string[] {
  const year = String(random.integer(70, 103) % 100).padStart(2, '0');
  const pastime = `${given}-${random.pick(pastimes)}`;
  const single = [given, `${given}${year}`, pastime];
  const double = [
    `${given}-${family}`,
    `${given}${family}`,
    `${given.charAt(0)}${family}`,
    `${given}${family.charAt(0)}`,
    `${capitalised(given)}${capitalised(family)}`,
    `${family}-${given}`,
    `${given}${year}`,
    pastime,
  ];
  return random
    .sample(family === '' ? single : double, 3)
    .map((handle) => handle.slice(0, handleLengthMax).replace(/-+$/, ''));
}

/** Trackers hand out names after the person; chat hands out identifiers that say nothing. */
export function workplaceLogins(source: LoginSource, { given, family }: Name, random: SeededRandom): readonly string[] {
  if (source !== 'slack') return [family === '' ? given : `${given}.${family}`];
  return [`U0${Array.from({ length: 9 }, () => random.pick(slackLetters)).join('')}`];
}

const slackLetters = [...'0123456789ABCDEFGHJKLMNPQRSTUVWXYZ'];

export function capitalised(plain: string): string {
  return plain.replace(/(^|-)([a-z])/g, (_, hyphen: string, letter: string) => `${hyphen}${letter.toUpperCase()}`);
}
