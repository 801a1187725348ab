import {
  ChartColumnIncreasing,
  CircleCheck,
  Compass,
  GitPullRequest,
  Goal,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MessageSquareText,
  Rocket,
  Settings,
  Sparkles,
  SquareKanban,
  Timer,
  Users,
} from 'lucide-react';
import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { routesWords } from './route-words.ts';

/** A page: where it is, which folder of `pages/` draws it, and where it stands in the navigation. */
export interface Route {
  readonly path: string;
  readonly folder: string;
  /** The name in the navigation. Pages without a name are reached from others. */
  readonly name?: string;
  readonly icon?: LucideIcon;
  readonly group?: RouteGroup;
}

/** The parts of the navigation, from top to bottom. */
export const routeGroups = ['start', 'measure', 'understand', 'end'] as const;
type RouteGroup = (typeof routeGroups)[number];

export const routes: readonly Route[] = [
  { path: '/', folder: 'overview', name: routesWords.overview, icon: LayoutDashboard, group: 'start' },
  { path: '/goal', folder: 'goals', name: routesWords.goals, icon: Goal, group: 'start' },
  { path: '/goal/:slug', folder: 'goal' },
  { path: '/annotation', folder: 'annotations' },
  { path: '/delivery', folder: 'delivery', name: routesWords.delivery, icon: Rocket, group: 'measure' },
  { path: '/cycle-time', folder: 'cycle-time', name: routesWords.cycleTime, icon: Timer, group: 'measure' },
  { path: '/reviews', folder: 'reviews', name: routesWords.reviews, icon: GitPullRequest, group: 'measure' },
  { path: '/ai', folder: 'ai', name: routesWords.ai, icon: Sparkles, group: 'measure' },
  { path: '/ci', folder: 'ci', name: routesWords.ci, icon: CircleCheck, group: 'measure' },
  { path: '/issues', folder: 'issues', name: routesWords.issues, icon: ListChecks, group: 'measure' },
  { path: '/people', folder: 'people', name: routesWords.people, icon: Users, group: 'understand' },
  { path: '/surveys', folder: 'surveys', name: routesWords.surveys, icon: MessageSquareText, group: 'understand' },
  {
    path: '/benchmarks',
    folder: 'benchmarks',
    name: routesWords.benchmarks,
    icon: ChartColumnIncreasing,
    group: 'understand',
  },
  { path: '/explore', folder: 'explore', name: routesWords.explore, icon: Compass, group: 'understand' },
  { path: '/board', folder: 'boards', name: routesWords.boards, icon: SquareKanban, group: 'understand' },
  { path: '/board/:slug', folder: 'board' },
  { path: '/settings', folder: 'settings', name: routesWords.settings, icon: Settings, group: 'end' },
  { path: '/settings/keys', folder: 'settings/keys' },
  { path: '/settings/notifications', folder: 'settings/notifications' },
  { path: '/settings/data-quality', folder: 'settings/data-quality' },
  { path: '/settings/people', folder: 'settings/people' },
  { path: '/settings/connections', folder: 'settings/connections' },
  { path: '/settings/organisation', folder: 'settings/organisation' },
  { path: '/settings/audit', folder: 'settings/audit' },
  { path: '/settings/backup', folder: 'settings/backup' },
  { path: '/pull-requests/:id', folder: 'pull-request' },
  { path: '/deployments/:id', folder: 'deployment' },
  { path: '/ai-sessions/:id', folder: 'ai-session' },
  { path: '/people/:id', folder: 'person' },
  { path: '/welcome', folder: 'welcome' },
];

/** The pages of settings, as the links between them name them. */
export const settingsPages: readonly { readonly path: string; readonly name: string; readonly isForOwners?: true }[] = [
  { path: '/settings', name: routesWords.yourAccount },
  { path: '/settings/keys', name: routesWords.apiKeys },
  { path: '/settings/notifications', name: routesWords.notifications },
  { path: '/settings/organisation', name: routesWords.organisation },
  { path: '/settings/people', name: routesWords.roles, isForOwners: true },
  { path: '/settings/connections', name: routesWords.connections, isForOwners: true },
  { path: '/settings/data-quality', name: routesWords.dataQuality, isForOwners: true },
  { path: '/settings/audit', name: routesWords.auditLog, isForOwners: true },
  { path: '/settings/backup', name: routesWords.backup, isForOwners: true },
];

/** Whether a page of the navigation is the one at an address, or the one above it. */
export const isCurrent = (path: string, location: string): boolean =>
  path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);

/** What the navigation calls the page at an address, or the one above it. */
export const nameInNavigation = (location: string): string | undefined =>
  routes.find(({ name, path }) => name !== undefined && isCurrent(path, location))?.name;

type PageModule = { readonly default: ComponentType };
const modules = import.meta.glob<PageModule>('./pages/**/page.tsx');

/** Pages by folder, each loaded when it is opened. */
export const pages: Readonly<Record<string, LazyExoticComponent<ComponentType> | undefined>> = Object.fromEntries(
  Object.entries(modules).map(([file, load]) => [file.replace(/^\.\/pages\/|\/page\.tsx$/g, ''), lazy(load)]),
);

/** Begins to load a page when the pointer is on its link. */
export const preloadPage = (folder: string): void => void modules[`./pages/${folder}/page.tsx`]?.();
