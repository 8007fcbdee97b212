import type { EndStatus, EventName, FlowError, Meta } from './messages.ts';

/** A session token, or how to get one: a function is called in the customer's click. */
export type Token = string | (() => Promise<string>);

export type Mode = 'auto' | 'modal' | 'popup' | 'redirect';

export interface Options {
  readonly token: Token;
  /** Where the service is, such as `https://pay.example`; by the script tag: where it came from. */
  readonly baseUrl?: string;
  /**
   * `auto` (default): a modal on a wide screen, else by redirect, where the session's return address
   * is reached with `handleReturn`.
   */
  readonly mode?: Mode;
  /** `en` or `es`; else the browser's. */
  readonly locale?: string;
  /** The customer finished, or declined: the Tenant's server exchanges the token for what came of it. */
  readonly onSuccess?: (resultToken: string, meta: Meta) => void;
  /** The customer left, the session expired, or the page could not be shown; null: left by choice. */
  readonly onExit?: (error: FlowError | null, meta: Meta & { result_token: string | null }) => void;
  readonly onEvent?: (name: EventName, meta: Meta) => void;
}

export interface Handle {
  /**
   * Resolves when the flow has ended, however it did, after onSuccess or onExit; by redirect the page
   * is left before that.
   */
  readonly closed: Promise<EndStatus>;
  /** As if the customer had left: the page may still say how it ended. */
  close(): void;
  /** Takes the page away at once; onExit is told. */
  destroy(): void;
}
