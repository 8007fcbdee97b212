/**
 * The messages between SDK and page, over one MessageChannel (docs/rules/hosted.md). Unknown
 * messages are ignored, so that either side can add some.
 */

/**
 * Names that do not change in v1; an event may get more fields. The SDK itself sends the last one
 * of a flow: `handoff` before onSuccess, `exit` before onExit.
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

/** Facts about the flow; null until the session was opened. */
export interface Meta {
  readonly session_id: string | null;
  readonly flow: string | null;
  /** Id of the page's last failed request, for support. */
  readonly request_id: string | null;
  /** For `step_viewed` and `step_completed`. */
  readonly step?: string;
  /** From Sandbox Bank: for POST …/linked-accounts, beside the public token. */
  readonly aggregator_account_id?: string | null;
}

export type EndStatus = 'completed' | 'canceled' | 'expired' | 'failed';

/** Why a flow failed. */
export interface FlowError {
  /** `session_expired`, `load_failed`, `popup_blocked`, `opener_cut_off`, or an error code of the API. */
  readonly code: string;
  readonly message: string;
}

export type ToPage =
  | { readonly type: 'token'; readonly token: string; readonly locale: string | null }
  | { readonly type: 'close' };

export type FromPage =
  | { readonly type: 'hello' }
  /** The page's Tenant has not registered the origin that called. */
  | { readonly type: 'unregistered' }
  | { readonly type: 'event'; readonly name: EventName; readonly meta: Meta }
  | {
      readonly type: 'end';
      readonly status: EndStatus;
      readonly result_token: string | null;
      readonly error: FlowError | null;
      readonly meta: Meta;
    };

/** The first message to the page; it carries the port for all others. */
export const connect = { tps: 1, type: 'connect' } as const;

export const noMeta: Meta = { session_id: null, flow: null, request_id: null };
