import { LogOut, Moon } from 'lucide-react';
import { useSession } from '../page-session.ts';
import { switchTheme } from '../theme/theme.ts';
import { frameWords } from './frame-words.ts';
import { MenuItem } from './menu.tsx';
import { signOut } from './sign-out.ts';

/** What the reader can do about themselves: who they are here, the theme, and signing out. */
export function PersonMenu({ close }: { readonly close: () => void }) {
  const { person, role } = useSession();
  return (
    <>
      <p className="menu-part small secondary">
        {person.email} · {role}
      </p>
      <MenuItem
        icon={Moon}
        onPick={() => {
          switchTheme();
          close();
        }}
      >
        {frameWords.switchTheme}
      </MenuItem>
      <MenuItem icon={LogOut} onPick={() => void signOut()}>
        {frameWords.sign}
      </MenuItem>
    </>
  );
}
