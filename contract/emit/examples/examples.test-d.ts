import type { PortalCalls, PortalRecords } from './operation_example.ts';

/** Examples that do not compile. */

export const lacks: PortalRecords = {
  // @ts-expect-error: `ended` is missing
  EndedSessions: {},
};
export const hasMore: PortalRecords = {
  // @ts-expect-error: there is no such field
  EndedSessions: { ended: 1, more: true },
};
export const ofNoState: PortalRecords = {
  QrKey: {
    id: '2026a',
    // @ts-expect-error: another object
    object: 'key',
    signs: true,
    revoked_at: null,
  },
};
export const unknown: PortalCalls = {
  // @ts-expect-error: no operation of this name
  listNothing: {},
};
export const otherBody: PortalCalls = {
  // @ts-expect-error: not among the fields of the body
  advanceClock: { body: { minutes: 60 } },
  // @ts-expect-error: a status that no list has
  listEvents: { query: { delivery_status: 'lost' } },
};
