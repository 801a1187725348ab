import { Link, useLocation } from 'wouter';
import { useOwnChoice, useView } from '../ask/use-view.ts';
import { linkTo } from '../ask/view-state.ts';
import './subpages.css';
import { subpagesWords } from './frame-words.ts';

interface Subpage {
  readonly path: string;
  readonly name: string;
}

/** Links between pages that belong together, under their common title. */
export function Subpages({ label, pages }: { readonly label: string; readonly pages: readonly Subpage[] }) {
  const [location] = useLocation();
  const { state } = useView();
  return (
    <nav className="subpages" aria-label={label}>
      {pages.map(({ path, name }) => (
        <Link key={path} href={linkTo(path, state)} {...(path === location ? { 'aria-current': 'page' as const } : {})}>
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** Parts of one page, of which one is shown; the address says which. */
export function useParts<P extends string>(parts: Readonly<Record<P, string>>): [P, React.ReactNode] {
  const all = Object.keys(parts) as P[];
  const [chosen, choose] = useOwnChoice('part', all[0] as P, all);
  return [
    chosen,
    <fieldset key="parts" className="subpages" aria-label={subpagesWords.partsThisPage}>
      {all.map((part) => (
        <button key={part} type="button" aria-pressed={part === chosen} onClick={() => choose(part)}>
          {parts[part]}
        </button>
      ))}
    </fieldset>,
  ];
}
