import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { FastifyReply } from 'fastify';
import { Html, html } from '../../escaped-html.ts';
import { colours, systemFont } from '../../theme/tokens.ts';
import { packageFolder } from '../../version.ts';

/** The same colours as in the pages of the application. */
const tokens = `:root { color-scheme: light dark; ${Object.entries(colours)
  .map(([name, [light, dark]]) => `--${name}: light-dark(${light}, ${dark});`)
  .join(' ')} }`;
const accent = colours.accent[0];

/** The address of the typeface in the built pages: it has a hash in its name, which their HTML file knows. */
function fontAddress(): string | undefined {
  const built = fileURLToPath(new URL('dist-web/index.html', packageFolder));
  if (!existsSync(built)) return undefined;
  return /"(\/assets\/inter-latin-[\w-]+\.woff2)"/.exec(readFileSync(built, 'utf8'))?.[1];
}

const shippedFont = fontAddress();

/** The typeface of the application, once it is built. Until it has come, and where it is not, a font of the machine is shown. */
const typeface = shippedFont
  ? `@font-face { font-family: "Inter Variable"; src: url("${shippedFont}") format("woff2"); font-weight: 100 900; font-display: swap; }`
  : '';

const style = `
${tokens}
${typeface}
* { box-sizing: border-box; }
body { margin: 0; padding: 10vh 16px 40px; background: var(--canvas); color: var(--text); font: 14px/20px "Inter Variable", ${systemFont}; }
main { max-width: 448px; margin: 0 auto; padding: 28px; background: var(--surface); border: 1px solid var(--border); border-radius: 12px; }
.name { display: flex; align-items: center; gap: 10px; margin: 0 0 24px; font-weight: 600; }
.name svg { width: 26px; height: 26px; padding: 4px; border-radius: 7px; background: var(--accent); color: var(--accent-text); }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 30px; font-weight: 600; letter-spacing: -.018em; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 14px; font-weight: 600; }
p { margin: 0 0 16px; overflow-wrap: anywhere; }
p:last-child { margin-bottom: 0; }
a { color: var(--accent); }
label { display: block; margin: 16px 0 4px; font-weight: 500; }
input { width: 100%; min-height: 36px; padding: 7px 10px; color: inherit; background: var(--surface); border: 1px solid var(--border-strong); border-radius: 8px; font: inherit; }
button, .button { display: inline-block; min-height: 36px; margin: 20px 8px 0 0; padding: 8px 14px; color: var(--accent-text); background: var(--accent); border: 0; border-radius: 8px; font: inherit; font-weight: 500; text-decoration: none; cursor: pointer; }
:is(a, input, button):focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
pre, .key { margin: 0 0 16px; padding: 10px 12px; background: var(--sunken); border: 1px solid var(--border); border-radius: 8px; font: 12.5px/19px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; user-select: all; }
.key { font-size: 14px; }
form + .hint, p + .hint { margin-top: 24px; }
input + .hint { margin: 4px 0 0; }
input[readonly] { color: var(--secondary); }
.hint { color: var(--secondary); font-size: 12.5px; line-height: 18px; }
.bad { color: var(--bad); }
`;

const plumbBob =
  '<path d="M6 0v7" stroke="currentColor" stroke-width="1.2"/><path d="M3 7h6v2.4c0 3.4-1.6 6.4-3 8.6-1.4-2.2-3-5.2-3-8.6z" fill="currentColor"/>';
const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-3 0 18 18" color="${accent}">${plumbBob}</svg>`,
)}`;

/** The style is allowed by its hash, so that no other one can be slipped in. Nothing else is loaded but our typeface. */
const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  'img-src data:',
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/** A whole page, and the headers it needs. It loads nothing but our typeface: not a script, and nothing from anywhere else. */
export function page(reply: FastifyReply, title: string, content: Html): string {
  reply.type('text/html; charset=utf-8').header('content-security-policy', pagePolicy);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="${icon}">
<style>${new Html(style)}</style>
</head>
<body>
<main>
<p class="name"><svg viewBox="0 0 12 18" aria-hidden="true">${new Html(plumbBob)}</svg> Plumb</p>
${content}
</main>
</body>
</html>
`.text;
}
