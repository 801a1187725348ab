import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { isLong } from '../setup/how-long.ts';
import type { OpenedPage } from './opened-page.ts';
import { unwantedWords } from './page-words.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What is looked for of all that keeps somebody from using a page. */
export type Examined = 'everything' | 'contrast' | 'nothing';

/**
 * What is wrong with a page, whichever it is, in words. Pages about the interface use its names. Nothing is what every test wants. Whether everybody can use it
 * takes longer to find out than all the rest.
 */
export async function faultsOf(
  { page, asked, complaints }: OpenedPage,
  examined: Examined = 'everything',
  isOfInterface = false,
): Promise<string[]> {
  const { origin } = new URL(page.url());
  const foreign = asked.filter((url) => !url.startsWith(`${origin}/`) && !/^(data|blob):/.test(url));
  return [
    ...foreign.map((url) => `asked ${url}`),
    ...complaints.map((text) => `complained: ${text}`),
    ...((await page.evaluate(faultsOfDocument)) as string[]),
    ...(isOfInterface ? [] : await unwantedWords(page)),
    ...(examined === 'nothing' ? [] : await inaccessible(page, examined)),
  ];
}

/**
 * Runs in the browser, as text: what can be pressed and is smaller than 24 px, once for each kind. Links within a text are
 * as high as its lines; a field within a label, and what covers a row or a tile, is as large as that.
 */
const smallTargets = `(() => {
  const [minPixels, found] = [24, new Map()];
  const isWithinText = (one) => {
    if (getComputedStyle(one).display !== 'inline') return false;
    let block = one.parentElement;
    while (getComputedStyle(block).display === 'inline') block = block.parentElement;
    return block.textContent.trim() !== one.textContent.trim();
  };
  const sizeOf = (one) => {
    const box = one.getBoundingClientRect();
    const over = ['::before', '::after'].map((part) => getComputedStyle(one, part)).find(({ content, position }) =>
      content !== 'none' && position === 'absolute');
    return over ? { width: Math.max(box.width, parseFloat(over.width) || 0), height: Math.max(box.height, parseFloat(over.height) || 0) } : box;
  };
  for (const one of document.querySelectorAll('a[href], button, input, select, textarea, summary, [role="tab"], [role="button"]')) {
    if (!one.checkVisibility({ visibilityProperty: true }) || one.closest('.unseen, [inert]') || one.matches('.skip')) continue;
    const target = one.closest('label') ?? one;
    const { width, height } = sizeOf(target);
    if (width === 0 || isWithinText(one) || (Math.round(width) >= minPixels && Math.round(height) >= minPixels)) continue;
    const kind = one.tagName.toLowerCase() + '.' + one.className + ' in ' + one.parentElement.tagName.toLowerCase() + '.' + one.parentElement.className;
    if (!found.has(kind)) found.set(kind, Math.round(width) + ' × ' + Math.round(height) + ' px: ' + kind + ' “' + one.textContent.trim().slice(0, 30) + '”');
  }
  return [...found.values()].map((text) => 'has a target of ' + text);
})`;

/** Runs in the browser, as text. */
const faultsOfDocument = `(() => {
  const faults = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) {
    const wide = [...document.querySelectorAll('body *')].filter((one) => one.getBoundingClientRect().right > clientWidth);
    const names = wide.slice(-3).map((one) => one.tagName + '.' + one.className);
    faults.push('is ' + scrollWidth + ' px wide in ' + clientWidth + ': ' + names.join(', '));
  }
  const headings = [...document.querySelectorAll('h1')].map((one) => one.textContent.trim());
  if (headings.length !== 1 || headings[0] === '') faults.push('has the headings ' + JSON.stringify(headings));
  const words = document.querySelector('main')?.innerText.trim() ?? '';
  if (words.length < 40) faults.push('says no more than ' + JSON.stringify(words));
  const bar = document.querySelector('.filter-bar');
  if (bar && (bar.clientHeight > 53 || bar.scrollWidth > bar.clientWidth))
    faults.push('has filters in more than one line: ' + bar.scrollWidth + ' × ' + bar.clientHeight + ' px in ' + bar.clientWidth);
  faults.push(...(${smallTargets})());
  if (document.title.split(' · ').length < 2) faults.push('is called ' + JSON.stringify(document.title));
  return faults;
})()`;

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** The kinds of text whose contrast was found good, by theme: the frame and the cards of a page are those of all pages. */
const wellContrasted = { light: new Set<string>(), dark: new Set<string>() };

/**
 * What axe-core finds at WCAG 2.2 AA. The policy allows no script of others, so it comes from outside of the page.
 * Contrast takes as long as all other rules together, most of it for texts that look alike: of these the first two and the
 * last are looked at, once in each theme. In the long run all are, on each page.
 */
async function inaccessible(page: Page, examined: Exclude<Examined, 'nothing'>): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe);
  const isDark = (await page.evaluate(`matchMedia('(prefers-color-scheme: dark)').matches`)) as boolean;
  const known = wellContrasted[isDark ? 'dark' : 'light'];
  const [kinds, violations] = (await page.evaluate(`(async () => {
    const runOnly = { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] };
    // Where it is found is said by its text; working out selectors for all that is well takes as long as the rules do.
    const options = { resultTypes: ['violations'], selectors: false, preload: false };
    const look = async (context, more) => (await axe.run(context, { ...options, ...more })).violations;
    if (${isLong}) return [[], await look(document, { runOnly })];
    const { kinds, include } = (${differentTexts})(${JSON.stringify([...known])});
    const ofColours = include.length === 0 ? [] : await look({ include }, { runOnly: ['color-contrast'] });
    if (${examined === 'contrast'}) return [kinds, ofColours];
    const others = await look(document, { runOnly, rules: { 'color-contrast': { enabled: false } } });
    return [kinds, [...ofColours, ...others]];
  })()`)) as [string[], Violation[]];
  if (violations.length === 0) for (const kind of kinds) known.add(kind);
  return violations.map(({ id, help, nodes }) => {
    const [first] = nodes;
    return `${id}: ${help}, ${nodes.length} times, first ${first?.html.slice(0, 200)} (${first?.failureSummary})`;
  });
}

/**
 * Runs in the browser, as text: elements with words of their own, at most three of those whose attributes are the same,
 * and those of all around them, and none of kinds that are known. Attributes that say which one it is are left out: no
 * colour depends on them. A kind is a hash: of some 10,000 kinds, two have the same one in 10 million.
 */
const differentTexts = `((known) => {
  const ofItself = /^(id|href|for|name|value|title|headers|aria-(label|labelledby|describedby|controls)|data-value|data-values)$/;
  const kinds = new Map();
  const hash = (text) => {
    let [high, low] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      high = Math.imul(high ^ text.charCodeAt(at), 2654435761);
      low = Math.imul(low ^ text.charCodeAt(at), 1597334677);
    }
    return (high >>> 0).toString(36) + (low >>> 0).toString(36);
  };
  const kindOf = (one) => {
    if (one === null) return '';
    if (!kinds.has(one)) {
      const attributes = [...one.attributes].filter(({ name }) => !ofItself.test(name));
      const own = attributes.map(({ name, value }) => name + '=' + value).sort().join(' ');
      kinds.set(one, hash(kindOf(one.parentElement) + '>' + one.tagName + ' ' + own));
    }
    return kinds.get(one);
  };
  const alike = new Map();
  for (const one of document.body.querySelectorAll('*')) {
    const hasWords = [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim() !== '');
    if (!hasWords && !one.matches('input, select, textarea')) continue;
    alike.set(kindOf(one), [...(alike.get(kindOf(one)) ?? []), one]);
  }
  for (const kind of known) alike.delete(kind);
  const include = [...alike.values()].flatMap((all) => (all.length > 3 ? [all[0], all[1], all.at(-1)] : all));
  return { kinds: [...alike.keys()], include };
})`;
