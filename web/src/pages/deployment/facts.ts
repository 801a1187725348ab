import { valueLabel } from '../../../../src/catalogue/labels/shown-names.ts';
import { textOf } from '../../ask/grouped-series.ts';
import type { Row } from '../../ask/send.ts';
import { sourceWords } from '../../view/deployment-words.ts';
import { shownTime } from '../../view/format.ts';
import { factsWords } from './words.ts';

/** The known facts of a deployment, and their source. */
export function factsOf(row: Row, zone: string): readonly (readonly [string, string])[] {
  const source = sourceWords(row.deployment_source);
  const text = (column: string): string => {
    const value = textOf(row[column]);
    return value === null ? '–' : valueLabel(column, value);
  };
  return [
    ['Repository', text('repository')],
    ['Result', text('status')],
    ['Environment', textOf(row.environment) ?? (row.is_production === true ? 'production' : '–')],
    ['Production', row.is_production === true ? 'Yes' : 'No'],
    [factsWords.deploymentSource, `${source.name}. ${source.meaning}`],
    ['Workflow', text('workflow_name')],
    ['Version', text('version')],
    ['Commit', textOf(row.sha)?.slice(0, 12) ?? '–'],
    ['Started', shownTime(textOf(row.started_at), zone)],
    ['Deployed', shownTime(textOf(row.deployed_at), zone)],
    [factsWords.deployed, text('name')],
    [factsWords.onlyFixesEarlier, row.is_remediation === true ? factsWords.yesSoItIsnt : 'No'],
  ];
}
