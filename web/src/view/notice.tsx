import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import './notice.css';

interface NoticeProps {
  readonly icon: LucideIcon;
  /** Amber for what has come to a halt or is lost; a tint for the rest. */
  readonly tone?: 'plain' | 'late';
  /** At the end of the line: the one thing to do about it. */
  readonly action?: ReactNode;
  /** Whether it may come while the page is read: then it is read out. */
  readonly isLive?: boolean;
  readonly children: ReactNode;
}

/** What a reader should know before they read on, above the title of the page. */
export function Notice({ icon: Icon, tone = 'plain', action, isLive = false, children }: NoticeProps) {
  return (
    <div className={`notice is-${tone}`} {...(isLive ? { role: 'status' } : {})}>
      <Icon className="icon" aria-hidden="true" />
      <div className="notice-words">{children}</div>
      {action && <div className="notice-action">{action}</div>}
    </div>
  );
}
