import type { Groups } from '../../ask/people-answers.ts';
import { counted, grouped } from '../../view/format.ts';

export const peopleWords = {
  teamsAndSquads: 'Teams and squads',
  includeInMetrics: 'Include in metrics',
  possibleDuplicates: 'Possible duplicates',
  people: 'People',
  roster: 'Roster',
} as const;

export const addPersonWords = {
  addPerson: 'Add a person',
  peopleWhoAppear: 'People who appear in records are added on their own. Everything else is set on their page.',
  added: (name: string, onboarded: boolean) => `${name} is added${onboarded ? ' and counts in metrics' : ''}.`,
  address: 'Address',
  name: 'Name',
  takenFromAddress: 'Taken from the address when empty.',
  inMetrics: 'In metrics',
  addPerson2: 'Add person',
  openSPage: (name: string) => `Open ${name}’s page`,
} as const;

export const groupDetailsWords = {
  is: (name: string, how: string, lineName: string) =>
    `${name} is ${how === 'add' ? 'now in' : 'no longer in'} ${lineName}.`,
  noDepartment: 'no department',
  below: (name: string) => `below ${name}`,
  led: (name: string) => `led by ${name}`,
  change: 'Change',
  remove: 'Remove',
  removeName: (name: string) => `Remove ${name}`,
  removeTitle: (kind: string, name: string) => `Remove the ${kind} “${name}”?`,
  removeVerb: (kind: string) => `Remove the ${kind}`,
  removed: (name: string) => `${name} is removed.`,
  itsButFiguresCan: (members: number, kind: string) =>
    `Its ${counted(members, 'person stays', 'people stay')}, but figures can no longer be filtered by this ${kind}. Links to it find nothing.`,
  addSomeone: (name: string) => `Add someone to ${name}`,
  youCanSeeNo: 'You can’t see anyone in it. Squad members are shown only to people who see their work.',
  no: 'No one is in it.',
  people: (name: string) => `People in ${name}`,
  name: 'Name',
  take: 'Take out',
  takeName: (name: string) => `Take out ${name}`,
  takeTitle: (name: string, lineName: string) => `Take ${name} out of ${lineName}?`,
  theirWorkNoLonger: (name: string) => `Their work no longer counts for ${name}, past work included.`,
} as const;

export const groupFormWords = {
  saved: (fields: string, name: string) => `Saved: ${fields} of ${name}.`,
  name: 'Name',
  department: 'Department',
  below: 'Below',
  nothingAtTop: 'nothing: at the top',
  leadChooseAnother: (name: string) => `Lead: ${name}. Choose another`,
  noLeadChoose: 'No lead. Choose one',
  removeLead: 'Remove the lead',
  save: 'Save',
} as const;

export const groupTreeWords = {
  teamsAndSquads: 'Teams and squads',
  now: (name: string, kind: string, ontoName: string) =>
    `${name} is now ${kind === 'team' ? 'in' : 'below'} ${ontoName}.`,
  arrowKeysWalk: (mayChange: boolean) =>
    `Arrow keys move and open.${mayChange ? ' Drag a team into a department or a squad below another, or change it in the form.' : ''}`,
  makeGroup: 'Make a group',
  thereNoTeams: (mayChange: boolean) =>
    `There are no teams or squads yet. They come with people from connections and imports${mayChange ? ', or are made here.' : '.'}`,
  departmentWordThatTeams: 'A department is a label that teams share. Choose one of its teams to change it.',
} as const;

export const newGroupWords = {
  made: (kind: string, name: string) => `The ${kind} ${name} is made.`,
  what: 'What',
  teamPeopleWhoWork: 'Team: people who work together, in a department',
  squadPeopleBelowLead: 'Squad: people below a lead, in a hierarchy',
  nameNewGroup: 'Name of the new group',
  department: 'Department',
  below: 'Below',
  nothingAtTop: 'nothing: at the top',
  make: (kind: string) => `Make the ${kind}`,
} as const;

export const rosterWords = {
  roster: 'Roster',
  byName: (isOwner: boolean) =>
    `By name. ${!isOwner ? 'Squads, job titles and roles are shown only for people whose work you see. ' : ''}`,
  yourOwnPage: 'Your own page',
  searchPeople: 'Search people',
  nameTeamAddress: 'Name, team, address or login',
  who: 'Who',
  team: 'Team',
  allTeams: 'All teams',
  rosterWhat: 'The roster',
  noOneMatches: (search: string | null | undefined) => `No one matches${search ? ` “${search}”` : ''}.`,
  showEveryone: 'Show everyone',
  peopleByName: 'People by name',
  squads: 'Squads',
  jobTitle: 'Job title',
  role: 'Role',
  name: 'Name',
  teams: 'Teams',
  inMetrics: 'In metrics',
  pagesRoster: 'Pages of the roster',
  to: (first: number, count: number) => `${grouped(first)} to ${grouped(count)} of `,
  previous: 'Previous',
  next: 'Next',
  bot: 'Bot',
  yes: 'Yes',
  no: 'No',
} as const;

export const treeListWords = {
  teamsAndSquads: 'Teams and squads',
} as const;

/** `220 people, 214 of them in metrics, in 18 teams and 24 squads.` */
export function peopleSentence(
  total: number | undefined,
  onboarded: number | undefined,
  groups: Groups | undefined,
): string {
  if (total === undefined || onboarded === undefined) return ' ';
  if (total === 0) return 'No people yet.';
  const counting = onboarded === total ? 'all in metrics' : `${grouped(onboarded)} of them in metrics`;
  const where = groups
    ? `, in ${counted(groups.teams.length, 'team', 'teams')} and ${counted(groups.squads.length, 'squad', 'squads')}`
    : '';
  return `${counted(total, 'person', 'people')}, ${counting}${where}.`;
}

export const rosterStates = {
  all: 'Everyone',
  onboarded: 'In metrics',
  'not-onboarded': 'Not in metrics',
  bots: 'Bots',
} as const;

export const noDepartment = 'No department';
