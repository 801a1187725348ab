import type { Row, Table } from '../../src/catalogue/table.ts';
import { onboardedPerson, reportsOf, withSquadsBelow } from './directory.ts';
import { answersByRole, recipientShown, reportedAnswersOf } from './survey-privacy.ts';
import type { Person, Seeing, World } from './world.ts';

/** A world as one person sees it. */
export interface View {
  readonly world: World;
  /** Absent for those who see everyone. */
  readonly visible: ReadonlySet<string> | undefined;
  /** Who they are, if they see what they lead. */
  readonly leads?: string | undefined;
}

export function viewOf(world: World, seeing: Seeing): View {
  if (seeing === 'organisation') return { world, visible: undefined };
  const { self, teamIds, hasReports, leadsSquads } = seeing;
  const visible = new Set([self]);
  for (const { team_id, merged_user_id } of world.teamMembers) {
    if (teamIds.includes(team_id ?? '')) visible.add(merged_user_id ?? '');
  }
  if (hasReports) for (const report of reportsOf(world, [self])) visible.add(report);
  if (leadsSquads) {
    const led = world.squads.filter(({ lead_id }) => lead_id === self).map(({ squad_id }) => squad_id ?? '');
    const all = withSquadsBelow(world, led);
    for (const { squad_id, merged_user_id } of world.squadMembers) {
      if (all.has(squad_id ?? '')) visible.add(merged_user_id ?? '');
    }
  }
  return { world, visible, leads: leadsSquads ? self : undefined };
}

/** Whether a row is somebody's whom the viewer sees. Rows of nobody are for those who see everyone. */
export const isVisible = ({ visible }: View, row: Row): boolean => !visible || visible.has(String(row.merged_user_id));

/** The person that a row is of for every question about people: somebody who counts, and whom the viewer sees. */
export function personSeen({ world, visible }: View, row: Row): Person | undefined {
  const person = onboardedPerson(world, row);
  return person && (!visible || visible.has(String(person.merged_user_id))) ? person : undefined;
}

const carryingTables = ['deployments', 'release_details'];

/** The rows of a table that a metric is computed from, as the viewer sees them. */
export function rowsSeen(view: View, table: Table): Row[] {
  if (table.name === 'user_metrics') return peopleSeen(view);
  const kept = view.world.facts[table.name as keyof World['facts']];
  if (carryingTables.includes(table.name)) return carryingRowsSeen(view, kept);
  const isSeen = (row: Row): boolean => isVisible(view, row) && counts(view, table, row);
  if (table.name === 'survey_responses') {
    return [...answersByRole(view.world).filter(isSeen), ...reportedAnswersOf(view, {}, 'whole')];
  }
  const rows = table.name === 'survey_recipients' ? kept.map((row) => recipientShown(view.world, row)) : kept;
  return rows.filter(isSeen);
}

/**
 * Whoever is onboarded counts, and to those who see everyone also whoever is nobody: an unknown account or a bot. Runs
 * that are seen count whoever triggered them.
 */
function counts({ world, visible }: View, table: Table, row: Row): boolean {
  if (table.name === 'workflow_runs' || onboardedPerson(world, row) !== undefined) return true;
  return !visible && (row.merged_user_id === null || row.is_bot === true);
}

const peopleSeen = (view: View): Row[] =>
  view.world.people.filter((person) => person.onboarded === true && isVisible(view, person));

function carryingRowsSeen(view: View, rows: readonly Row[]): Row[] {
  const { visible } = view;
  if (!visible) return [...rows];
  return rows
    .map((row) => ({ row, contents: contentsSeen(view, row) }))
    .filter(({ row, contents }) => visible.has(String(row.merged_user_id)) || contents.length > 0)
    .map(({ row, contents }) => ({
      ...row,
      prs_included: row.prs_included === null ? null : contents.length,
      pr_ids: null,
      ...(visible.has(String(row.merged_user_id))
        ? {}
        : { person_login: null, person_source: null, person_email: null, person_name: null, person_is_bot: null }),
    }));
}

/** The pull requests that a deployment carried or a release brought, as far as the viewer sees their authors. */
export function contentsSeen({ world, visible }: View, carrying: Row): Row[] {
  return world.facts.pull_requests
    .filter((pr) => ('deployment_id' in carrying ? isCarried(pr, carrying) : isBrought(pr, carrying)))
    .filter((pr) => !visible || visible.has(String(pr.merged_user_id)));
}

const isCarried = (pr: Row, deployment: Row): boolean =>
  pr.deployment_id !== null && pr.deployment_id === deployment.deployment_id;

const isBrought = (pr: Row, release: Row): boolean =>
  release.release_id !== null && [pr.release_id, pr.prerelease_id].includes(release.release_id);
