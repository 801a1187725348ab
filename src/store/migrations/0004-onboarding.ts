/**
 * How people came to be onboarded, whether their records call them bots, and whether an organisation onboards new
 * people automatically. Null in rows from before: see `onboardingOf` and `statedBot` in the directory.
 */
export const onboarding: readonly string[] = [
  'ALTER TABLE people ADD COLUMN called_bot boolean',
  'ALTER TABLE people ADD COLUMN onboarding text COLLATE "C"',
  'ALTER TABLE merges ADD COLUMN absorbed_onboarding text COLLATE "C"',
  'ALTER TABLE merges ADD COLUMN survivor_onboarding text COLLATE "C"',
  'ALTER TABLE organisations ADD COLUMN onboard_automatically boolean',
];
