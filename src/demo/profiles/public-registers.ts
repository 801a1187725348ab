import { departments, type OrganisationProfile, yearsEnd } from '../organisation-profile.ts';

/** A public agency: salaries are public by law, releases are rare and planned, and much of the work is done on contract. */
export const publicRegisters: OrganisationProfile = {
  ...{ slug: 'public-registers', name: 'Office of Public Registers', timeZone: 'Europe/Tallinn', country: 'EE' },
  settings: { team_restrictions: true, salary_visibility: true, benchmark_opt_out: false },
  ...{ headcount: 160, founded: '2004-01-05', email: { form: 'given.family', formerDomain: 'land-archive.example' } },
  codeHosts: ['bitbucket'],
  tools: { workplaces: ['jira'], tracker: 'jira', titles: 'key' },
  activity: { pullRequests: 800, weekend: 0.02, growth: 1.2, pace: 1.6, hours: 'office', aiAdoption: 0.5 },
  seasons: { ...yearsEnd(0.3), '06-25 07-31': 0.45, '08-01 08-15': 0.75 },
  owner: { written: 'Kaja Põldmaa', given: 'kaja', family: 'poldmaa', place: 'Tallinn', login: 'kpoldmaa' },
  cast: [
    { written: 'Фёдор Щукин', given: 'fyodor', family: 'shchukin', place: 'Narva' },
    { written: 'Þórdís Jónsdóttir', given: 'thordis', family: 'jonsdottir', place: 'Tartu' },
  ],
  offices: [
    { place: 'Tallinn', weight: 6, pay: 1, cultures: { estonian: 4, russian: 1, nordic: 1, ukrainian: 1 } },
    { place: 'Tartu', weight: 3, pay: 0.92, cultures: { estonian: 2, german: 1 } },
    { place: 'Narva', weight: 2, pay: 0.88, cultures: { russian: 2, estonian: 1 } },
  ],
  departments: departments(`
    Registers | Head of Registers Department | Land Register, Business Register, Civil Status, Vehicle Register,
      Building Register, Ship Register | Developer, Analyst Programmer, Test Engineer | Business Analyst,
      Register Specialist;
    Citizen Services | Head of Citizen Services Department | Citizen Portal, Digital Signatures, Notifications, Fees
      | Developer, Front-end Developer | Service Designer, Accessibility Specialist;
    Infrastructure | Head of Infrastructure Department | Data Exchange, Hosting, Information Security, Archives
      | Systems Engineer, Security Engineer, Database Administrator | Procurement Specialist`),
  extraTeams: { guild: 'Architecture Council', outside: 'Framework Suppliers', outsiderTitle: 'Supplier Developer' },
  squads: { levels: 3, top: ['Once-Only Programme', 'Paperless Court Programme', 'Register Renewal Programme'] },
  engineerLevels: { 'Grade 4': 'Junior', 'Grade 5': '', 'Grade 6': 'Senior', 'Grade 7': 'Chief' },
  managementLevels: ['Grade 10', 'Grade 9', 'Grade 8', 'Grade 8', 'Grade 6'],
  managementTitles: ['Chief Information Officer', 'Head of Division', 'Head of Unit', 'Personnel Adviser'],
  pay: 33_000,
  shares: { withoutEmail: 0.02, personalEmail: 0.04, leavers: 0.06, outsiders: 0.14 },
  repositories: [
    ['land-register', 'develop > production', 'bitbucket_deployment'],
    ['citizen-portal', 'main', 'bitbucket_deployment'],
    ['design-system', 'main'],
    ['paper-index', 'master', 'inactive'],
  ],
};
