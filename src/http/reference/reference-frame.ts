import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Html, html } from '../page.ts';

/** What stands around each page of the reference. */
type ReferenceFrame = (title: string, content: Html) => string;

/** Where the build has put styles and script of the reference; without a build the pages are there without both. */
export function readReferenceFrame(folder: string): ReferenceFrame {
  const file = join(folder, 'docs.html');
  const built = existsSync(file) ? readFileSync(file, 'utf8') : bare;
  const [start = '', rest = ''] = built.split(titlePlace);
  const [middle = '', end = ''] = rest.split(contentPlace);
  return (title, content) => start + html`${title} · Plumb`.text + middle + framed(content).text + end;
}

const titlePlace = '%title%';
const contentPlace = '<!--content-->';
const bare = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${titlePlace}</title></head><body>${contentPlace}</body></html>
`;

const framed = (content: Html): Html => html`<header class="top">
<a class="home" href="/">Plumb</a>
<nav aria-label="Reference"><a href="/docs">Metrics</a> <a href="/docs#operations">Operations</a> <a href="/docs#guides">Guides</a> <a href="/openapi.json">OpenAPI</a></nav>
</header>
<main>
${content}
</main>`;
