import { useIsFetching } from '@tanstack/react-query';
import { Ellipsis, PanelLeftClose, PanelLeftOpen } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { usePinnedBoards } from '../ask/pins.ts';
import { closePanel, useView } from '../ask/use-view.ts';
import { linkTo } from '../ask/view-state.ts';
import { useSession } from '../page-session.ts';
import { isCurrent, preloadPage, type Route, routeGroups, routes } from '../routes.ts';
import './frame.css';
import './panel.css';
import { Avatar } from './avatar.tsx';
import { boardLink } from './board-link.ts';
import { frameWords, navigationHeadings } from './frame-words.ts';
import { Logo } from './logo.tsx';
import { Menu } from './menu.tsx';
import { NewData } from './new-data.tsx';
import { OfflineNote } from './offline-note.tsx';
import { Palette, PaletteButton } from './palette-opener.tsx';
import { PersonMenu } from './person-menu.tsx';
import { SessionEnded } from './session-ended.tsx';
import { Toast } from './toast.tsx';
import { TopBar } from './top-bar.tsx';

const named = routes.filter(({ name }) => name !== undefined);
const Panel = lazy(() => import('./panel.tsx'));
const inBottomBar = ['/', '/delivery', '/cycle-time', '/reviews'];
const storedAs = 'plumb-nav';

/** The frame of every page: navigation, the page, and the panel beside it. */
export function Frame({ children }: { readonly children: ReactNode }) {
  const { panel } = useView().state;
  const [isCollapsed, setCollapsed] = useStored(storedAs);
  const isAsking = useIsFetching() > 0;
  const hasPanel = panel !== undefined;
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!hasPanel) return;
    const onKey = (event: KeyboardEvent) => {
      // Escape closes menus and the palette first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) closePanel();
    };
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('keydown', onKey);
      frame.current?.style.removeProperty('--scrolled-free');
    };
  }, [hasPanel]);
  return (
    <div ref={frame} className={`frame ${isCollapsed ? 'is-collapsed' : ''} ${panel ? 'has-panel' : ''}`}>
      <a className="skip" href="#main">
        {frameWords.skipToPage}
      </a>
      <TopBar />
      <Navigation isCollapsed={isCollapsed} onCollapse={() => setCollapsed(!isCollapsed)} />
      <main id="main" tabIndex={-1} aria-busy={isAsking}>
        <SessionEnded />
        <OfflineNote />
        {children}
        <NewData />
      </main>
      {panel && (
        <Suspense fallback={<aside className="panel" aria-busy="true" />}>
          <Panel />
        </Suspense>
      )}
      <BottomBar />
      <Toast />
      <Palette />
    </div>
  );
}

function useStored(name: string): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    try {
      return localStorage.getItem(name) === '1';
    } catch {
      return false;
    }
  });
  useEffect(() => {
    try {
      localStorage.setItem(name, value ? '1' : '0');
    } catch {
      // Storage can be switched off; then the choice is not remembered.
    }
  }, [name, value]);
  return [value, setValue];
}

interface NavigationLinkProps {
  readonly route: Route;
  /** Without the name, which stands on hover. */
  readonly isShort?: boolean;
}

function NavigationLink({ route, isShort = false }: NavigationLinkProps) {
  const { state } = useView();
  const [location] = useLocation();
  const { path, folder, name, icon: Icon } = route;
  return (
    <Link
      href={linkTo(path, state)}
      onPointerEnter={() => preloadPage(folder)}
      {...(isCurrent(path, location) ? { 'aria-current': 'page' as const } : {})}
      {...(isShort ? { 'aria-label': name, title: name } : {})}
    >
      {Icon && <Icon className="icon" aria-hidden="true" />}
      {!isShort && name}
    </Link>
  );
}

interface NavigationProps {
  readonly isCollapsed: boolean;
  readonly onCollapse: () => void;
}

/** The boards that the reader has pinned. */
function PinnedBoards() {
  const { state } = useView();
  const [location] = useLocation();
  const pinned = usePinnedBoards();
  if (pinned.length === 0) return null;
  return (
    <div className="navigation-pinned">
      <p className="navigation-heading">{frameWords.pinnedBoards}</p>
      <ul>
        {pinned.map(({ board, title }) => (
          <li key={board}>
            <Link
              href={boardLink(board, state)}
              title={title}
              {...(isCurrent(`/board/${board}`, location) ? { 'aria-current': 'page' as const } : {})}
            >
              <span className="navigation-dot" aria-hidden="true" />
              <span className="navigation-board">{title}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Navigation({ isCollapsed, onCollapse }: NavigationProps) {
  const { organisation, person } = useSession();
  const CollapseIcon = isCollapsed ? PanelLeftOpen : PanelLeftClose;
  return (
    <nav className="navigation" aria-label={frameWords.pages}>
      <p className="navigation-name" title={organisation.name}>
        <Logo />
        <span className={isCollapsed ? 'unseen' : undefined}>{organisation.name}</span>
      </p>
      <PaletteButton isShort={isCollapsed} />
      {routeGroups.map((group) => (
        <div key={group} className={`navigation-group is-${group}`}>
          {group === 'end' && !isCollapsed && <PinnedBoards />}
          {navigationHeadings[group] && !isCollapsed && (
            <p className="navigation-heading">{navigationHeadings[group]}</p>
          )}
          <ul>
            {named
              .filter((route) => route.group === group)
              .map((route) => (
                <li key={route.path}>
                  <NavigationLink route={route} isShort={isCollapsed} />
                </li>
              ))}
          </ul>
        </div>
      ))}
      <div className="navigation-foot">
        <Menu
          label={
            <>
              <Avatar id={person.id} name={person.name} />
              <span className="unseen">{frameWords.you} </span>
              <span className={isCollapsed ? 'unseen' : 'navigation-person-name'}>{person.name}</span>
            </>
          }
          className="navigation-person"
        >
          {(close) => <PersonMenu close={close} />}
        </Menu>
        <button
          type="button"
          className="icon-button"
          onClick={onCollapse}
          aria-expanded={!isCollapsed}
          aria-label={isCollapsed ? frameWords.expand : frameWords.collapse}
          title={isCollapsed ? frameWords.expand : frameWords.collapse}
        >
          <CollapseIcon className="icon" aria-hidden="true" />
        </button>
      </div>
    </nav>
  );
}

/** On screens under 768 px the navigation is at the bottom: four pages, and the rest behind one button. */
function BottomBar() {
  const rest = named.filter(({ path }) => !inBottomBar.includes(path));
  const { state } = useView();
  const [location] = useLocation();
  return (
    <nav className="bottom-bar" aria-label={frameWords.pagesShort}>
      {named
        .filter(({ path }) => inBottomBar.includes(path))
        .map((route) => (
          <NavigationLink key={route.path} route={route} />
        ))}
      <Menu
        label={
          <>
            <Ellipsis className="icon" aria-hidden="true" />
            {frameWords.more}
          </>
        }
        isIcon
        name={frameWords.more}
        className="bottom-more"
        align="end"
      >
        {(close) =>
          rest.map(({ path, name }) => (
            <Link
              key={path}
              className="menu-item"
              href={linkTo(path, state)}
              onClick={close}
              {...(isCurrent(path, location) ? { 'aria-current': 'page' as const } : {})}
            >
              {name}
            </Link>
          ))
        }
      </Menu>
    </nav>
  );
}
