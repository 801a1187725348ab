import type { Page } from 'playwright-core';

/** Runs in the browser, as text: presses a key, and answers how long it takes until all that it changes is painted. */
const pressed = (key: string): string => `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const isWaiting = () => document.querySelector('[aria-busy="true"], .skeleton, .is-old') !== null;
  const [address, began] = [location.href, performance.now()];
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ${JSON.stringify(key)}, bubbles: true }));
  // One frame for the request to leave or the known answer to be drawn, one after it to be on the screen.
  do {
    await frame();
    await frame();
  } while (isWaiting());
  if (location.href === address) throw new Error('the range did not change');
  return performance.now() - began;
})()`;

/** Milliseconds from a key that moves the range to the last figure and chart of it. */
export const paintedAfter = (page: Page, key: '[' | ']'): Promise<number> =>
  page.evaluate(pressed(key)) as Promise<number>;

/** Waits until a page is complete. */
export async function complete(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  // Not waitForFunction: it evaluates its text inside the page, which the Content-Security-Policy forbids.
  await page.evaluate(`(async () => {
    while (document.querySelector('[aria-busy="true"], .skeleton, .is-old')) await new Promise(requestAnimationFrame);
  })()`);
}
