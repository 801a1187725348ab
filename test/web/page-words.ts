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
 * Runs in the browser, as text: every text that can be read or is read out. Marks of records (`data-record`), code and
 * fields that people fill in are left out, and so is what is hidden.
 */
const visibleTexts = `(() => {
  const apart = 'pre, code, kbd, textarea, script, style, noscript, [data-record], [data-record] *';
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
