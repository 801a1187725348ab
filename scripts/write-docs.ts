// `npm run docs`: writes the pages that are made from declarations. A test compares them with what stands in docs/ and web/.
import { writeFileSync } from 'node:fs';
import { recordsDocument } from '../src/catalogue/describe.ts';
import { pagesModule } from '../src/catalogue/describe-for-pages.ts';
import { metricsDocument } from '../src/catalogue/describe-metrics.ts';
import { calendar } from '../src/http/routes/catalogue.ts';

writeFileSync(new URL('../docs/records.md', import.meta.url), recordsDocument());
writeFileSync(new URL('../docs/metrics.md', import.meta.url), metricsDocument(calendar));
writeFileSync(new URL('../web/src/ask/catalogue.ts', import.meta.url), pagesModule(calendar));
