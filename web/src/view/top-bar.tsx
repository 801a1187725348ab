import { usePathname } from 'wouter/use-browser-location';
import { useSession } from '../page-session.ts';
import { nameInNavigation } from '../routes.ts';
import { Avatar } from './avatar.tsx';
import { Logo } from './logo.tsx';
import { Menu } from './menu.tsx';
import { PaletteButton } from './palette-opener.tsx';
import { PersonMenu } from './person-menu.tsx';
import { shellWords } from './shell-words.ts';
import './top-bar.css';

/** Over a narrow page, which has no navigation beside it: where the reader is, the search, and who they are. */
export function TopBar() {
  const { organisation, person } = useSession();
  return (
    <header className="top-bar">
      <Logo />
      {/* Pages have their heading themselves. */}
      <span className="top-bar-name" aria-hidden="true">
        {nameInNavigation(usePathname()) ?? organisation.name}
      </span>
      <PaletteButton isShort />
      <Menu
        label={
          <>
            <Avatar id={person.id} name={person.name} />
            <span className="unseen">{shellWords.you(person.name)}</span>
          </>
        }
        hasMark={false}
        className="top-bar-person"
        align="end"
      >
        {(close) => <PersonMenu close={close} />}
      </Menu>
    </header>
  );
}
