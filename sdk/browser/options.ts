import type { EndStatus, EventName, FlowError, Meta } from './messages.ts';

/** A session token, or a function that returns one; it is called in the customer's click. */
export type Token = string | (() => Promise<string>);

export type Mode = 'auto' | 'modal' | 'popup' | 'redirect';

export interface Options {
  readonly token: Token;
  /**
   * Address of the service, such as `https://pay.example`; default with the script tag: its origin.
   */
  readonly baseUrl?: string;
  /**
   * `auto` (default): modal on a wide screen, else redirect; the return page then calls
   * `handleReturn`.
   */
  readonly mode?: Mode;
  /** `en` or `es`; default is the browser's language. */
  readonly locale?: string;
  /** The customer finished or declined; the Tenant's server exchanges the token for the outcome. */
  readonly onSuccess?: (resultToken: string, meta: Meta) => void;
  /** The customer left, the session expired, or the page could not be shown; null: left by choice. */
  readonly onExit?: (error: FlowError | null, meta: Meta & { result_token: string | null }) => void;
  readonly onEvent?: (name: EventName, meta: Meta) => void;
}

export interface Handle {
  /**
   * Resolves when the flow has ended, after onSuccess or onExit; with redirect the page is left
   * before that.
   */
  readonly closed: Promise<EndStatus>;
  /** Like a customer who leaves; the page may still report its end. */
  close(): void;
  /** Removes the page at once and calls onExit. */
  destroy(): void;
}
