import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journeys, placeOfJourney } from '../../scripts/journeys.mjs';

const root = join(import.meta.dirname, '..', '..');

test.each(journeys)('The test of the journey $journey exists', (journey) => {
  expect(existsSync(join(root, journey.file))).toBe(true);
  expect(placeOfJourney(root, journey)).toMatch(journey.test === undefined ? /\.test\.ts$/ : /\.test\.ts:\d+$/);
});

test('A test that is called differently now is said to be missing', () => {
  const journey = { journey: 'ask', file: 'test/scripts/journeys.test.ts', test: 'another name' };
  expect(() => placeOfJourney(root, journey)).toThrow("has no test 'another name'");
});
