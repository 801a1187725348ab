import { afterAll, beforeAll, describe } from 'vitest';
import { describeWithChromium } from '../setup/chromium.ts';
import { everyPage, everything } from './every-page.ts';
import { type ServedPages, servePages } from './served-pages.ts';

/** Every page with every role, theme and width. */
describeWithChromium('all looks of the pages', () => {
  let served: ServedPages | undefined;
  const pages = (): ServedPages => {
    if (!served) throw new Error('The pages are not served.');
    return served;
  };
  beforeAll(async () => {
    served = await servePages();
  }, 300_000);
  afterAll(() => served?.close());

  // Two readers side by side: while one waits for an answer or a drawing, the other has the processor.
  describe.concurrent.each([
    ['Owner', 'Manager'],
    ['Squad Lead', 'Engineer'],
  ])('%s and %s', (...roles) => {
    describe.sequential('every page', () =>
      everyPage(
        pages,
        everything.filter(({ role }) => roles.includes(role)),
      ));
  });
});
