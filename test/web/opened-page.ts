import type { BrowserContext, Page } from 'playwright-core';
import { awaitUntil } from './await-until.ts';
import { listenForUnwanted } from './page-words.ts';

export interface PageLook {
  readonly width?: number;
  readonly theme?: 'light' | 'dark';
}

/** A page in the browser, with all that it asked for and complained about since it was opened. */
export interface OpenedPage {
  readonly page: Page;
  readonly asked: readonly string[];
  readonly complaints: readonly string[];
  /** What the window has said that no page says, since it was opened. */
  readonly unwanted: () => readonly string[];
  /** Waits until nothing is on its way any more. */
  settled(): Promise<void>;
  /** Follows a link of the navigation, as a reader does: nothing is loaded again. */
  walkTo(path: string): Promise<void>;
  /**
   * Shows another address in the same window, loaded again or as a link of the application does, with what is asked and
   * complained about from then on. A new window takes a browser with all its parts longer than most pages do.
   */
  show(address: string, look: Required<PageLook>, way: 'loaded' | 'walked'): Promise<void>;
  /** Shows what is there in another width and theme. */
  turn(look: Required<PageLook>): Promise<void>;
}

/** What Chromium itself says of an answer that the reader may not have; the page has words of its own for it. */
const isRefusal = /^Failed to load resource: the server responded with a status of 403/;

/** Windows that tests have left, by whose they are. */
const idle = new WeakMap<BrowserContext, OpenedPage[]>();
const openedIn = new WeakMap<Page, OpenedPage>();

/**
 * Opens an address, and waits until everything that it asks for is there and drawn. It is loaded in a window that another
 * test has left, where there is one: a new window is a new process.
 */
export async function openPage(
  context: BrowserContext,
  address: string,
  { width = 1280, theme = 'light' }: PageLook = {},
): Promise<OpenedPage> {
  const opened = idle.get(context)?.pop() ?? (await openWindow(context));
  try {
    await opened.show(address, { width, theme }, 'loaded');
  } catch (error) {
    await opened.page.close();
    throw error;
  }
  return opened;
}

/** Leaves a window to the next test. One that a test has failed in is not left, and so never used again. */
export async function leave(page: Page): Promise<void> {
  const opened = openedIn.get(page);
  if (!opened) throw new Error('Only what openPage has opened can be left.');
  if (opened.unwanted().length > 0) throw new Error(opened.unwanted().join('\n'));
  await page.unrouteAll();
  const context = page.context();
  idle.set(context, [...(idle.get(context) ?? []), opened]);
}

async function openWindow(context: BrowserContext): Promise<OpenedPage> {
  const page = await context.newPage();
  const unwanted = await listenForUnwanted(page);
  const [asked, complaints, underway]: [string[], string[], Set<object>] = [[], [], new Set()];
  let begun = 0;
  let onQuiet = () => {};
  page.on('request', (request) => {
    asked.push(request.url());
    // News of the service come as long as the page is open.
    if (request.url().includes('/app/events')) return;
    underway.add(request);
    begun += 1;
  });
  const end = (request: object) => {
    underway.delete(request);
    if (underway.size === 0) onQuiet();
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !isRefusal.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  /** Until nothing is asked for, or for a second: what is still on its way is named then. */
  const quiet = async () => {
    if (underway.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      onQuiet = resolve;
      timer = setTimeout(resolve, 1_000);
    });
    clearTimeout(timer);
  };
  const settled = () =>
    awaitUntil(async () => {
      await quiet();
      const before = begun;
      const missing = underway.size > 0 ? [] : ((await page.evaluate(whatIsUnderway)) as string[]);
      if (underway.size === 0 && begun === before && missing.length === 0) return;
      // What is drawn may have asked for more.
      throw new Error(`${page.url()} is not complete: ${[...missing, ...[...underway].map(String)].join(', ')}`);
    });
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
  const walkTo = async (path: string) => {
    const link = page.locator(`.navigation a[href="${path}"], .navigation a[href^="${path}?"]`);
    await link.click();
    await page.waitForURL((address) => address.pathname === path);
    await settled();
  };
  const turn: OpenedPage['turn'] = async (look) => {
    await lookLike(look);
    await settled();
  };
  const opened = { page, asked, complaints, unwanted, settled, walkTo, show, turn };
  openedIn.set(page, opened);
  return opened;
}

/**
 * Runs in the browser, as text: what is not there yet, of what has not come within a second. `main` is busy as long as an
 * answer is awaited or unread. Nothing is missing where two looks find nothing: what has just arrived is drawn in between.
 */
const whatIsUnderway = `(async () => {
  const missing = () => {
    const waiting = [...document.querySelectorAll('[aria-busy="true"], .skeleton, .is-old')]
      .map((one) => one.outerHTML.slice(0, 200));
    const undrawn = [...document.querySelectorAll('.chart-canvas')].filter((host) => !host.querySelector('canvas'));
    if (!document.querySelector('h1')) waiting.push('no heading');
    return [...waiting, ...undrawn.map((host) => host.getAttribute('aria-label'))];
  };
  const until = performance.now() + 1_000;
  for (let whole = 0; whole < 2; ) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const found = missing();
    if (found.length > 0 && performance.now() > until) return found;
    whole = found.length === 0 ? whole + 1 : 0;
  }
  return [];
})()`;
