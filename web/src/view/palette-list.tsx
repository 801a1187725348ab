import { Command } from 'cmdk';
import { type ReactNode, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import { metrics } from '../ask/catalogue.ts';
import { usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import { aboutMetric, type MetricName } from '../ask/metric-facts.ts';
import { changeView, useView } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { linkTo } from '../ask/view-state.ts';
import { presets } from '../ask/windows.ts';
import { isOwner, useSession } from '../page-session.ts';
import { routes, settingsPages } from '../routes.ts';
import { switchTheme } from '../theme/theme.ts';
import { matchOf } from './palette-match.ts';
import { presetNames } from './range-menu.tsx';
import { signOut } from './sign-out.ts';

const palettePlaceholder = 'Go to a page, metric, team, repository or person';

interface ListProps {
  /** The letters that were typed while the list was on its way. */
  readonly typed: string;
  readonly onClose: () => void;
}

/** Everything that typing can find: pages, metrics, teams, repositories and people, and what can be done on any page. */
export default function PaletteList({ typed, onClose }: ListProps) {
  const { state, today } = useView();
  const session = useSession();
  const [search, setSearch] = useState(typed);
  const go = (href: string) => () => navigate(href);
  const narrow = (filter: keyof ViewFilters, id: string) => () =>
    void changeView({ filters: { ...state.filters, [filter]: [id] } });
  const entry = (key: string, name: string, pick: () => void, ...others: readonly string[]): ReactNode => (
    <Command.Item
      key={key}
      value={key}
      keywords={[name, ...others]}
      onSelect={() => {
        onClose();
        pick();
      }}
    >
      {name}
    </Command.Item>
  );
  const narrowed = [
    { heading: 'Teams', filter: 'team', choices: useTeams() },
    { heading: 'Repositories', filter: 'repository', choices: useRepositories(today) },
    { heading: 'People', filter: 'person', choices: usePeople() },
  ] as const;
  return (
    <Command
      label="Search pages, metrics, teams, repositories and people"
      loop
      filter={(_, text, words) => matchOf(text, words)}
    >
      <Command.Input autoFocus value={search} onValueChange={setSearch} placeholder={palettePlaceholder} />
      <Command.List>
        <Command.Empty>No matches</Command.Empty>
        <Command.Group heading="Pages">
          {routes.flatMap(({ path, name }) =>
            name === undefined ? [] : [entry(`page ${path}`, name, go(linkTo(path, state)))],
          )}
        </Command.Group>
        <Command.Group heading="Settings">
          {settingsPages
            .filter(({ isForOwners }) => isOwner(session) || !isForOwners)
            .map(({ path, name }) => entry(`settings ${path}`, name, go(linkTo(path, state)), 'settings'))}
        </Command.Group>
        <Command.Group heading="Actions">
          {presets.map((preset) =>
            entry(`range ${preset}`, presetNames[preset], () => changeView({ range: preset }), 'range'),
          )}
          {entry('theme', 'Switch theme', switchTheme, 'dark', 'light')}
          {entry('sign out', 'Sign out', () => void signOut(), 'log out')}
        </Command.Group>
        {narrowed.map(({ heading, filter, choices }) => (
          <Command.Group key={heading} heading={heading}>
            {choices.map(({ id, name }) => entry(`${filter} ${id}`, name, narrow(filter, id), filter))}
          </Command.Group>
        ))}
        <Command.Group heading="Metrics">
          {(Object.keys(metrics) as MetricName[]).map((metric) =>
            entry(
              `metric ${metric}`,
              aboutMetric(metric).label,
              go(linkTo('/explore', state, { metric })),
              metric,
              'metric',
            ),
          )}
        </Command.Group>
      </Command.List>
    </Command>
  );
}
