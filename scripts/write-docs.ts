// `npm run docs`: writes the pages that are made from declarations. A test compares them with what stands in docs/, web/, src/
// and grafana/.
import { writeFileSync } from 'node:fs';
import { recordsDocument } from '../src/catalogue/describe.ts';
import { clientModule } from '../src/catalogue/describe-for-client.ts';
import { pagesModule } from '../src/catalogue/describe-for-pages.ts';
import { metricsDocument } from '../src/catalogue/describe-metrics.ts';
import { settingsDocument } from '../src/directory/organisation-settings.ts';
import { calendar } from '../src/query/date-details.ts';
import { tokensCss } from '../src/theme/tokens.ts';
import { glossaryModule } from './glossary-module.ts';
import { boardFiles } from './grafana/files.ts';

writeFileSync(new URL('../docs/organisation-settings.md', import.meta.url), settingsDocument());
writeFileSync(new URL('../docs/records.md', import.meta.url), recordsDocument());
writeFileSync(new URL('../docs/metrics.md', import.meta.url), metricsDocument(calendar));
writeFileSync(new URL('../web/src/ask/catalogue.ts', import.meta.url), pagesModule(calendar));
writeFileSync(new URL('../src/client/catalogue.ts', import.meta.url), clientModule(calendar));
writeFileSync(new URL('../web/src/theme/tokens.css', import.meta.url), tokensCss());
writeFileSync(new URL('../src/mcp/glossary.ts', import.meta.url), glossaryModule());
for (const [path, text] of boardFiles()) writeFileSync(new URL(`../grafana/${path}`, import.meta.url), text);
