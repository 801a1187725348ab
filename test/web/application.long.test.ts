import { afterAll, beforeAll } from 'vitest';
import { describeWithChromium } from '../setup/chromium.ts';
import { everyPage, everything } from './every-page.ts';
import { type ServedPages, servePages } from './served-pages.ts';

/** Every page with every role, theme and width. */
describeWithChromium('all looks of the pages', () => {
  let served: ServedPages | undefined;
  beforeAll(async () => {
    served = await servePages();
  }, 300_000);
  afterAll(() => served?.close());

  everyPage(() => {
    if (!served) throw new Error('The pages are not served.');
    return served;
  }, everything);
});
