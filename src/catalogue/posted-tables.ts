import { postedCommitFiles, postedLineRanges } from './derivation-state.ts';
import type { Field, RecordShape } from './record.ts';
import { recordShapeOf, type Table } from './table.ts';
import { type FactTable, isFactTable } from './tables/all-tables.ts';
import { posthookSessionCommits, posthookSessionMessages, posthookSessions } from './tables/posthook-sessions.ts';

/** A table as the coding-agent hook knows it: where its rows go, and which column each of its fields is. */
interface PostedTable<T extends Table = Table> {
  readonly one: string;
  readonly into: T;
  readonly fields: Readonly<Record<string, (keyof T['columns'] & string) | 'person_email'>>;
  /** Fields that a row cannot do without. */
  readonly required: readonly string[];
}

const posted = <T extends Table>(declaration: PostedTable<T>): PostedTable<T> => declaration;

/** The tables of a hook's payload, in the order in which they take effect: whose a session is decides about its parts. */
export const postedTables = {
  sessions: posted({
    one: 'a session',
    into: posthookSessions,
    fields: {
      id: 'session_id',
      agent_slug: 'agent_slug',
      model_slug: 'model_slug',
      repo_name: 'repo_name',
      branch: 'branch',
      started_at: 'started_at',
      ended_at: 'ended_at',
      engineer_email: 'engineer_email',
      engineer_name: 'person_name',
      person_email: 'person_email',
      person_login: 'person_login',
      input_tokens: 'input_tokens',
      output_tokens: 'output_tokens',
      cache_read_tokens: 'cache_read_tokens',
      cache_creation_tokens: 'cache_creation_tokens',
    },
    required: ['id'],
  }),
  session_prompts: posted({
    one: 'a prompt',
    into: posthookSessionMessages,
    fields: {
      id: 'message_id',
      session_id: 'session_id',
      ts: 'message_ts',
      seq: 'message_seq',
      role: 'role',
      source: 'source',
      prompt_text: 'message_text',
    },
    required: ['id', 'session_id'],
  }),
  event_line_ranges: posted({
    one: 'a range of lines',
    into: postedLineRanges,
    fields: { id: 'range_id', session_id: 'session_id', path: 'file_path', lines: 'lines' },
    required: ['id', 'session_id', 'path', 'lines'],
  }),
  commit_sessions: posted({
    one: 'a commit of a session',
    into: posthookSessionCommits,
    fields: {
      commit_id: 'commit_id',
      session_id: 'session_id',
      committed_at: 'committed_at',
      lines_attributed: 'committed_lines',
    },
    required: ['commit_id', 'session_id'],
  }),
  commit_session_files: posted({
    one: 'a file of a session in a commit',
    into: postedCommitFiles,
    fields: {
      commit_id: 'commit_id',
      session_id: 'session_id',
      path: 'file_path',
      lines_attributed: 'committed_lines',
    },
    required: ['commit_id', 'session_id', 'path'],
  }),
} as const satisfies Readonly<Record<string, PostedTable>>;

export type PostedTableName = keyof typeof postedTables;
export const postedTableNames = Object.keys(postedTables) as PostedTableName[];

/** The table of records that rows of the hook go to; undefined for those that are only added up. */
export function recordTableOf(name: PostedTableName): FactTable | undefined {
  const into = postedTables[name].into.name;
  return isFactTable(into) ? into : undefined;
}

/** The shape of a row in the hook's own words, so that what is wrong with it is said in them. */
export function postedShape(name: PostedTableName): RecordShape {
  const { one, into, fields, required }: PostedTable = postedTables[name];
  const { fields: known, aliases = {} } = recordShapeOf(into);
  const shown: Record<string, Field> = {};
  const others: Record<string, string> = {};
  for (const [field, column] of Object.entries(fields)) {
    const type = known[column];
    const alias = aliases[column];
    if (alias !== undefined) others[field] = alias;
    else if (type) shown[field] = type;
    else throw new Error(`${into.name} takes no ${column}`);
  }
  return { name, one, fields: shown, required, aliases: others };
}
