// `npm run docs`: writes the pages that are made from declarations. A test compares them with what stands in docs/.
import { writeFileSync } from 'node:fs';
import { recordsDocument } from '../src/catalogue/describe.ts';

writeFileSync(new URL('../docs/records.md', import.meta.url), recordsDocument());
