import { personHeading } from '../heading-names.ts';
import type { ToolExport } from '../tool-export.ts';

export const jiraIssues: ToolExport = {
  tool: 'Jira',
  table: 'issues',
  source: 'jira',
  signs: 'Summary, Issue key, Issue id',
  fields: {
    Status: 'status_name',
    'Status Category': 'ticket_status',
    'Project key': 'project_id',
    Assignee: personHeading,
    'Assignee Id': 'person_login',
    Creator: 'creator_name',
    Reporter: 'creator_name',
    Resolved: 'completed_at',
    'Custom field (Story Points)': 'story_points',
    'Custom field (Story point estimate)': 'story_points',
    'Custom field (Sprint)': 'sprint_name',
    Parent: 'parent_issue_id',
    'Parent id': 'parent_issue_id',
  },
  // The category of the status decides, not the resolution.
  leftOut: `Resolution, Project type, Project lead, Project lead id, Project description, Project url, Reporter Id,
    Creator Id, Updated, Last Viewed, Due date, Affects versions, Affects Version/s, Fix versions, Fix Version/s,
    Component/s, Components, Votes, Environment, Watchers, Watchers Id, Original estimate, Remaining Estimate,
    Time Spent, Work Ratio, Security Level, Attachment, Comment, Log Work, Parent key, Parent summary,
    Status Category Changed, Team Id, Team Name`,
  // `Custom field (Rank)`, `Outward issue link (Blocks)`, `Σ Time Spent`
  leftOutLike: /^(?:custom_field|inward_issue_link|outward_issue_link|σ|satisfaction_rating)_/,
  ownIds: ['issue_id', 'parent_issue_id'],
  note: 'Jira writes times in the time zone of the person who exports them. They are read as UTC.',
};
