import { departments, type OrganisationProfile, yearsEnd } from '../organisation-profile.ts';

/** A game studio: long-lived branches, crunch in the autumn, when games ship, artists who never open a pull request. */
export const lanternfallStudios: OrganisationProfile = {
  ...{ slug: 'lanternfall-studios', name: 'Lanternfall Studios', timeZone: 'America/Toronto', country: 'CA' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 85, founded: '2009-09-14', email: { form: 'initial-family', formerDomain: 'pixelbarn.example' } },
  codeHosts: ['gitlab'],
  tools: { workplaces: ['jira', 'slack'], tracker: 'jira', titles: 'plain' },
  activity: { pullRequests: 750, weekend: 0.12, growth: 1.35, pace: 1.25, hours: 'office', aiAdoption: 0.6 },
  seasons: { ...yearsEnd(0.35), '07-15 08-10': 0.65, '09-08 10-31': 1.4 },
  owner: { written: 'Geneviève Saint-Cyr', given: 'genevieve', family: 'saint-cyr', place: 'Montréal', login: 'gscyr' },
  cast: [
    { written: '𠮷田 翔太', given: 'shota', family: 'yoshida', place: '東京' },
    { written: 'Jean-Baptiste L’Écuyer', given: 'jean-baptiste', family: 'lecuyer', place: 'Montréal' },
  ],
  offices: [
    { place: 'Montréal', weight: 6, cultures: { french: 3, english: 1, arabic: 1, chinese: 1 } },
    { place: '東京', weight: 3, cultures: { japanese: 1 } },
    { place: '서울', weight: 2, cultures: { korean: 1 } },
  ],
  departments: departments(`
    Engine | Engine Director | Rendering, Physics, Netcode, Audio Engine, Asset Pipeline | Engine Programmer,
      Graphics Programmer, Tools Programmer | Technical Producer;
    Gameplay | Gameplay Director | Combat, Quests, World Building, Creature Behaviour | Gameplay Programmer,
      Technical Designer, Quality Analyst | Narrative Designer, Level Artist, Producer;
    Online Services | Director of Online | Matchmaking, Player Accounts, Live Operations, Anti-Cheat
      | Backend Programmer, Reliability Engineer | Community Producer`),
  extraTeams: { guild: 'Accessibility Circle', outside: 'Porting Partners', outsiderTitle: 'Porting Programmer' },
  squads: { levels: 2, top: ['Emberwake', 'Tidewardens'] },
  engineerLevels: { Junior: 'Junior', Intermediate: '', Senior: 'Senior', Lead: 'Lead' },
  managementLevels: ['Executive', 'Director', 'Manager', 'Manager', 'Manager'],
  managementTitles: ['Technical Director', 'Programming Manager', 'Team Director', 'Studio Coordinator'],
  shares: { withoutEmail: 0.04, personalEmail: 0.1, leavers: 0.12, outsiders: 0.08 },
  repositories: [
    ['emberwake', 'develop > live', 'workflow_run', 'ship-to-stores'],
    ['tidewardens', 'develop > live', 'workflow_run', 'ship-to-stores'],
    ['lampwright-engine', 'main'],
    ['pixelbarn-classic', 'master', 'inactive'],
  ],
};
