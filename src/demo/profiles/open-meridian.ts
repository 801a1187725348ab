import { departments, type OrganisationProfile, yearsEnd } from '../organisation-profile.ts';

/** A foundation that maintains mapping software: few employees, many volunteers, most of them known by a login only. */
export const openMeridian: OrganisationProfile = {
  ...{ slug: 'open-meridian', name: 'Open Meridian Foundation', timeZone: 'UTC', country: 'everywhere' },
  settings: { team_restrictions: false, salary_visibility: false, benchmark_opt_out: false },
  ...{ headcount: 52, founded: '2011-10-03', email: { form: 'given', formerDomain: 'mapcommons.example' } },
  codeHosts: ['github', 'gitlab'],
  tools: { workplaces: ['slack'], tracker: 'github', titles: 'conventional' },
  activity: { pullRequests: 450, weekend: 0.5, growth: 1.25, pace: 2, hours: 'volunteers', aiAdoption: 0.6 },
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
