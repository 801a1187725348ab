import type { Blueprint } from '../blueprint.ts';

/** A young company where everybody deploys, everybody sees everything and addresses are first names. */
export const pebblewise: Blueprint = {
  slug: 'pebblewise',
  name: 'Pebblewise',
  timeZone: 'Asia/Kolkata',
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  headcount: 26,
  founded: '2021-02-01',
  emailDomain: 'pebblewise.example',
  formerDomain: 'pebbl.example',
  emailForm: 'given',
  codeHost: 'github',
  workplaces: ['slack'],
  owner: {
    written: 'Meera Raghunathan',
    given: 'meera',
    family: 'raghunathan',
    title: 'Co-founder and Engineering Lead',
    place: 'Bengaluru',
    login: 'meera-builds',
  },
  cast: [
    { written: 'Thamizhselvi', given: 'thamizhselvi', family: '', place: 'Chennai' },
    { written: 'प्रिया शर्मा', given: 'priya', family: 'sharma', place: 'Bengaluru' },
    { written: 'Anthony D’Souza', given: 'anthony', family: 'dsouza', place: 'Bengaluru' },
  ],
  offices: [
    { place: 'Bengaluru', weight: 5, pay: 1, cultures: ['indian', 'indian', 'indian', 'hindi', 'tamil'] },
    { place: 'Chennai', weight: 2, pay: 0.9, cultures: ['tamil', 'tamil', 'indian'] },
    { place: 'Remote', weight: 1, pay: 1, cultures: ['persian', 'kenyan', 'turkish', 'northAmerican'] },
  ],
  departments: [
    {
      name: 'Product',
      director: 'Head of Product Engineering',
      teams: ['Learner App', 'Tutor Tools', 'Growth'],
      coding: ['Full-stack Engineer', 'Mobile Engineer'],
      planning: ['Product Designer', 'Product Manager'],
    },
    {
      name: 'Foundations',
      director: 'Head of Foundations',
      teams: ['Infrastructure', 'Question Bank'],
      coding: ['Backend Engineer', 'Machine Learning Engineer'],
      planning: ['Curriculum Lead'],
    },
  ],
  guild: 'Friday Fixers',
  outsideTeam: 'Freelancers',
  outsiderTitle: 'Freelance Engineer',
  squads: {
    top: ['Everyone'],
    levels: 2,
    names: ['Agate', 'Basalt', 'Flint', 'Garnet', 'Jasper', 'Marble', 'Onyx', 'Opal', 'Quartz', 'Slate', 'Topaz'],
  },
  engineerRungs: [
    { level: 'E1', prefix: '', weight: 4, pay: 1_400_000 },
    { level: 'E2', prefix: '', weight: 4, pay: 2_300_000 },
    { level: 'E3', prefix: 'Senior', weight: 2, pay: 3_600_000 },
  ],
  management: {
    top: { level: 'Founder', pay: 4_000_000 },
    director: { level: 'E5', pay: 6_200_000 },
    groupManager: { level: 'E5', title: 'Engineering Manager', pay: 5_600_000 },
    teamManager: { level: 'E4', title: 'Tech Lead', pay: 4_800_000 },
    peoplePartner: { level: 'E2', title: 'Office and People', pay: 1_600_000 },
  },
  habits: { withoutEmail: 0.05, personalEmail: 0.2, leavers: 0.08, outsiders: 0.1 },
  repositoryOwner: 'pebblewise',
  repositories: [
    { repository: 'pebblewise/pebble', default_branch: 'main', deployment_source: 'merge_to_default', is_active: true },
    {
      repository: 'pebblewise/app-store-builds',
      default_branch: 'develop',
      production_branch: 'stable',
      deployment_source: 'github_release',
      is_active: true,
    },
    { repository: 'pebblewise/question-importer', default_branch: 'main', is_active: true },
    { repository: 'pebblewise/prototype-2021', default_branch: 'main', is_active: false },
  ],
};
