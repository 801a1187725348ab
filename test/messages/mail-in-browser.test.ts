import { expect, test } from 'vitest';
import { mailHtml } from '../../src/messages/render/mail-html.ts';
import { colours } from '../../src/theme/tokens.ts';
import { describeWithChromium, launchChromium } from '../setup/chromium.ts';
import { sampleDigest } from './sample-digest.ts';

const html = mailHtml(
  {
    deliveryId: 'd1',
    origin: { kind: 'digest', slug: 'monday' },
    content: sampleDigest,
    publicUrl: 'https://plumb.acme.example',
    queuedAt: new Date('2026-11-16T08:00:00Z'),
  },
  'https://plumb.acme.example/stop/plumbstop_x',
);

const rgb = (hex: string): string =>
  `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

/** Said to the page as a text: it has a document, and this file has none. */
const look = `(() => {
  const [first, second] = [...document.querySelectorAll('td.half')].map((cell) => cell.getBoundingClientRect());
  return {
    overflow: document.documentElement.scrollWidth - window.innerWidth,
    isInColumns: first.top === second.top,
    ground: getComputedStyle(document.body).backgroundColor,
    heading: getComputedStyle(document.querySelector('h1')).color,
  };
})()`;

describeWithChromium('a mail in a browser', () => {
  test('A mail is as wide as a telephone, follows the theme of the system, and loads nothing', async () => {
    const browser = await launchChromium();
    for (const [at, colorScheme] of (['light', 'dark'] as const).entries()) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 600, height: 800 } });
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.setContent(html);
      for (const width of [600, 360]) {
        await page.setViewportSize({ width, height: 800 });
        const seen = await page.evaluate(look);
        expect(seen, `${colorScheme}, ${width} px`).toEqual({
          overflow: 0,
          isInColumns: width === 600,
          ground: rgb(colours.canvas[at as 0 | 1]),
          heading: rgb(colours.text[at as 0 | 1]),
        });
      }
      expect(asked).toEqual([]);
    }
    await browser.close();
  });
});
