import { Command } from 'cmdk';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { navigate } from 'wouter/use-browser-location';
import type { BoardDocument } from '../ask/board-document.ts';
import { metrics } from '../ask/catalogue.ts';
import { type Choice, usePeople, useRepositories, useTeams } from '../ask/choices.ts';
import { aboutMetric, type MetricName } from '../ask/metric-facts.ts';
import { tableOfPath } from '../ask/page-tables.ts';
import { useDocuments } from '../ask/stored-documents.ts';
import { changeView, useView } from '../ask/use-view.ts';
import type { ViewFilters } from '../ask/view-state.ts';
import { linkTo } from '../ask/view-state.ts';
import { presets } from '../ask/windows.ts';
import { isOwner, useSession } from '../page-session.ts';
import { routes, settingsPages } from '../routes.ts';
import { switchTheme } from '../theme/theme.ts';
import { boardLink } from './board-link.ts';
import { boardWords } from './board-words.ts';
import { type PaletteEntry, rankedGroups } from './palette-match.ts';
import { paletteListWords } from './palette-words.ts';
import { presetNames } from './range-words.ts';
import { signOut } from './sign-out.ts';

const palettePlaceholder = paletteListWords.goToPageMetric;

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
  const [path] = useLocation();
  const boards = useDocuments<BoardDocument>('boards').data ?? [];
  const go = (href: string) => () => navigate(href);
  // A page without filters shows nothing of a narrower view: the overview does.
  const narrow = (filter: keyof ViewFilters, id: string) => () => {
    const filters = { ...state.filters, [filter]: [id] };
    if (tableOfPath(path) === undefined) navigate(linkTo('/', { ...state, filters }));
    else changeView({ filters });
  };
  const named = (heading: string, word: string, choices: readonly Choice[], pick: (id: string) => () => void) =>
    choices.map(({ id, name }) => ({ key: `${word} ${id}`, heading, name, words: [word], pick: pick(id) }));
  const entries: readonly PaletteEntry[] = [
    ...routes.flatMap(({ path: to, name }) =>
      name === undefined
        ? []
        : [
            {
              key: `page:${to}`,
              heading: paletteListWords.pages,
              name,
              words: [],
              pick: go(linkTo(to, state)),
            },
          ],
    ),
    ...settingsPages
      .filter(({ isForOwners }) => isOwner(session) || !isForOwners)
      .map(({ path: to, name }) => ({
        key: `settings:${to}`,
        heading: paletteListWords.settingsHeading,
        name,
        words: ['settings'],
        pick: go(linkTo(to, state)),
      })),
    ...presets.map((preset) => ({
      key: `range:${preset}`,
      heading: paletteListWords.actions,
      name: presetNames[preset],
      words: ['range'],
      pick: () => void changeView({ range: preset }),
    })),
    {
      key: 'theme',
      heading: paletteListWords.actions,
      name: paletteListWords.switchTheme,
      words: ['dark', 'light'],
      pick: switchTheme,
    },
    {
      key: 'sign-out',
      heading: paletteListWords.actions,
      name: paletteListWords.signName,
      words: [paletteListWords.log],
      pick: () => void signOut(),
    },
    ...named(paletteListWords.teams, 'team', useTeams(), (id) => narrow('team', id)),
    ...named(paletteListWords.repositories, 'repository', useRepositories(today), (id) => narrow('repository', id)),
    ...named(paletteListWords.people, 'person', usePeople(), (id) =>
      go(linkTo(`/people/${encodeURIComponent(id)}`, state)),
    ),
    ...boards.map(({ board = '', title }) => ({
      key: `board:${board}`,
      heading: boardWords.boards,
      name: title,
      words: ['board'],
      pick: go(boardLink(board, state)),
    })),
    ...(Object.keys(metrics) as MetricName[]).map((metric) => ({
      key: `metric:${metric}`,
      heading: paletteListWords.metrics,
      name: aboutMetric(metric).label,
      words: [metric, 'metric'],
      pick: go(linkTo('/explore', state, { metric })),
    })),
  ];
  return (
    <Command label={paletteListWords.searchPagesMetricsTeams} loop shouldFilter={false}>
      <Command.Input autoFocus value={search} onValueChange={setSearch} placeholder={palettePlaceholder} />
      <Command.List>
        <Command.Empty>{paletteListWords.noMatches}</Command.Empty>
        {rankedGroups(entries, search).map(({ heading, entries: found }) => (
          <Command.Group key={heading} heading={heading}>
            {found.map(({ key, name, pick }) => (
              <Command.Item
                key={key}
                value={key}
                onSelect={() => {
                  onClose();
                  pick();
                }}
              >
                {name}
              </Command.Item>
            ))}
          </Command.Group>
        ))}
      </Command.List>
    </Command>
  );
}
