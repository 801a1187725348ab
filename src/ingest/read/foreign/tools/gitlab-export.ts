import type { ToolExport } from '../tool-export.ts';

export const gitlabMergeRequests: ToolExport = {
  tool: 'GitLab',
  table: 'pull_requests',
  source: 'gitlab',
  signs: 'MR IID, Source Branch, Author Username',
  fields: { Author: 'person_name', 'Author Username': 'person_login' },
  leftOut: `Source Project ID, Target Project ID, Assignees, Assignee Usernames, Approvers, Approver Usernames,
    Merged User, Merged Username, Milestone ID, Updated At (UTC)`,
  note: 'GitLab does not export when merge requests were merged, so metrics by that date do not count them.',
};

export const gitlabIssues: ToolExport = {
  tool: 'GitLab',
  table: 'issues',
  source: 'gitlab',
  signs: 'Issue ID, Author Username, Confidential',
  fields: {
    Author: 'creator_name',
    Assignee: 'person_name',
    'Assignee Username': 'person_login',
    Weight: 'story_points',
  },
  // The address says the number and the project.
  leftOut: `Issue ID, Author Username, Confidential, Locked, Due Date, Updated At (UTC), Milestone, Time Estimate,
    Time Spent, Epic ID, Epic Title`,
  listSeparator: ',',
  firstOf: ['person_name', 'person_login'],
  note: 'Of several assignees of an issue, the first counts.',
};
