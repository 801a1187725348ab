import { departments, type OrganisationProfile, yearsEnd } from '../organisation-profile.ts';

/** A payments company of the usual kind: one code host, trunk-based services, strict about who sees whom. */
export const northwindPay: OrganisationProfile = {
  ...{ slug: 'northwind-pay', name: 'Northwind Pay', timeZone: 'Europe/London', country: 'GB' },
  settings: { team_restrictions: true, salary_visibility: true, benchmark_opt_out: false },
  ...{ headcount: 120, founded: '2013-04-08', email: { form: 'given.family', formerDomain: 'tallypoint.example' } },
  codeHosts: ['github'],
  tools: { workplaces: ['jira', 'slack'], tracker: 'jira', titles: 'key', hasMergeQueue: true },
  activity: { pullRequests: 1_050, weekend: 0.05, growth: 1.7, pace: 1, hours: 'office', aiAdoption: 0.82 },
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
