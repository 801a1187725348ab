import { catalogue } from '../query/described-calendar.ts';
import { glossary } from './glossary.ts';

interface McpResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  readonly text: () => string;
}

/** What an agent can read without asking a question. */
export const resources: readonly McpResource[] = [
  {
    uri: 'plumb://catalogue',
    name: 'catalogue',
    title: 'Catalogue',
    description: 'Every table, column, metric, filter and aggregation that can be asked for, as JSON.',
    mimeType: 'application/json',
    text: () => JSON.stringify(catalogue()),
  },
  {
    uri: 'plumb://glossary',
    name: 'glossary',
    title: 'Glossary',
    description: 'What the words mean that Plumb uses.',
    mimeType: 'text/markdown',
    text: () => glossary,
  },
];
