import type { FieldValues } from '../../../catalogue/field-values.ts';
import type { RecordShape } from '../../../catalogue/record.ts';
import { codeHosts, defaultHost, idOfPullRequest } from '../../../catalogue/record-ids.ts';
import { ticketStatuses } from '../../../catalogue/tables/issues.ts';
import { personHeading } from './heading-names.ts';

/** Fills in the person, the place and the state from other fields. Given fields stay as they are. */
export function completeRecord(shape: RecordShape, given: FieldValues): FieldValues {
  let record = given;
  if (personHeading in record) record = withPerson(record);
  if (isGiven(record.repository)) record = withRepository(record);
  if ('pr_id' in shape.fields) record = withPullRequest(shape, record);
  if ('issue_id' in shape.fields && 'issue_key' in shape.fields) record = withIssue(record);
  if (shape.name === 'pull_requests') record = withState(record);
  return record;
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';
const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const filled = (record: FieldValues, more: FieldValues): FieldValues => ({
  ...record,
  ...Object.fromEntries(Object.entries(more).filter(([name, value]) => isGiven(value) && !isGiven(record[name]))),
});

/** An email address, `Ada Quill <ada@acme.example>`, a login, or a name. */
function withPerson({ [personHeading]: value, ...record }: FieldValues): FieldValues {
  const text = textOf(value);
  const [address, start] = addressAtEnd(text);
  if (address !== undefined)
    return filled(record, { person_email: address, person_name: text.slice(0, start).trimEnd() });
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return filled(record, { person_email: text });
  if (/\s/.test(text)) return filled(record, { person_name: text });
  return filled(record, { person_login: text.replace(/^@/, '') });
}

/** The email address in angle brackets at the end of a text, and where the brackets begin. */
function addressAtEnd(text: string): readonly [string | undefined, number] {
  const start = text.endsWith('>') ? text.lastIndexOf('<') : -1;
  const address = text.slice(start + 1, -1);
  const at = address.indexOf('@', 1);
  const isAddress = start !== -1 && at !== -1 && at < address.length - 1 && !/[<>\s]/.test(address);
  return [isAddress ? address : undefined, start];
}

/** A repository may be named by its address. */
function withRepository(record: FieldValues): FieldValues {
  const place = placeOf(`${textOf(record.repository)}/pull/1`, pullRequestPaths);
  return place ? { ...filled(record, { source: place.source }), repository: place.repository } : record;
}

function withPullRequest(shape: RecordShape, record: FieldValues): FieldValues {
  const place = placeOf(textOf(record.pr_url), pullRequestPaths);
  let known = filled(record, {
    source: place?.source,
    repository: place?.repository,
    pr_number: place && numberLike(record, place.number),
  });
  const isMade = !isGiven(known.pr_id) && isGiven(known.repository) && isGiven(known.pr_number);
  if (isMade && !isGiven(known.source)) known = { ...known, source: defaultHost };
  if (shape.name === 'pull_requests' || !isMade) return keptIn(shape, known);
  const pr_number = Number(known.pr_number);
  return keptIn(shape, { ...known, pr_id: idOfPullRequest({ ...known, pr_number }) ?? '' });
}

/** A part of a pull request has no room for where that is. */
function keptIn(shape: RecordShape, record: FieldValues): FieldValues {
  if (shape.name === 'pull_requests') return record;
  const { repository, pr_number, pr_url, ...kept } = record;
  return { ...kept, ...('repository' in shape.fields && isGiven(repository) ? { repository } : {}) };
}

/** Cells are texts, JSON has numbers. */
const numberLike = (record: FieldValues, number: string): string | number =>
  Object.values(record).some((value) => typeof value !== 'string') ? Number(number) : number;

function withIssue(record: FieldValues): FieldValues {
  const place = placeOf(textOf(record.issue_url), issuePaths);
  const key = place ? `${place.repository}#${place.number}` : undefined;
  const known = filled(record, key === undefined ? {} : { issue_key: key, source: place?.source });
  return withIssueKey(withIssueState(known));
}

/** A state in the tracker's own words becomes ours. Where only its name is said, the dates decide what the name does not. */
function withIssueState(record: FieldValues): FieldValues {
  const status = textOf(record.ticket_status);
  const state = issueStates.get(status.toLowerCase());
  if (status !== '' && state !== undefined) {
    const completed_at = state === 'completed' ? record.closed_at : undefined;
    return { ...filled(record, { status_name: status, completed_at }), ticket_status: state };
  }
  const name = textOf(record.status_name).toLowerCase();
  if ('ticket_status' in record || name === '' || !isGiven(record.created_at)) return record;
  const ticket_status = issueStates.get(name) ?? ticketStatuses.find((own) => own === name) ?? stateByDates(record);
  return ticket_status === undefined ? record : { ...record, ticket_status };
}

/** Undefined where a record gives neither date: then the stored state stays. */
function stateByDates(record: FieldValues): string | undefined {
  if (isGiven(record.completed_at)) return 'completed';
  if (isGiven(record.closed_at)) return 'canceled';
  if (isGiven(record.started_at)) return 'started';
  return ['completed_at', 'closed_at', 'started_at'].some((name) => name in record) ? 'backlog' : undefined;
}

/** The issues of trackers are known by their keys. */
function withIssueKey(record: FieldValues): FieldValues {
  const key = textOf(record.issue_key);
  const isOfCodeHost = /#\d+$/.test(key);
  if (isGiven(record.issue_id) || key === '') return record;
  if (!isOfCodeHost) return { ...record, issue_id: isGiven(record.source) ? `${textOf(record.source)}:${key}` : key };
  return filled(record, { source: defaultHost });
}

/** Our states by what others call them. */
const statesBy = (words: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(words).flatMap(([state, theirs]) => theirs.map((word) => [word, state] as const)));

/** The names of states in trackers. */
const issueStates = statesBy({
  completed: ['done', 'closed', 'resolved', 'complete'],
  started: ['in progress', 'in review', 'doing'],
  unstarted: ['to do', 'todo'],
  backlog: ['open', 'opened', 'reopened'],
  triage: ['new'],
  canceled: ['cancelled', "won't do", "won't fix", 'cannot reproduce', 'declined', 'duplicate', 'not planned'],
});

/** The names of states of pull requests on code hosts. */
const pullRequestStates = statesBy({
  open: ['opened', 'locked', 'draft'],
  closed: ['declined', 'superseded', 'abandoned'],
  merged: ['completed'],
});

/** A state that is not said follows from the dates of a whole record; one that changes a few fields says nothing of it. */
function withState(record: FieldValues): FieldValues {
  const said = textOf(record.pr_state).toLowerCase();
  const isMerged = isGiven(record.pr_merged_at);
  if (said !== '') {
    const known = pullRequestStates.get(said);
    const isClosed = (known ?? said) === 'closed';
    return { ...record, pr_state: isClosed && isMerged ? 'merged' : (known ?? record.pr_state) };
  }
  if (record.pr_state === null || !(isMerged || isGiven(record.pr_created_at))) return record;
  return { ...record, pr_state: isMerged ? 'merged' : isGiven(record.pr_closed_at) ? 'closed' : 'open' };
}

interface ParsedAddress {
  readonly source: string | undefined;
  readonly repository: string;
  readonly number: string;
}

const pullRequestPaths = ['pull', 'pulls', 'merge_requests', 'pull-requests'];
const issuePaths = ['issues'];

/** Reads the address of a pull request, a merge request or an issue. Undefined where it is of something else. */
function placeOf(address: string, paths: readonly string[]): ParsedAddress | undefined {
  const [, host = '', repository, path = '', number] =
    /^https?:\/\/([^/]+)\/(.+?)\/(?:-\/)?([a-z_-]+)\/(\d{1,15})(?=[/?#]|$)/.exec(address) ?? [];
  if (repository === undefined || number === undefined || !paths.includes(path)) return undefined;
  const source = codeHosts.find((name) => host.toLowerCase().includes(name));
  return { source, repository: repository.replace(/\.git$/, ''), number };
}
