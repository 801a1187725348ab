import { expect, test } from 'vitest';
import { metrics } from '../../../src/catalogue/metrics/all-metrics.ts';
import { markdown } from '../../../src/http/reference/markdown.ts';
import { unchangedService } from '../../setup/unchanged-service.ts';

const service = unchangedService();

test('Pages of the reference may load from here only, and need no key', async () => {
  for (const path of ['/docs', '/docs/metrics/salary', '/docs/operations/listTeams', '/docs/guides/operating']) {
    const { status, headers } = await service().request('GET', path);
    expect([path, status, headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self';");
  }
});

test('llms.txt names every metric and every guide, which are there as Markdown', async () => {
  const { status, headers, text } = await service().request('GET', '/llms.txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  expect([...metrics.keys()].filter((name) => !text.includes(`- [${name}](/docs/metrics/${name}): `))).toEqual([]);
  const guides = [...text.matchAll(/\]\((\/docs\/guides\/[^)]+\.md)\)/g)].map(([, path = '']) => path);
  expect(guides).toContain('/docs/guides/asking.md');
  for (const path of guides) {
    const guide = await service().request('GET', path);
    expect([path, guide.status, guide.headers['content-type'], guide.text.slice(0, 2)]).toEqual([
      path,
      200,
      'text/markdown; charset=utf-8',
      '# ',
    ]);
    const shown = await service().request('GET', path.replace(/\.md$/, ''));
    expect([path, shown.status, /&lt;!--|```/.exec(shown.text)]).toEqual([path, 200, null]);
  }
});

test('llms.txt shows a question by POST and by GET that are answered alike, and where agents ask', async () => {
  const { text } = await service().request('GET', '/llms.txt');
  const [, posted = '', body = ''] = /^POST (\S+)\n(\{.*\})$/m.exec(text) ?? [];
  const [, address = ''] = /^GET (\/metrics\/\S+)$/m.exec(text) ?? [];
  const key = service().keys.owner;
  const asked = await service().request('POST', `${posted}?format=csv`, { key, body: JSON.parse(body) });
  const linked = await service().request('GET', address, { key });
  expect([asked.status, linked.status, linked.text]).toEqual([200, 200, asked.text]);
  expect(text).toContain('`POST /mcp`');
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  expect((await service().request('POST', '/mcp', { key, body: message })).status).toBe(200);
});

test('Markdown becomes HTML, and nothing in it HTML of its own', () => {
  const text = [
    '## A `b` <c>',
    '',
    'One **two** *three* [four](five.md#six), [nowhere](gone.md).',
    '',
    '- first',
    '  goes on',
    '- second',
    '',
    '<!-- needs nothing -->',
    '',
    '1. with code:',
    '',
    '   <!-- from a.ts -->',
    '',
    '   ```ts',
    '   if (a) {',
    '     b();',
    '   ```',
    '2. without',
    '',
    '| A | B \\| C |',
    '|---|---|',
    '| `x` | <y> |',
    '',
    '```sh',
    '<z> & **w**',
    '```',
  ].join('\n');
  expect(markdown(text, (target) => (target === 'gone.md' ? undefined : `/to/${target}`)).text).toBe(
    [
      '<h2 id="a-b-c">A <code>b</code> &lt;c&gt;</h2>\n',
      '<p>One <strong>two</strong> <em>three</em> <a href="/to/five.md#six">four</a>, nowhere.</p>\n',
      '<ul><li>first\ngoes on</li><li>second</li></ul>\n',
      '<ol><li><p>with code:</p>\n<pre tabindex="0"><code>if (a) {\n  b();</code></pre>\n</li><li>without</li></ol>\n',
      '<div class="wide" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th scope="col">A</th><th scope="col">B | C</th></tr></thead><tbody><tr><td><code>x</code></td><td>&lt;y&gt;</td></tr>\n</tbody></table></div>\n',
      '<pre tabindex="0"><code>&lt;z&gt; &amp; **w**</code></pre>\n',
    ].join(''),
  );
});
