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
    [factsWords.repository, text('repository')],
    [factsWords.result, text('status')],
    [factsWords.environment, textOf(row.environment) ?? (row.is_production === true ? 'production' : '–')],
    [factsWords.production, row.is_production === true ? factsWords.yes : factsWords.no],
    [factsWords.deploymentSource, `${source.name}. ${source.meaning}`],
    [factsWords.workflow, text('workflow_name')],
    [factsWords.version, text('version')],
    [factsWords.commit, textOf(row.sha)?.slice(0, 12) ?? '–'],
    [factsWords.started, shownTime(textOf(row.started_at), zone)],
    [factsWords.deployedAt, shownTime(textOf(row.deployed_at), zone)],
    [factsWords.deployed, text('name')],
    [factsWords.onlyFixesEarlier, row.is_remediation === true ? factsWords.yesSoItIsnt : factsWords.no],
  ];
}
