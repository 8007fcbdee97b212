/**
 * What SDK and page say to each other, over one MessageChannel (docs/decisions/hosted.md). Unknown
 * messages are ignored, so that either side may learn more words.
 */

/**
 * Names that stay as they are in v1; everything else about an event may grow. The last of a flow is
 * the SDK's own: `handoff` where onSuccess follows, `exit` where onExit does.
 */
export const eventNames = [
  'open',
  'ready',
  'step_viewed',
  'step_completed',
  'passkey_offered',
  'pin_failed',
  'error',
  'expired',
  'handoff',
  'exit',
] as const;
export type EventName = (typeof eventNames)[number];

/** What is known of the flow when something happens; null until the session has been opened. */
export interface Meta {
  readonly session_id: string | null;
  readonly flow: string | null;
  /** Of the page's last request that failed: support finds it by this. */
  readonly request_id: string | null;
  /** Of `step_viewed` and `step_completed`. */
  readonly step?: string;
  /** Of Sandbox Bank: what POST …/linked-accounts takes beside the public token. */
  readonly aggregator_account_id?: string | null;
}

export type EndStatus = 'completed' | 'canceled' | 'expired' | 'failed';

/** Why a flow ended without a result that the customer chose. */
export interface FlowError {
  /** `session_expired`, `load_failed`, `popup_blocked`, or a code of the contract. */
  readonly code: string;
  readonly message: string;
}

export type ToPage =
  | { readonly type: 'token'; readonly token: string; readonly locale: string | null }
  | { readonly type: 'close' };

export type FromPage =
  | { readonly type: 'hello' }
  | { readonly type: 'event'; readonly name: EventName; readonly meta: Meta }
  | {
      readonly type: 'end';
      readonly status: EndStatus;
      readonly result_token: string | null;
      readonly error: FlowError | null;
      readonly meta: Meta;
    };

/** The first message to the page, with the port that all others take. */
export const connect = { tps: 1, type: 'connect' } as const;

export const noMeta: Meta = { session_id: null, flow: null, request_id: null };
