import type { MessageLine } from '../message-content.ts';
import { addressOf, type Rendering } from './rendering.ts';

/** What a webhook gets: texts as they are, and the values behind them. Names are data in JSON and cannot be more. */
export function webhookBody(rendering: Rendering): string {
  const { deliveryId, origin, content, queuedAt } = rendering;
  const { title, organisation, period, intro, figures = [], sections = [], notes = [], button, data } = content;
  const linked = <T extends { readonly link?: string }>({ link, ...rest }: T) => {
    const address = addressOf(link, rendering);
    return address === undefined ? rest : { ...rest, link: address };
  };
  return JSON.stringify({
    delivery: deliveryId,
    [origin.kind]: origin.slug,
    queued_at: queuedAt.toISOString(),
    organisation,
    title,
    ...(period === undefined ? {} : { period }),
    intro,
    figures: figures.map(({ trend, ...figure }) => linked(figure)),
    sections: sections.map((one) => ({ title: one.title, lines: one.lines.map((line: MessageLine) => linked(line)) })),
    notes,
    ...(button ? { link: addressOf(button.link, rendering) } : {}),
    data,
  });
}
