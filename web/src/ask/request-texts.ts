import type { Question } from './question.ts';

/** A request in the languages in which readers ask it themselves. `$KEY` is theirs to fill in. */
export interface RequestTexts {
  readonly curl: string;
  readonly typescript: string;
  readonly plumb: string;
}

const parameters = 'durations=seconds&n=true';

export function requestTexts({ path, body }: Question, publicUrl: string): RequestTexts {
  const url = `${publicUrl.replace(/\/$/, '')}${path}?${parameters}`;
  const json = JSON.stringify(body, null, 2);
  const name = path.replace('/metrics/', '');
  return {
    curl: [
      `curl -s ${inShell(url)} \\`,
      `  -H "Authorization: $KEY" -H 'Content-Type: application/json' \\`,
      `  -d ${inShell(json)}`,
    ].join('\n'),
    typescript: [
      `const response = await fetch(${JSON.stringify(url)}, {`,
      "  method: 'POST',",
      "  headers: { Authorization: process.env.KEY ?? '', 'Content-Type': 'application/json' },",
      `  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`,
      '});',
      'const rows = await response.json();',
    ].join('\n'),
    plumb: [
      `plumb query ${name} --org $ORG --as $EMAIL --durations seconds --json --body - <<'JSON'`,
      json,
      'JSON',
    ].join('\n'),
  };
}

/** In single quotes nothing means anything to a shell but the quote itself. */
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
