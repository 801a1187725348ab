import { type Browser, chromium } from 'playwright-core';
import { describe, inject } from 'vitest';

const executablePath = inject('chromiumPath');

export const chromiumAvailable = executablePath !== null;

/** A `describe` whose tests are counted as skipped where there is no Chromium. */
export const describeWithChromium = describe.skipIf(!chromiumAvailable);

/** A Chromium that asks the network for nothing but what the page under test asks for. The caller closes it. */
export async function launchChromium(): Promise<Browser> {
  if (executablePath === null) throw new Error('There is no Chromium here: put this test under describeWithChromium.');
  return chromium.launch({
    executablePath,
    args: [
      // The sandbox refuses to work for root, which is who runs the tests in most containers.
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      // A page lives for seconds here: optimising its script takes longer than running it.
      '--js-flags=--no-opt,--no-maglev',
    ],
  });
}
