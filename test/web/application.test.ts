import { afterAll, beforeAll, describe } from 'vitest';
import { describeWithChromium } from '../setup/chromium.ts';
import { addresses } from './addresses.ts';
import { everyPage, looksOfOthers, looksOfOwner } from './every-page.ts';
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
  });
  afterAll(() => served?.close());

  // Two readers side by side: while one waits for an answer or a drawing, the other has the processor.
  describe.concurrent('one reader', () => {
    describe.sequential('every page as Owner', () => everyPage(pages, looksOfOwner));
    describe.sequential('states', () => states(pages));
  });
  describe.concurrent('another reader', () => {
    describe.sequential('every page as anybody else', () => everyPage(pages, looksOfOthers));
    describe.sequential('addresses', () => addresses(pages));
    describe.sequential('journeys', () => journeys(pages));
    describe.sequential('secrecy', () => secrecy(pages));
  });
});
