import { TimeZone } from '../../../src/calendar.ts';
import type { Row } from '../ask/send.ts';
import { addressOf, type View } from '../ask/use-view.ts';

/** The page of a deployment. No filter finds one by its id, so the day on which it was made goes along. */
export function deploymentLink(view: View, { deployment_id, deployed_at }: Row): string {
  const { range, compare, filters } = view.state;
  const time = Date.parse(String(deployed_at));
  const own = Number.isNaN(time) ? {} : { on: TimeZone.named(view.zone).dayAt(time / 1_000) };
  return addressOf(`/deployments/${encodeURIComponent(String(deployment_id))}`, { range, compare, filters, own });
}
