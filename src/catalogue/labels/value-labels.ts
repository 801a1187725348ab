/**
 * The names of stored values for people, by column. Values that are not here come from records as they are written
 * there, except in the columns of `openValueColumns`.
 */
type ValueLabels = Readonly<Record<string, string>>;

const deployment: ValueLabels = { success: 'Succeeded', failure: 'Failed', cancelled: 'Cancelled' };

/** Tools, wherever one is named: code hosts, trackers, assistants and agents. */
const toolLabels: ValueLabels = {
  aider: 'Aider',
  asana: 'Asana',
  'azure-devops': 'Azure DevOps',
  bitbucket: 'Bitbucket',
  circleci: 'CircleCI',
  claude: 'Claude',
  'claude-code': 'Claude Code',
  codex: 'Codex',
  cursor: 'Cursor',
  gemini: 'Gemini',
  'gemini-cli': 'Gemini CLI',
  git: 'Git',
  github: 'GitHub',
  'github-actions': 'GitHub Actions',
  'github-copilot': 'GitHub Copilot',
  gitlab: 'GitLab',
  jenkins: 'Jenkins',
  jira: 'Jira',
  'jira-service-management': 'Jira Service Management',
  linear: 'Linear',
  opencode: 'OpenCode',
  opsgenie: 'Opsgenie',
  pagerduty: 'PagerDuty',
  rootly: 'Rootly',
  slack: 'Slack',
  windsurf: 'Windsurf',
};

export const valueLabels: Readonly<Record<string, ValueLabels>> = {
  pr_state: { open: 'Open', closed: 'Closed', merged: 'Merged' },
  pr_category: {
    'Feature Work': 'Feature work',
    'Bug Fixes': 'Bug fixes',
    'Tech Improvements': 'Technical improvements',
  },
  review_rounds_bucket: { '0': 'None', '1': '1', '2': '2', '3+': '3 or more' },
  review_state: {
    approved: 'Approved',
    changes_requested: 'Changes requested',
    commented: 'Commented',
    dismissed: 'Dismissed',
  },
  branching_model: { trunk: 'Trunk', promotion: 'Promotion' },
  deployment_attribution_status: {
    deployed: 'In production',
    awaiting_deploy: 'Waiting to deploy',
    before_first_signal: 'No deployment data yet',
    non_production_branch: 'Other branch',
    ignored: 'Not counted',
  },
  deployment_source: {
    bitbucket_deployment: 'Bitbucket deployments',
    github_release: 'Releases',
    workflow_run: 'Deploy workflow',
    merge_to_default: 'Merges (assumed)',
  },
  failure_reason: {
    failed_deployment: 'Failed or rolled back',
    incident: 'Incident',
    revert_pr: 'Reverted',
    hotfix_pr: 'Hotfix',
  },
  status: deployment,
  run_conclusion: { ...deployment, skipped: 'Skipped', timed_out: 'Timed out' },
  ticket_status: {
    triage: 'Triage',
    backlog: 'Backlog',
    unstarted: 'Not started',
    started: 'In progress',
    completed: 'Completed',
    canceled: 'Cancelled',
  },
  survey_status: { draft: 'Draft', active: 'Open', closed: 'Closed' },
  recipient_type: { user: 'Plumb user', external: 'Invited from outside' },
  response_type: {
    rating: 'Rating',
    single_choice: 'Single choice',
    multi_choice: 'Multiple choice',
    text: 'Text',
    yes_no: 'Yes or no',
  },
  source: toolLabels,
  sources: toolLabels,
  agent_slug: toolLabels,
  ai_sources: toolLabels,
};

/** Columns whose values are names of a machine, also those that nobody has listed: they are shown in sentence case. */
export const openValueColumns: readonly string[] = [
  'run_conclusion',
  'run_status',
  'event',
  'event_type',
  ...Object.keys(valueLabels),
];
