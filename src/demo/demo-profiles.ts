import { departments, type OrganisationProfile, yearsEnd } from './organisation-profile.ts';

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
  activity: { pullRequests: 350, weekend: 0.04, growth: 1.4, pace: 1.15, hours: 'office', aiAdoption: 0.68 },
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

/** A payments company of the usual kind: one code host, trunk-based services, strict about who sees whom. */
export const northwindPay: OrganisationProfile = {
  ...{ slug: 'northwind-pay', name: 'Northwind Pay', timeZone: 'Europe/London', country: 'GB' },
  settings: { team_restrictions: true, salary_visibility: true, benchmark_opt_out: false },
  ...{ headcount: 120, founded: '2013-04-08', email: { form: 'given.family', formerDomain: 'tallypoint.example' } },
  codeHosts: ['github'],
  tools: { workplaces: ['jira', 'slack'], tracker: 'jira', titles: 'key', hasMergeQueue: true },
  activity: { pullRequests: 330, weekend: 0.05, growth: 1.7, pace: 1, hours: 'office', aiAdoption: 0.82 },
  seasons: { ...yearsEnd(0.3), '07-22 08-31': 0.78 },
  owner: { written: 'Ada Quill', given: 'ada', family: 'quill', place: 'London', login: 'ada-quill' },
  cast: [
    { written: 'Siobhán O’Connell-Reyes', given: 'siobhan', family: 'oconnell-reyes', place: 'London' },
    { written: 'ليلى الحداد', given: 'layla', family: 'al-haddad', place: 'London' },
  ],
  offices: [
    { place: 'London', weight: 5, pay: 1.15, cultures: { english: 2, irish: 1, indian: 1, nigerian: 1, arabic: 1 } },
    { place: 'Kraków', weight: 3, pay: 0.8, cultures: { polish: 3, ukrainian: 1 } },
    { place: 'Lisboa', weight: 2, pay: 0.75, cultures: { portuguese: 2, spanish: 1, english: 1, greek: 1 } },
    { place: 'Lagos', weight: 2, pay: 0.65, cultures: { nigerian: 1 } },
  ],
  departments: departments(`
    Payments | Director of Payments | Card Payments, Bank Transfers, Checkout, Payouts, Settlement, Direct Debit
      | Software Engineer, Backend Engineer, Quality Engineer | Product Manager, Payments Analyst;
    Platform | Director of Platform | Cloud Foundations, Developer Experience, Data Platform, Site Reliability
      | Platform Engineer, Site Reliability Engineer, Data Engineer | Technical Program Manager;
    Risk | Director of Risk Engineering | Fraud Signals, Identity Checks, Compliance Tooling, Disputes
      | Software Engineer, Machine Learning Engineer | Risk Analyst, Product Manager;
    Customer Products | Director of Customer Products | Merchant Portal, Mobile Wallet, Support Tools,
      Onboarding Flows | Frontend Engineer, Mobile Engineer, Software Engineer | Product Designer, Product Manager`),
  extraTeams: { guild: 'Incident Guild', outside: 'Partner Integrators', outsiderTitle: 'Integration Consultant' },
  squads: { levels: 3, top: ['Move Money', 'Earn Trust'] },
  engineerLevels: { L1: 'Graduate', L2: '', L3: 'Senior', L4: 'Staff', L5: 'Principal' },
  managementLevels: ['M4', 'M3', 'M2', 'M1', 'M1'],
  managementTitles: ['Chief Technology Officer', 'Senior Engineering Manager', 'Engineering Manager', 'People Partner'],
  pay: 55_000,
  shares: { withoutEmail: 0.03, personalEmail: 0.12, leavers: 0.07, outsiders: 0.05 },
  repositories: [
    ['ledger', 'main', 'workflow_run', 'Deploy to production'],
    ['terminal-firmware', 'develop > production', 'github_release'],
    ['handbook', 'main', 'merge_to_default'],
    ['brand-kit', 'main'],
    ['cheque-scanner', 'master', 'inactive'],
  ],
};

/** A game studio: long-lived branches, crunch in the autumn, when games ship, artists who never open a pull request. */
export const lanternfallStudios: OrganisationProfile = {
  ...{ slug: 'lanternfall-studios', name: 'Lanternfall Studios', timeZone: 'America/Toronto', country: 'CA' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 85, founded: '2009-09-14', email: { form: 'initial-family', formerDomain: 'pixelbarn.example' } },
  codeHosts: ['gitlab'],
  tools: { workplaces: ['jira', 'slack'], tracker: 'jira', titles: 'plain' },
  activity: { pullRequests: 150, weekend: 0.12, growth: 1.35, pace: 1.25, hours: 'office', aiAdoption: 0.6 },
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

/** A foundation that maintains mapping software: few employees, many volunteers, most of them known by a login only. */
export const openMeridian: OrganisationProfile = {
  ...{ slug: 'open-meridian', name: 'Open Meridian Foundation', timeZone: 'UTC', country: 'everywhere' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 52, founded: '2011-10-03', email: { form: 'given', formerDomain: 'mapcommons.example' } },
  codeHosts: ['github', 'gitlab'],
  tools: { workplaces: ['slack'], tracker: 'github', titles: 'conventional' },
  activity: { pullRequests: 90, weekend: 0.5, growth: 1.25, pace: 2, hours: 'volunteers', aiAdoption: 0.6 },
  seasons: { ...yearsEnd(0.7), '08-01 08-25': 0.8 },
  owner: { written: 'Wanjiru wa Githinji', given: 'wanjiru', family: 'wagithinji', place: 'Nairobi', login: 'wanjiru' },
  cast: [
    { written: 'Kaʻiulani Māhoe', given: 'kaiulani', family: 'mahoe', place: 'Remote, Americas' },
    { written: 'Олена Їжак', given: 'olena', family: 'yizhak', place: 'Remote, Europe' },
    { written: 'ሰላም ተስፋዬ', given: 'selam', family: 'tesfaye', place: 'Nairobi' },
  ],
  offices: [
    { place: 'Nairobi', weight: 2, cultures: { kenyan: 1 } },
    { place: 'Berlin', weight: 2, cultures: { german: 1, turkish: 1, nordic: 1 } },
    { place: 'Remote, Americas', weight: 3, cultures: { english: 1, spanish: 1, portuguese: 1 } },
    { place: 'Remote, Europe', weight: 3, cultures: { french: 1, ukrainian: 1, irish: 1, greek: 1 } },
    { place: 'Remote, Asia', weight: 3, cultures: { chinese: 1, japanese: 1, korean: 1, indian: 1 } },
  ],
  departments: departments(`
    Maintainers | Director of Software | Map Renderer, Geocoder, Tile Server, Editor | Maintainer, Core Contributor,
      Contributor | Documentation Writer, Translator;
    Community | Director of Community | Infrastructure Volunteers, Release Stewards | Infrastructure Volunteer,
      Release Steward | Community Organiser, Grant Writer`),
  extraTeams: { guild: 'Security Response', outside: 'Emeritus', outsiderTitle: 'Former Maintainer' },
  squads: { levels: 3, top: ['Roadmap'] },
  engineerLevels: { Volunteer: '', Fellow: '', Staff: '' },
  managementLevels: ['Executive', 'Staff', 'Staff', 'Staff', 'Staff'],
  managementTitles: ['Executive Director', 'Programme Lead', 'Lead Maintainer', 'Operations Coordinator'],
  shares: { withoutEmail: 0.3, personalEmail: 0.4, leavers: 0.1, outsiders: 0.08 },
  repositories: [
    ['meridian', 'main', 'github_release'],
    ['website', 'main', 'merge_to_default'],
    ['tile-bakery', 'develop > live', 'workflow_run', 'deploy'],
    ['map-styles', 'main'],
    ['flash-viewer', 'master', 'inactive'],
  ],
};

/** A young company where everybody deploys, everybody sees everything and addresses are first names. */
export const pebblewise: OrganisationProfile = {
  ...{ slug: 'pebblewise', name: 'Pebblewise', timeZone: 'Asia/Kolkata', country: 'IN' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 26, founded: '2021-02-01', email: { form: 'given', formerDomain: 'pebbl.example' } },
  codeHosts: ['github'],
  tools: { workplaces: ['slack'], tracker: 'linear', titles: 'conventional' },
  activity: { pullRequests: 70, weekend: 0.16, growth: 2.6, pace: 0.55, hours: 'office', aiAdoption: 0.95 },
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

/** A public agency: salaries are public by law, releases are rare and planned, and much of the work is done on contract. */
export const publicRegisters: OrganisationProfile = {
  ...{ slug: 'public-registers', name: 'Office of Public Registers', timeZone: 'Europe/Tallinn', country: 'EE' },
  settings: { team_restrictions: true, salary_visibility: true, benchmark_opt_out: false },
  ...{ headcount: 160, founded: '2004-01-05', email: { form: 'given.family', formerDomain: 'land-archive.example' } },
  codeHosts: ['bitbucket'],
  tools: { workplaces: ['jira'], tracker: 'jira', titles: 'key' },
  activity: { pullRequests: 250, weekend: 0.02, growth: 1.2, pace: 1.6, hours: 'office', aiAdoption: 0.5 },
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
