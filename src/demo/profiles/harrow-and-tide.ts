import { departments, type OrganisationProfile } from '../organisation-profile.ts';

/** A logistics group on four continents, halfway through a move from one code host to another. It rests in January. */
export const harrowAndTide: OrganisationProfile = {
  ...{ slug: 'harrow-and-tide', name: 'Harrow & Tide Logistics', timeZone: 'Pacific/Auckland', country: 'NZ' },
  settings: { team_restrictions: true, salary_visibility: false, benchmark_opt_out: false },
  ...{
    headcount: 217,
    founded: '1998-06-01',
    email: { form: 'given.family', formerDomain: 'tideline-shipping.example' },
  },
  codeHosts: ['bitbucket', 'github'],
  tools: { workplaces: ['jira', 'slack'], tracker: 'jira', titles: 'key' },
  activity: { pullRequests: 1_500, weekend: 0.04, growth: 1.4, pace: 1.15, hours: 'office', aiAdoption: 0.68 },
  seasons: { '12-18 12-31': 0.3, '01-01 01-14': 0.35, '07-05 07-20': 0.85 },
  owner: { written: 'Tāmati Hēnare', given: 'tamati', family: 'henare', place: 'Auckland', login: 'tamati-henare' },
  cast: [
    { written: 'Willemijn van ’t Hof', given: 'willemijn', family: 'vanthof', place: 'Rotterdam' },
    { written: 'Conceição d’Ávila', given: 'conceicao', family: 'davila', place: 'Santos' },
    { written: 'Wulandari', given: 'wulandari', family: '', place: 'Surabaya' },
  ],
  offices: [
    { place: 'Auckland', weight: 5, cultures: { english: 1, maori: 1, chinese: 1, indian: 1 } },
    { place: 'Rotterdam', weight: 4, cultures: { dutch: 3, turkish: 1, german: 1 } },
    { place: 'Santos', weight: 3, cultures: { portuguese: 1 } },
    { place: 'Hải Phòng', weight: 3, cultures: { vietnamese: 1 } },
    { place: 'Surabaya', weight: 1, cultures: { indonesian: 1 } },
  ],
  departments: departments(`
    Warehousing | Director of Warehouse Systems | Inbound, Picking and Packing, Stock Accuracy, Yard Management,
      Robotics | Software Engineer, Embedded Engineer, Test Engineer | Product Owner, Process Engineer;
    Transport | Director of Transport Systems | Route Planning, Fleet Telemetry, Driver App, Port Operations, Customs
      | Software Engineer, Mobile Engineer, Operations Research Engineer | Product Owner, Customs Specialist;
    Commercial | Director of Commercial Systems | Quotes and Tariffs, Customer Tracking, Invoicing, Claims, Sales Desk
      | Software Engineer, Integration Engineer, Frontend Engineer | Product Owner, Business Analyst;
    Technology Services | Director of Technology Services | Cloud and Network, Identity and Access, Data Warehouse,
      Release Engineering, Handheld Devices | Systems Engineer, Data Engineer, DevOps Engineer | Service Manager`),
  extraTeams: { guild: 'Migration Crew', outside: 'Harbour IT Contractors', outsiderTitle: 'Contract Developer' },
  squads: { levels: 3, top: ['Warehouse to Wharf', 'Wharf to Door', 'Order to Cash'] },
  engineerLevels: { 'Band A': 'Associate', 'Band B': '', 'Band C': 'Senior', 'Band D': 'Principal' },
  managementLevels: ['Band H', 'Band G', 'Band F', 'Band E', 'Band C'],
  managementTitles: ['Group Head of Technology', 'Delivery Manager', 'Team Manager', 'People and Culture Adviser'],
  shares: { withoutEmail: 0.03, personalEmail: 0.06, leavers: 0.09, outsiders: 0.09 },
  repositories: [
    ['waybill', 'develop > master', 'bitbucket_deployment'],
    ['container-tracker', 'main', 'bitbucket_deployment'],
    ['driver-app', 'main', 'workflow_run', 'Release to production', 'Hotfix to production'],
    ['label-templates', 'main'],
    ['tideline-mainframe-bridge', 'master', 'inactive'],
  ],
};
