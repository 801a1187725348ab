import { useIsFetching } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { closePanel, useView } from '../ask/use-view.ts';
import { linkTo } from '../ask/view-state.ts';
import { useSession } from '../page-session.ts';
import { preloadPage, type Route, routes } from '../routes.ts';
import './frame.css';
import './panel.css';
import { switchTheme } from '../theme/theme.ts';
import { Menu, MenuItem } from './menu.tsx';
import { NewData } from './new-data.tsx';
import { Palette } from './palette-opener.tsx';
import { SessionEnded } from './session-ended.tsx';
import { signOut } from './sign-out.ts';

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
  useEffect(() => {
    if (!hasPanel) return;
    const onKey = (event: KeyboardEvent) => {
      // Escape closes menus and the palette first.
      if (event.key === 'Escape' && !event.defaultPrevented && !document.querySelector('dialog[open]')) closePanel();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [hasPanel]);
  return (
    <div className={`frame ${isCollapsed ? 'is-collapsed' : ''} ${panel ? 'has-panel' : ''}`}>
      <a className="skip" href="#main">
        Skip to the page
      </a>
      <Navigation isCollapsed={isCollapsed} onCollapse={() => setCollapsed(!isCollapsed)} />
      <main id="main" tabIndex={-1} aria-busy={isAsking}>
        <SessionEnded />
        {children}
        <NewData />
      </main>
      {panel && (
        <Suspense fallback={<aside className="panel" aria-busy="true" />}>
          <Panel />
        </Suspense>
      )}
      <BottomBar />
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

function isCurrent(path: string, location: string): boolean {
  return path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
}

function NavigationLink({ route, isShort = false }: { readonly route: Route; readonly isShort?: boolean }) {
  const { state } = useView();
  const [location] = useLocation();
  const { path, folder, name, short } = route;
  return (
    <Link
      href={linkTo(path, state)}
      onPointerEnter={() => preloadPage(folder)}
      {...(isCurrent(path, location) ? { 'aria-current': 'page' as const } : {})}
      {...(isShort ? { 'aria-label': name, title: name } : {})}
    >
      {isShort ? short : name}
    </Link>
  );
}

function Navigation({ isCollapsed, onCollapse }: { readonly isCollapsed: boolean; readonly onCollapse: () => void }) {
  const { organisation, person } = useSession();
  return (
    <nav className="navigation" aria-label="Pages">
      <p className="navigation-name" title={organisation.name}>
        {isCollapsed ? organisation.name.slice(0, 2) : organisation.name}
      </p>
      {[1, 2, 3].map((group) => (
        <ul key={group}>
          {named
            .filter((route) => route.group === group)
            .map((route) => (
              <li key={route.path}>
                <NavigationLink route={route} isShort={isCollapsed} />
              </li>
            ))}
        </ul>
      ))}
      <div className="navigation-foot">
        <Menu
          label={isCollapsed ? person.name.slice(0, 2) : person.name}
          name={`You: ${person.name}`}
          className="navigation-person"
        >
          {(close) => <PersonMenu close={close} />}
        </Menu>
        <button type="button" className="link small secondary" onClick={onCollapse} aria-expanded={!isCollapsed}>
          <span aria-hidden="true">{isCollapsed ? '»' : '«'}</span>
          <span className={isCollapsed ? 'unseen' : undefined}>{isCollapsed ? 'Expand' : 'Collapse'}</span>
        </button>
      </div>
    </nav>
  );
}

function PersonMenu({ close }: { readonly close: () => void }) {
  const { person, role } = useSession();
  return (
    <>
      <p className="menu-part small secondary">
        {person.email} · {role}
      </p>
      <MenuItem
        onPick={() => {
          switchTheme();
          close();
        }}
      >
        Switch theme
      </MenuItem>
      <MenuItem onPick={() => void signOut()}>Sign out</MenuItem>
    </>
  );
}

/** On screens under 768 px the navigation is at the bottom: four pages, and the rest behind one button. */
function BottomBar() {
  const rest = named.filter(({ path }) => !inBottomBar.includes(path));
  const { state } = useView();
  const [location] = useLocation();
  return (
    <nav className="bottom-bar" aria-label="Pages, short">
      {named
        .filter(({ path }) => inBottomBar.includes(path))
        .map((route) => (
          <NavigationLink key={route.path} route={route} />
        ))}
      <Menu label="More" className="bottom-more" align="end">
        {(close) => (
          <>
            {rest.map(({ path, name }) => (
              <Link
                key={path}
                className="menu-item"
                href={linkTo(path, state)}
                onClick={close}
                {...(isCurrent(path, location) ? { 'aria-current': 'page' as const } : {})}
              >
                {name}
              </Link>
            ))}
            <hr className="menu-line" />
            <PersonMenu close={close} />
          </>
        )}
      </Menu>
    </nav>
  );
}
