import { departments, type OrganisationProfile } from '../organisation-profile.ts';

/** A young company where everybody deploys, everybody sees everything and addresses are first names. */
export const pebblewise: OrganisationProfile = {
  ...{ slug: 'pebblewise', name: 'Pebblewise', timeZone: 'Asia/Kolkata', country: 'IN' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 26, founded: '2021-02-01', email: { form: 'given', formerDomain: 'pebbl.example' } },
  codeHosts: ['github'],
  tools: { workplaces: ['slack'], tracker: 'linear', titles: 'conventional' },
  activity: { pullRequests: 450, weekend: 0.16, growth: 2.6, pace: 0.55, hours: 'office', aiAdoption: 0.95 },
  seasons: { '12-24 12-31': 0.7 },
  owner: { written: 'Meera Raghunathan', given: 'meera', family: 'raghunathan', place: 'Bengaluru', login: 'meera' },
  cast: [
    { written: 'Thamizhselvi', given: 'thamizhselvi', family: '', place: 'Chennai' },
    { written: 'Anthony D’Souza', given: 'anthony', family: 'dsouza', place: 'Bengaluru' },
  ],
  offices: [
    { place: 'Bengaluru', weight: 5, cultures: { indian: 3, hindi: 1, tamil: 1 } },
    { place: 'Chennai', weight: 2, cultures: { tamil: 2, indian: 1 } },
    { place: 'Remote', weight: 1, cultures: { kenyan: 1, turkish: 1, english: 1 } },
  ],
  departments: departments(`
    Product | Head of Product Engineering | Learner App, Tutor Tools, Growth | Full-stack Engineer, Mobile Engineer
      | Product Designer, Product Manager;
    Foundations | Head of Foundations | Infrastructure, Question Bank | Backend Engineer, Machine Learning Engineer
      | Curriculum Lead`),
  extraTeams: { guild: 'Friday Fixers', outside: 'Freelancers', outsiderTitle: 'Freelance Engineer' },
  squads: { levels: 2, top: ['Everyone'] },
  engineerLevels: { E1: '', E2: '', E3: 'Senior' },
  managementLevels: ['Founder', 'E5', 'E5', 'E4', 'E2'],
  managementTitles: ['Co-founder and Engineering Lead', 'Engineering Manager', 'Tech Lead', 'Office and People'],
  shares: { withoutEmail: 0.05, personalEmail: 0.2, leavers: 0.08, outsiders: 0.1 },
  repositories: [
    ['pebble', 'main', 'merge_to_default'],
    ['app-store-builds', 'develop > stable', 'github_release'],
    ['question-importer', 'main'],
    ['prototype-2021', 'main', 'inactive'],
  ],
};
