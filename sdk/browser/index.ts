import { pageOf, tenantOf } from './address.ts';
import { openFrame, openPopup, type Surface } from './frame.ts';
import { type Link, openLink } from './link.ts';
import {
  type EndStatus,
  type EventName,
  type FlowError,
  type FromPage,
  type Meta,
  noMeta,
} from './messages.ts';

export type { EventName, FlowError, Meta } from './messages.ts';

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
  /** Resolves when the flow has ended, however it did, after onSuccess or onExit. */
  readonly closed: Promise<EndStatus>;
  /** As if the customer had left. */
  close(): void;
  /** Takes the page away at once; onExit is told. */
  destroy(): void;
}

let scriptBase: string | undefined;

/** By the script tag alone: the SDK came from the service itself. */
export function setBaseUrl(baseUrl: string): void {
  scriptBase = baseUrl;
}

function baseOf({ baseUrl = scriptBase }: Options): string {
  if (baseUrl === undefined)
    throw new Error('open() needs baseUrl, the address of your Tenant Payments service');
  return baseUrl.replace(/\/+$/, '');
}

const narrow = '(max-width: 639px)';

const chosen = (mode: Mode): Exclude<Mode, 'auto'> =>
  mode === 'auto' ? (matchMedia(narrow).matches ? 'redirect' : 'modal') : mode;

const failure = (code: string, message: string): FlowError => ({ code, message });
const leaveMs = 1_500;

/**
 * Opens a hosted flow. Exactly one of onSuccess and onExit is called, once, and nothing is left of
 * the page behind it.
 */
export function open(options: Options): Handle {
  const base = baseOf(options);
  const { origin } = new URL(base);
  const mode = chosen(options.mode ?? 'auto');
  let meta: Meta = noMeta;
  let link: Link | null = null;
  let surface: Surface | null = null;
  let isOver = false;
  let settle: (status: EndStatus) => void = () => {};
  const closed = new Promise<EndStatus>((done) => {
    settle = done;
  });

  function end(status: EndStatus, resultToken: string | null, error: FlowError | null): void {
    if (isOver) return;
    isOver = true;
    link?.close();
    surface?.remove();
    try {
      if (status === 'completed' && resultToken !== null) options.onSuccess?.(resultToken, meta);
      else options.onExit?.(error, { ...meta, result_token: resultToken });
    } finally {
      settle(status);
    }
  }

  const close = () => {
    if (isOver) return;
    // A page that never answered, or answers no more, does not keep the customer.
    if (link === null) end('canceled', null, null);
    link?.send({ type: 'close' });
    setTimeout(() => end('canceled', null, null), leaveMs);
  };

  function hear(token: string, message: FromPage): void {
    if (message.type === 'hello')
      link?.send({ type: 'token', token, locale: options.locale ?? null });
    if (message.type === 'event') {
      meta = message.meta;
      options.onEvent?.(message.name, message.meta);
    }
    if (message.type === 'end') {
      meta = message.meta;
      end(message.status, message.result_token, message.error);
    }
  }

  function show(token: string): void {
    if (isOver) return;
    if (tenantOf(token) === null) {
      end('failed', null, failure('session_invalid', 'this is no session token'));
      return;
    }
    const page = pageOf(base, token);
    if (mode === 'redirect') {
      location.assign(`${page}#${token}`);
      return;
    }
    surface?.go(page);
    link = openLink(() => surface?.window() ?? null, origin, {
      heard: (message) => hear(token, message),
      failed: () => end('failed', null, failure('load_failed', 'the page did not answer')),
    });
  }

  // In the click itself, before anything is waited for: a window that comes later is blocked.
  if (mode === 'modal') surface = openFrame({ title: 'Secure confirmation', left: close });
  if (mode === 'popup') surface = openPopup({ left: () => end('canceled', null, null) });
  options.onEvent?.('open', meta);
  if (mode === 'popup' && surface === null)
    end('failed', null, failure('popup_blocked', 'the browser blocked the window'));
  else
    Promise.resolve(typeof options.token === 'string' ? options.token : options.token()).then(
      show,
      (error: unknown) => end('failed', null, failure('token_failed', String(error))),
    );
  return { closed, close, destroy: () => end('canceled', null, null) };
}

export type ReturnHandlers = Pick<Options, 'onSuccess' | 'onExit'>;

/**
 * On the page of the return address: takes what the flow left in the fragment, cleans the address and
 * calls what `open` would have called.
 * @returns false when the page was not reached from a flow
 */
export function handleReturn({ onSuccess, onExit }: ReturnHandlers): boolean {
  const facts = new URLSearchParams(location.hash.slice(1));
  const status = facts.get('status');
  if (status === null) return false;
  history.replaceState(history.state, '', location.pathname + location.search);
  const resultToken = facts.get('result_token');
  const meta = { ...noMeta, session_id: facts.get('session_id'), flow: facts.get('flow') };
  const code = facts.get('error');
  if (status === 'completed' && resultToken !== null) onSuccess?.(resultToken, meta);
  else
    onExit?.(code === null ? null : failure(code, code.replaceAll('_', ' ')), {
      ...meta,
      result_token: resultToken,
    });
  return true;
}
