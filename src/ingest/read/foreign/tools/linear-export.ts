import type { ToolExport } from '../tool-export.ts';

export const linearIssues: ToolExport = {
  tool: 'Linear',
  table: 'issues',
  source: 'linear',
  signs: 'ID, Team, Cycle Name, Created',
  fields: {
    ID: 'issue_key',
    Status: 'status_name',
    Creator: 'creator_name',
    'Cycle Name': 'sprint_name',
    'Cycle Number': 'sprint_name',
    Started: 'started_at',
    Completed: 'completed_at',
    Canceled: 'closed_at',
    'Parent issue': 'parent_issue_id',
  },
  leftOut: `Team, Cycle Start, Cycle End, Updated, Triaged, Archived, Due Date, Initiatives, Roadmaps,
    Project Milestone ID, Project Milestone, SLA Status, UUID, Time in status (minutes), Related to, Blocked by,
    Duplicate of`,
  ownIds: ['parent_issue_id'],
  listSeparator: ',',
};
