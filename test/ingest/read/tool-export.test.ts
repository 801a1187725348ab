import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/catalogue/read-record.ts';
import { type RecordTable, recordShapeFor } from '../../../src/catalogue/record-tables.ts';
import { ForeignReader } from '../../../src/ingest/read/foreign/foreign-lines.ts';
import { openRecordFile } from '../../../src/ingest/read/open-record-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'plumb-exports-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Every record of a file, and what is said of its columns. */
async function imported(table: RecordTable, content: string, map: Record<string, string> = {}) {
  const path = join(folder, 'export.csv');
  writeFileSync(path, content);
  const file = openRecordFile(path);
  const reader = new ForeignReader(table, { map }, await file.header?.());
  reader.check('export.csv');
  const records: unknown[] = [];
  for await (const line of reader.lines(file)) {
    records.push('value' in line ? readRecord(recordShapeFor(table), line.value, file.form) : line.problem);
  }
  return { records, notes: reader.notesOf('export.csv') };
}

const at = (time: string): number => Date.parse(time) / 1_000;

describe('the columns that a tool exports are understood as they are', () => {
  test('GitLab: merge requests', async () => {
    const { records, notes } = await imported(
      'pull_requests',
      'Title,Description,MR IID,URL,State,Source Branch,Target Branch,Source Project ID,Target Project ID,Author,Author Username,Assignees,Assignee Usernames,Approvers,Approver Usernames,Merged User,Merged Username,Milestone ID,Created At (UTC),Updated At (UTC)\n' +
        'Add a door,"With a handle, too",7,https://git.acme.example/apps/web/-/merge_requests/7,opened,door,main,1,1,Ada Quill,ada,"Bo Reed, Cy Hall","bo, cy",Bo Reed,bo,,,,2026-03-12 09:05:00 UTC,2026-03-13 09:05:00 UTC\n',
    );
    expect(records).toEqual([
      {
        record: expect.objectContaining({
          pr_id: 'gitlab:apps/web#7',
          source: 'gitlab',
          pr_body: 'With a handle, too',
          pr_state: 'open',
          head_branch: 'door',
          base_branch: 'main',
          person_login: 'ada',
          person_name: 'Ada Quill',
          pr_created_at: at('2026-03-12T09:05:00Z'),
        }),
      },
    ]);
    expect(notes).toEqual([
      'export.csv is an export of GitLab. Left out, because no field here holds it: Source Project ID, Target Project ID, Assignees, Assignee Usernames, Approvers, Approver Usernames, Merged User, Merged Username, Milestone ID, Updated At (UTC).',
      'GitLab does not export when merge requests were merged, so metrics by that date do not count them.',
    ]);
  });

  test('GitLab: issues', async () => {
    const { records } = await imported(
      'issues',
      'Title,Description,Issue ID,URL,State,Author,Author Username,Assignee,Assignee Username,Confidential,Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,Time Spent,Epic ID,Epic Title\n' +
        'A squeak,,9,https://gitlab.com/acme/web/-/issues/9,Closed,Ada Quill,ada,"Bo Reed, Cy Hall","bo, cy",No,No,,2026-03-12 09:05:00,2026-03-13 09:05:00,2026-03-13 09:05:00,,3,"bug,ui",0,0,,\n',
    );
    expect(records).toEqual([
      {
        record: expect.objectContaining({
          issue_id: 'gitlab:acme/web#9',
          ticket_status: 'completed',
          completed_at: at('2026-03-13T09:05:00Z'),
          person_login: 'bo',
          person_name: 'Bo Reed',
          creator_name: 'Ada Quill',
          story_points: 3,
          labels: ['bug', 'ui'],
        }),
      },
    ]);
  });

  test('Jira: issues, with repeated columns and fields of their own', async () => {
    const { records, notes } = await imported(
      'issues',
      'Summary,Issue key,Issue id,Issue Type,Status,Project key,Project name,Project type,Project lead,Project lead id,Project description,Priority,Resolution,Assignee,Assignee Id,Reporter,Reporter Id,Creator,Creator Id,Created,Updated,Last Viewed,Resolved,Fix versions,Due date,Votes,Labels,Labels,Description,Environment,Watchers,Watchers,Sprint,Sprint,Σ Time Spent,Outward issue link (Blocks),Custom field (Rank),Custom field (Story Points),Custom field (Story point estimate),Comment,Comment,Parent,Parent summary,Status Category\n' +
        'Fix a hinge,DOOR-2,10002,Story,Peer review,DOOR,Doors,software,Cy Hall,u9,,High,,Ada Quill,u1,Bo Reed,u2,Bo Reed,u2,12/Mar/26 9:05 AM,13/Mar/26 9:05 AM,,,,,0,ui,metal,It squeaks,,Cy Hall,,Sprint 1,Sprint 2,,DOOR-3,0|i0,,5,12/Mar/26 9:10 AM;u2;Soon,,10001,Doors,In Progress\n' +
        "Paint it,DOOR-3,10003,Task,Done,DOOR,Doors,software,Cy Hall,u9,,Low,Won't Do,,,Bo Reed,u2,Bo Reed,u2,12/Mar/26 9:05 AM,13/Mar/26 9:05 AM,,13/Mar/26 1:00 PM,,,0,,,,,,,,,,,,,,,,,,Done\n",
    );
    expect(records).toEqual([
      {
        record: expect.objectContaining({
          issue_id: 'jira:10002',
          issue_key: 'DOOR-2',
          issue_title: 'Fix a hinge',
          source: 'jira',
          status_name: 'Peer review',
          ticket_status: 'started',
          project_id: 'DOOR',
          project_name: 'Doors',
          person_name: 'Ada Quill',
          person_login: 'u1',
          creator_name: 'Bo Reed',
          labels: ['ui', 'metal'],
          sprint_name: 'Sprint 2',
          story_points: 5,
          created_at: at('2026-03-12T09:05:00Z'),
          parent_issue_id: 'jira:10001',
        }),
      },
      {
        record: expect.objectContaining({
          issue_key: 'DOOR-3',
          ticket_status: 'completed',
          completed_at: at('2026-03-13T13:00:00Z'),
        }),
      },
    ]);
    expect(notes[0]).toContain(
      'Σ Time Spent, Outward issue link (Blocks), Custom field (Rank), Comment, Parent summary.',
    );
    expect(notes[1]).toBe('Jira writes times in the time zone of the person who exports them. They are read as UTC.');
  });

  test('Linear: issues, with states of a team’s own', async () => {
    const { records } = await imported(
      'issues',
      '"ID","Team","Title","Description","Status","Estimate","Priority","Project ID","Project","Creator","Assignee","Labels","Cycle Number","Cycle Name","Cycle Start","Cycle End","Created","Updated","Started","Triaged","Completed","Canceled","Archived","Due Date","Parent issue","Initiatives","Project Milestone ID","Project Milestone","SLA Status","UUID","Time in status (minutes)","Related to","Blocked by","Duplicate of"\n' +
        '"DOOR-2","Doors","Fix a hinge","","Polishing","3","High","p1","Entrance","bo@acme.example","ada@acme.example","ui, metal","4","","","","Thu Mar 12 2026 09:05:00 GMT+0000 (GMT+00:00)","","Fri Mar 13 2026 09:05:00 GMT+0000 (GMT+00:00)","","","","","","DOOR-1","","","","","u1","10","","",""\n' +
        '"DOOR-3","Doors","Paint it","","Done","","No priority","","","Bo","","","","","","","2026-03-12T09:05:00.000Z","","","","2026-03-14T09:05:00.000Z","","","","","","","","","u2","","","",""\n',
    );
    expect(records).toEqual([
      {
        record: expect.objectContaining({
          issue_id: 'linear:DOOR-2',
          source: 'linear',
          status_name: 'Polishing',
          ticket_status: 'started',
          person_email: 'ada@acme.example',
          creator_name: 'bo@acme.example',
          labels: ['ui', 'metal'],
          sprint_name: '4',
          story_points: 3,
          parent_issue_id: 'linear:DOOR-1',
          started_at: at('2026-03-13T09:05:00Z'),
        }),
      },
      {
        record: expect.objectContaining({ ticket_status: 'completed', completed_at: at('2026-03-14T09:05:00Z') }),
      },
    ]);
  });

  test('A tool that measures delivery, with one --map', async () => {
    const { records, notes } = await imported(
      'pull_requests',
      'Pull request title,Repository,Author,URL,Created,First commit,First review,Merged,Cycle time (hours),Time in review (hours),Team\n' +
        'Add a door,acme/web,ada,https://github.com/acme/web/pull/7,2026-03-12 09:05,2026-03-11 09:05,2026-03-12 10:05,2026-03-13 09:05,48,23,Core\n',
      { Team: '' },
    );
    expect(records).toEqual([
      {
        record: expect.objectContaining({
          pr_id: 'github:acme/web#7',
          pr_state: 'merged',
          first_commit_at: at('2026-03-11T09:05:00Z'),
          first_review_at: at('2026-03-12T10:05:00Z'),
        }),
      },
    ]);
    expect(notes).toEqual([
      'Left out of export.csv, because Plumb derives it itself: Cycle time (hours), Time in review (hours).',
    ]);
  });
});

test('A status that is known by its name alone says nothing of how far an issue is', async () => {
  const { records } = await imported(
    'issues',
    'Summary,Issue key,Issue id,Status,Created\nFix a hinge,DOOR-2,10002,QA,12/Mar/26 9:05 AM\n',
  );
  expect(records[0]).not.toHaveProperty('record.ticket_status');
});

test('A column that nobody knows refuses the export of a known tool as well', async () => {
  await expect(imported('issues', 'Summary,Issue key,Issue id,Mood\nFix a hinge,DOOR-2,10002,good\n')).rejects.toThrow(
    "'Mood', which is like no field",
  );
});
