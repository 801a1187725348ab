import { boolean, date, number, text, textList, timestamp } from '../record.ts';
import { table, whenRead } from '../table.ts';

/** Put together from the directory when it is read: people are kept there, and only there. */
export const userMetrics = table({
  name: 'user_metrics',
  one: 'a person',
  meaning: 'People, as the directory knows them.',
  key: ['merged_user_id'],
  person: 'person',
  isPeople: true,
  // Salaries are a metric with a gate of its own, and never a column beside others.
  neverGrouped: ['salary'],
  dates: {},
  columns: {
    merged_user_id: whenRead(text('Identifier of the person.')),
    name: whenRead(text('Name.')),
    main_email: whenRead(text('Primary email address.')),
    github_username: whenRead(text('Login on GitHub, or else on another code host.')),
    role: whenRead(text('Job title.')),
    level: whenRead(text('Seniority level.')),
    location: whenRead(text('Place of work.')),
    team_name: whenRead(text('Team. One row for each.')),
    team_names: whenRead(textList('Teams.')),
    departments: whenRead(textList('Departments of the teams.')),
    manager_name: whenRead(text('Name of the manager.')),
    sources: whenRead(textList('Where the person has a login.')),
    last_active_at: whenRead(
      timestamp(
        'Latest pull request opened, commit, review, comment, issue completed, day with an assistant or coding session.',
      ),
    ),
    user_created_date: whenRead(date('When the person joined.')),
    is_bot: whenRead(boolean('Whether it is a bot.')),
    salary: whenRead(number('Yearly salary.')),
  },
});
