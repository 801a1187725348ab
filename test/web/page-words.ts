import type { Page } from 'playwright-core';
import { oldPhrases } from '../words/voice-rules.ts';

/**
 * Names of the interface in place of words, values of a program, and old phrases. Texts of the source are held to all rules of
 * voice; a page also shows what people have written elsewhere.
 */
const unwanted: readonly RegExp[] = [
  /_/,
  /\b\d{4}-\d{2}-\d{2}\b/,
  /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i,
  /\bundefined\b|\bNaN\b|\[object /,
  /\bsome ?body\b|\bdata are\b/i,
  ...oldPhrases,
];

interface VisibleText {
  readonly text: string;
  readonly where: string;
}

/** The visible texts of a page that say what no page says. Code, API requests and texts of records are apart. */
export async function unwantedWords(page: Page): Promise<string[]> {
  const texts = (await page.evaluate(visibleTexts)) as VisibleText[];
  if (texts.length < 10) return [`says no more than ${JSON.stringify(texts)}`];
  return [...new Set(texts.flatMap(({ text, where }) => unwantedIn(text).map((word) => `says ${word} in ${where}`)))];
}

/** What a text says that no page says, with the words around it. */
export function unwantedIn(text: string): string[] {
  return unwanted.flatMap((form) => {
    const found = form.exec(text);
    return found ? [`“${text.slice(Math.max(0, found.index - 30), found.index + 40)}”`] : [];
  });
}

/**
 * Listens to everything that a window ever says, in menus, panels, notes and states that come and go as well, whether it is on
 * the screen, on paper or read out. Answers what no page says, as often as it is asked.
 */
export async function listenForUnwanted(page: Page): Promise<() => readonly string[]> {
  const heard = new Set<string>();
  const forms = unwanted.map(({ source, flags }) => [source, flags]);
  await page.exposeFunction('plumbHeard', (path: string, text: string) => {
    for (const words of unwantedIn(text)) heard.add(`${path} says ${words}`);
  });
  await page.addInitScript(`(${listening})(${JSON.stringify(forms)}, ${JSON.stringify(apart)})`);
  return () => [...heard];
}

/** Code, keys, what people fill in, and marks of records. */
const apart = 'pre, code, kbd, textarea, script, style, noscript, [data-record], [data-record] *';

/** Runs in the browser before the page, as text. Pages about the interface use its names. */
const listening = `((forms, apart) => {
  const unwanted = forms.map(([source, flags]) => new RegExp(source, flags));
  const names = ['aria-label', 'title', 'placeholder', 'alt'];
  const known = new Set();
  const hear = (text, one) => {
    if (!text || known.has(text) || location.pathname.startsWith('/docs') || !one) return;
    if (one.matches(apart) || one.closest('pre, code')) return;
    known.add(text);
    if (unwanted.some((form) => form.test(text))) plumbHeard(location.pathname, text.replace(/\\s+/g, ' ').trim());
  };
  const hearAll = (node) => {
    if (node.nodeType === 3) return hear(node.data, node.parentElement);
    if (node.nodeType !== 1) return;
    for (const one of [node, ...node.querySelectorAll('*')]) {
      for (const name of names) hear(one.getAttribute(name), one);
      for (const child of one.childNodes) if (child.nodeType === 3) hear(child.data, one);
    }
  };
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === 'childList') addedNodes.forEach(hearAll);
      else if (type === 'characterData') hearAll(target);
      else hear(target.getAttribute(attributeName), target);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: names });
})`;

/**
 * Opens every menu of a page and shuts it again, so that what it says is heard. Those of the frame are the same everywhere, and
 * ask for what they offer.
 */
export async function openEveryMenu(page: Page, within: 'body' | 'main'): Promise<number> {
  const menus = page.locator(`${within} [aria-haspopup="dialog"]`).filter({ visible: true });
  const triggers = within === 'main' ? menus.and(page.locator(':not(.filter-bar *, .top-bar *)')) : menus;
  const count = await triggers.count();
  for (let at = 0; at < count; at += 1) {
    await triggers.nth(at).evaluate((one) => (one as unknown as { click(): void }).click());
    await page.keyboard.press('Escape');
  }
  return count;
}

/**
 * Runs in the browser, as text: every text that can be read or is read out. Marks of records (`data-record`), code and
 * fields that people fill in are left out, and so is what is hidden.
 */
const visibleTexts = `(() => {
  const apart = ${JSON.stringify(apart)};
  const texts = [];
  const add = (text, one) => {
    const trimmed = text.replace(/\\s+/g, ' ').trim();
    if (trimmed !== '' && !one.matches(apart) && !one.closest('pre, code'))
      texts.push({ text: trimmed, where: one.tagName.toLowerCase() + (one.className ? '.' + String(one.className.baseVal ?? one.className) : '') });
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.checkVisibility?.() ?? true) add(node.data, node.parentElement);
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
    for (const one of document.querySelectorAll('[' + name + ']')) add(one.getAttribute(name), one);
  texts.push({ text: document.title, where: 'the title' });
  return texts;
})()`;
