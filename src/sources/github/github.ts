import type { SourceKind } from '../source.ts';
import { OpenGithub } from './open-github.ts';
import { githubSettings } from './settings.ts';
import { githubWebhook } from './webhook.ts';

export const github: SourceKind = {
  kind: 'github',
  label: 'GitHub',
  meaning:
    'Pull requests, issues, releases, workflow runs, deployments, members and teams of GitHub, cloud or Enterprise Server.',
  accounts: 'github',
  settings: githubSettings,
  webhook: githubWebhook,
  open: (opening) => new OpenGithub(opening),
};
