/**
 * What is said to people, the same for every medium. Texts are plain: names in them may hold anything, and each medium
 * escapes them for itself. Links are paths of the pages (`/delivery?…`), which begin with `/`.
 */
export interface MessageContent {
  /** The subject of a mail, and the heading everywhere. */
  readonly title: string;
  /** The name of the organisation. */
  readonly organisation: string;
  /** What it is about in time: `Week of 9–15 November`. */
  readonly period?: string;
  /** A paragraph each. */
  readonly intro: readonly string[];
  /** At most six are shown. */
  readonly figures?: readonly MessageFigure[];
  readonly sections?: readonly MessageSection[];
  /** Leads to the page that the whole message is about. */
  readonly button?: { readonly text: string; readonly link: string };
  /** Small print: why this came, whose view it shows, up to when the data goes. A paragraph each. */
  readonly notes?: readonly string[];
  /** What a webhook gets beside the texts. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** Whether news are good, bad or neither. It is said in words as well: colour alone says nothing. */
export type Tone = 'good' | 'bad' | 'neutral';

export interface MessageFigure {
  readonly label: string;
  readonly value: string;
  /** `2h shorter than the week before`. */
  readonly change?: { readonly text: string; readonly tone: Tone };
  /** Earlier values and this one, the newest last, drawn as bars in a mail. At most twelve are. */
  readonly trend?: readonly (number | null)[];
  readonly link?: string;
}

export interface MessageSection {
  readonly title: string;
  readonly lines: readonly MessageLine[];
}

export interface MessageLine {
  readonly text: string;
  /** A second, smaller line. */
  readonly detail?: string;
  /** `On track`, at the end of the line. */
  readonly state?: { readonly text: string; readonly tone: Tone };
  readonly link?: string;
}

export const media = ['slack', 'teams', 'email', 'webhook'] as const;
export type Medium = (typeof media)[number];

/** Where messages go, as an alert or a digest keeps it among its secrets. */
export interface Receiver {
  /** Stays the same while the address does: stopping and deliveries are known by it. It is no secret. */
  readonly key: string;
  readonly medium: Medium;
  readonly address: string;
  /** Signs what a webhook gets. */
  readonly signingSecret?: string;
}

/** The document that a message is sent for. */
export interface MessageOrigin {
  readonly kind: 'alert' | 'digest';
  readonly slug: string;
}

/** A message on its way to one receiver. */
export interface OutgoingMessage {
  readonly origin: MessageOrigin;
  readonly receiver: Receiver;
  readonly content: MessageContent;
  /**
   * Names the delivery on every try. Made where it is not given; one that the store has already is not queued again, so
   * that an identifier made of a cause tells it once.
   */
  readonly deliveryId?: string;
  /** Not sent before, as in quiet hours. */
  readonly notBefore?: Date;
}
