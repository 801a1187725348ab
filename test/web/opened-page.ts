import type { BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';
import { awaitUntil } from './await-until.ts';

export interface PageLook {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** A page in the browser, with all that it asked for and complained about since it was opened. */
export interface OpenedPage {
  readonly page: Page;
  readonly asked: readonly string[];
  readonly complaints: readonly string[];
  /** Waits until nothing is on its way any more. */
  settled(): Promise<void>;
  /** Follows a link of the navigation, as a reader does: nothing is loaded again. */
  walkTo(path: string): Promise<void>;
  /**
   * Shows another address in the same window, loaded again or as a link of the application does, with what is asked and
   * complained about from then on. A new window takes a browser with all its parts longer than most pages do.
   */
  show(address: string, look: Required<PageLook>, way: 'loaded' | 'walked'): Promise<void>;
}

/** What Chromium itself says of an answer that the reader may not have; the page has words of its own for it. */
const isRefusal = /^Failed to load resource: the server responded with a status of 403/;

/** Opens an address, and waits until everything that it asks for is there and drawn. */
export async function openPage(
  context: BrowserContext,
  address: string,
  { width = 1280, theme = 'light' }: PageLook = {},
): Promise<OpenedPage> {
  const page = await context.newPage();
  const [asked, complaints, underway]: [string[], string[], Set<object>] = [[], [], new Set()];
  page.on('request', (request) => {
    asked.push(request.url());
    // News of the service come as long as the page is open.
    if (!request.url().includes('/app/events')) underway.add(request);
  });
  page.on('requestfinished', (request) => underway.delete(request));
  page.on('requestfailed', (request) => underway.delete(request));
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !isRefusal.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  const look = async () => (underway.size > 0 ? [...underway].map(String) : await page.evaluate(whatIsUnderway));
  // Twice: what has just arrived is drawn in between, and what is drawn may ask for more.
  const settled = () =>
    awaitUntil(async () => expect([await look(), await look()].flat(), `${address} is complete`).toEqual([]));
  const lookLike = async (look: Required<PageLook>) => {
    await page.setViewportSize({ width: look.width, height: look.width < 768 ? 844 : 900 });
    await page.emulateMedia({ colorScheme: look.theme, reducedMotion: 'reduce' });
  };
  const show: OpenedPage['show'] = async (another, look, way) => {
    [asked.length, complaints.length] = [0, 0];
    await lookLike(look);
    if (way === 'loaded') await page.goto(another);
    else await page.evaluate(`history.pushState(null, '', ${JSON.stringify(another)})`);
    await settled();
  };
  try {
    await lookLike({ width, theme });
    await page.goto(address);
    await settled();
  } catch (error) {
    await page.close();
    throw error;
  }
  const walkTo = async (path: string) => {
    const link = page.locator(`.navigation a[href="${path}"], .navigation a[href^="${path}?"]`);
    await link.click();
    await page.waitForURL((address) => address.pathname === path);
    await settled();
  };
  return { page, asked, complaints, settled, walkTo, show };
}

/** Runs in the browser, as text: what is not there yet. `main` is busy as long as an answer is awaited or unread. */
const whatIsUnderway = `(async () => {
  await new Promise((resolve) => setTimeout(resolve, 10));
  const waiting = [...document.querySelectorAll('[aria-busy="true"], .skeleton, .is-old')]
    .map((one) => one.outerHTML.slice(0, 200));
  const undrawn = [...document.querySelectorAll('.chart-canvas')].filter((host) => !host.querySelector('canvas'));
  if (!document.querySelector('h1')) waiting.push('no heading');
  return [...waiting, ...undrawn.map((host) => host.getAttribute('aria-label'))];
})()`;
