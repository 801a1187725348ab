import { afterAll, beforeAll, describe } from 'vitest';
import { describeWithChromium } from '../setup/chromium.ts';
import { addresses } from './addresses.ts';
import { everyPage, pairwise } from './every-page.ts';
import { journeys } from './journeys.ts';
import { secrecy } from './secrecy.ts';
import { type ServedPages, servePages } from './served-pages.ts';
import { states } from './states.ts';

/** One service and one Chromium for all of it: starting them takes longer than most of these tests. */
describeWithChromium('the pages', () => {
  let served: ServedPages | undefined;
  const pages = (): ServedPages => {
    if (!served) throw new Error('The pages are not served.');
    return served;
  };
  beforeAll(async () => {
    served = await servePages();
  }, 300_000);
  afterAll(() => served?.close());

  describe('every page', () => everyPage(pages, pairwise));
  describe('states', () => states(pages));
  describe('addresses', () => addresses(pages));
  describe('journeys', () => journeys(pages));
  describe('secrecy', () => secrecy(pages));
});
