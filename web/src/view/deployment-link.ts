import { TimeZone } from '../../../src/calendar.ts';
import type { Row } from '../ask/send.ts';
import type { View } from '../ask/view.ts';
import { linkTo } from '../ask/view-state.ts';

/** The page of a deployment. No filter finds a deployment by its id, so the link also holds its day. */
export function deploymentLink(view: View, { deployment_id, deployed_at }: Row): string {
  const time = Date.parse(String(deployed_at));
  const own = Number.isNaN(time) ? {} : { on: TimeZone.named(view.zone).dayAt(time / 1_000) };
  return linkTo(`/deployments/${encodeURIComponent(String(deployment_id))}`, view.state, own);
}
