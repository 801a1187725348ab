import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ask } from '../../../web/src/ask/question.ts';
import { requestTexts } from '../../../web/src/ask/request-texts.ts';

const question = ask('cycle-time', {
  filters: { start_date: '2026-01-01', team: ["O'Hara's team", '$(id)', 'back\\slash'], repositories: [] },
  aggregation: 'AVG',
});
const texts = requestTexts(question, 'http://127.0.0.1:4400/');

describe('a request as text', () => {
  test('A request as text as curl says to a shell exactly what was asked, whatever names hold', () => {
    const echo = texts.curl.replace(/^curl/, `printf '%s\\n'`);
    const said = execFileSync('sh', ['-c', echo], { encoding: 'utf8', env: { KEY: 'secret' } });
    const [silent, url, , key, , , , ...body] = said.split('\n');
    expect([silent, url, key]).toEqual([
      '-s',
      'http://127.0.0.1:4400/metrics/cycle-time?durations=seconds&n=true',
      'Authorization: secret',
    ]);
    expect(JSON.parse(body.join('\n'))).toEqual(question.body);
  });

  test('A request as text leaves out what is empty', () => {
    expect(question.body.filters).toEqual({
      start_date: '2026-01-01',
      team: ["O'Hara's team", '$(id)', 'back\\slash'],
    });
  });

  test('A request as text as TypeScript holds the same body', () => {
    const body = /JSON\.stringify\(([\s\S]*)\),\n}\);/.exec(texts.typescript)?.[1] ?? '';
    expect(JSON.parse(body)).toEqual(question.body);
  });

  test('A request as text as a command reads the same body from standard input', () => {
    const [first, ...lines] = texts.plumb.split('\n');
    expect(first).toContain('plumb query cycle-time ');
    expect(JSON.parse(lines.slice(0, -1).join('\n'))).toEqual(question.body);
  });

  test('A request as text picks the rows that are meant in every language', () => {
    const picked = requestTexts(question, 'http://127.0.0.1:4400', [{ column: 'status', is: 'equal', to: "it's" }]);
    expect(picked.curl).toMatch(/ \| jq 'map\(select\(\(\.status \| tostring\) == "it'\\''s"\)\)'$/);
    expect(picked.typescript).toContain(`.filter((row) => String(row.status) === "it's")`);
    expect(picked.plumb.split('\n')[0]).toContain(`<<'JSON' | jq `);
  });
});
