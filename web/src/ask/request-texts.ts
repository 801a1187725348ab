import { inJq, inTypeScript, type PickedBy, zoneOf } from './picked-rows.ts';
import { parametersOf, type Question } from './question.ts';

/** A request in the languages in which readers send it themselves. They put their own key in place of `$KEY`. */
interface RequestTexts {
  readonly curl: string;
  readonly typescript: string;
  readonly plumb: string;
}

/** Of rows that no filter can choose, the conditions by which they are picked from the answer come with it. */
export function requestTexts(question: Question, publicUrl: string, picked: readonly PickedBy[] = []): RequestTexts {
  const { path, body } = question;
  const url = `${publicUrl.replace(/\/$/, '')}${path}?${parametersOf(question)}`;
  const json = JSON.stringify(body, null, 2);
  const name = path.replace('/metrics/', '');
  const zone = zoneOf(picked);
  const clock = zone === undefined ? '' : `TZ=${inShell(zone)} `;
  const jq = picked.length === 0 ? '' : ` | ${clock}jq ${inShell(`map(select(${picked.map(inJq).join(' and ')}))`)}`;
  return {
    curl: [
      `curl -s ${inShell(url)} \\`,
      `  -H "Authorization: $KEY" -H 'Content-Type: application/json' \\`,
      `  -d ${inShell(json)}${jq === '' ? '' : ` \\\n ${jq}`}`,
    ].join('\n'),
    typescript: [
      `const response = await fetch(${JSON.stringify(url)}, {`,
      "  method: 'POST',",
      "  headers: { Authorization: process.env.KEY ?? '', 'Content-Type': 'application/json' },",
      `  body: JSON.stringify(${json.replaceAll('\n', '\n  ')}),`,
      '});',
      picked.length === 0
        ? 'const rows = await response.json();'
        : `const rows = (await response.json()).filter((row) => ${picked.map(inTypeScript).join(' && ')});`,
    ].join('\n'),
    plumb: [
      `plumb query ${name} --org $ORG --as $EMAIL --durations seconds --json --body - <<'JSON'${jq}`,
      json,
      'JSON',
    ].join('\n'),
  };
}

/** In single quotes nothing means anything to a shell but the quote itself. */
const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
