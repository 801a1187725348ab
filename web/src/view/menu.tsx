import * as Popover from '@radix-ui/react-popover';
import { Check, ChevronDown, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import './menu.css';

interface MenuProps {
  readonly label: ReactNode;
  /** Whether the label is an icon, which needs no mark beside it. */
  readonly isIcon?: boolean;
  /** Whether a mark beside the label says that something opens. */
  readonly hasMark?: boolean;
  /** For screen readers, where the label is not enough. */
  readonly name?: string;
  readonly className?: string;
  readonly align?: 'start' | 'end';
  /** Draws the content; the argument closes the menu. */
  readonly children: (close: () => void) => ReactNode;
  /** The shortcut that opens it. */
  readonly shortcut?: string;
  /** Called before it opens, to ask for what it shows. */
  readonly onOpen?: () => void;
}

/**
 * A button that opens a small surface under it. The surface is not modal: modal ones write styles into the page, which
 * the content security policy forbids.
 */
export function Menu(props: MenuProps) {
  const {
    label,
    isIcon = false,
    hasMark = !isIcon,
    name,
    className = 'button',
    align = 'start',
    children,
    shortcut,
    onOpen,
  } = props;
  const [isOpen, setOpen] = useState(false);
  const change = (opens: boolean) => {
    if (opens) onOpen?.();
    setOpen(opens);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={change} modal={false}>
      <Popover.Trigger
        className={className}
        data-shortcut={shortcut}
        {...(name ? { 'aria-label': name } : {})}
        {...(isIcon ? { title: name } : {})}
      >
        {label}
        {hasMark && <ChevronDown className="icon menu-mark" aria-hidden="true" />}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onKeyDown={walk}
          aria-label={name ?? (typeof label === 'string' ? label : undefined)}
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

/** The arrow keys walk along the choices of a menu, from its search as well. */
function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const from = event.target as HTMLElement;
  if (step === undefined || !from.matches('.menu-item, input[type="search"]')) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>('.menu-item, input[type="search"]')];
  event.preventDefault();
  stops[stops.indexOf(from) + step]?.focus();
}

interface MenuItemProps {
  readonly children: ReactNode;
  readonly onPick: () => void;
  readonly isChosen?: boolean;
  readonly icon?: LucideIcon;
}

export function MenuItem({ children, onPick, isChosen, icon: Icon }: MenuItemProps) {
  return (
    <button
      type="button"
      className="menu-item"
      onClick={onPick}
      {...(isChosen === undefined ? {} : { 'aria-pressed': isChosen })}
    >
      <span className="menu-check" aria-hidden="true">
        {Icon ? <Icon className="icon" /> : isChosen && <Check className="icon" />}
      </span>
      <span>{children}</span>
    </button>
  );
}
