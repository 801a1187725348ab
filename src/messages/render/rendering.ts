import type { MessageContent, MessageLine, MessageOrigin, MessageSection } from '../message-content.ts';
import { messageWords as words } from '../message-words.ts';

/** What a medium needs beside the content. */
export interface Rendering {
  readonly deliveryId: string;
  readonly origin: MessageOrigin;
  readonly content: MessageContent;
  /** Where people find Plumb; links are left out where it is not known. */
  readonly publicUrl: string | undefined;
  readonly queuedAt: Date;
}

export const maxFigures = 6;

/** A path of the pages as an address. What is no path of ours is no link: it could lead anywhere. */
export function addressOf(link: string | undefined, { publicUrl }: Pick<Rendering, 'publicUrl'>): string | undefined {
  if (link === undefined || publicUrl === undefined || !URL.canParse(link, publicUrl)) return undefined;
  const url = new URL(link, publicUrl);
  if (!link.startsWith('/') || url.origin !== new URL(publicUrl).origin) return undefined;
  return url.href.replaceAll('|', '%7C').replaceAll("'", '%27');
}

/** The sections with so many lines each, and the number of those that are left out in words. */
export function shortened(sections: readonly MessageSection[] = [], maxLines: number): MessageSection[] {
  return sections.map(({ title, lines }) => {
    if (lines.length <= maxLines) return { title, lines };
    const more: MessageLine = { text: words.more(lines.length - maxLines) };
    return { title, lines: [...lines.slice(0, maxLines), more] };
  });
}
