import { Command } from 'cmdk';
import { navigate } from 'wouter/use-browser-location';
import { metrics } from '../ask/catalogue.ts';
import { usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import { aboutMetric, type MetricName } from '../ask/metric-facts.ts';
import { changeView, useView } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { linkTo } from '../ask/view-state.ts';
import { isOwner, useSession } from '../page-session.ts';
import { routes, settingsPages } from '../routes.ts';

/** Everything that typing can find: pages, metrics, teams, repositories, people. */
export default function PaletteList({ onClose }: { readonly onClose: () => void }) {
  const { state, today } = useView();
  const session = useSession();
  const go = (href: string) => () => {
    onClose();
    navigate(href);
  };
  const narrow = (filter: keyof ViewFilters, id: string) => () => {
    onClose();
    changeView({ filters: { ...state.filters, [filter]: [id] } });
  };
  const narrowed = [
    { heading: 'Teams', filter: 'team', choices: useTeams() },
    { heading: 'Repositories', filter: 'repository', choices: useRepositories(today) },
    { heading: 'People', filter: 'person', choices: usePeople() },
  ] as const;
  return (
    <Command label="Search pages, metrics, teams, repositories and people" loop>
      <Command.Input autoFocus placeholder="Go to a page, a metric, a team, a repository or a person" />
      <Command.List>
        <Command.Empty>Nothing has that name.</Command.Empty>
        <Command.Group heading="Pages">
          {routes.flatMap(({ path, name }) =>
            name === undefined ? (
              []
            ) : (
              <Command.Item key={path} value={`page ${name}`} onSelect={go(linkTo(path, state))}>
                {name}
              </Command.Item>
            ),
          )}
        </Command.Group>
        <Command.Group heading="Settings">
          {settingsPages
            .filter(({ isForOwners }) => isOwner(session) || !isForOwners)
            .map(({ path, name }) => (
              <Command.Item key={path} value={`settings ${name}`} onSelect={go(linkTo(path, state))}>
                {name}
              </Command.Item>
            ))}
        </Command.Group>
        <Command.Group heading="Metrics">
          {(Object.keys(metrics) as MetricName[]).map((metric) => (
            <Command.Item
              key={metric}
              value={`metric ${aboutMetric(metric).title} ${metric}`}
              onSelect={go(linkTo('/explore', state, { metric }))}
            >
              {aboutMetric(metric).title}
              <span className="secondary small"> {metric}</span>
            </Command.Item>
          ))}
        </Command.Group>
        {narrowed.map(({ heading, filter, choices }) => (
          <Command.Group key={heading} heading={heading}>
            {choices.map(({ id, name }) => (
              <Command.Item key={id} value={`${filter} ${name} ${id}`} onSelect={narrow(filter, id)}>
                {name}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}
