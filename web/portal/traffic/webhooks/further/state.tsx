import type { ReplyOf } from '../../../../staff/api/call.ts';
import { Mark } from '../../../../staff/parts/state_badge.tsx';

export const furtherRoute = 'GET /portal/api/webhook-endpoints';
export type FurtherEndpoint = ReplyOf<typeof furtherRoute>['data'][number];

/** Whether events go there, and whether they arrive. */
export function EndpointState({ endpoint }: { readonly endpoint: FurtherEndpoint }) {
  if (!endpoint.enabled) return <Mark tone="plain" text="off" />;
  if (endpoint.failure_streak === 0) return <Mark tone="good" text="on" />;
  return <Mark tone="bad" text={`${endpoint.failure_streak} failed`} />;
}

/** The types of events of an endpoint, in words. */
export const typesOf = ({ types }: FurtherEndpoint): string => {
  if (types === null) return 'all';
  return types.length === 1 ? String(types[0]) : `${types.length} types`;
};
