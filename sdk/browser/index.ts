import { pageOf, tenantOf } from './address.ts';
import { baseOf } from './base.ts';
import { isCutOff } from './cut_off.ts';
import { type Ending, failure, openEnding } from './ending.ts';
import { openFrame, openPopup, type Surface } from './frame.ts';
import { type Link, openLink } from './link.ts';
import { type FromPage, noMeta } from './messages.ts';
import type { Handle, Mode, Options, Token } from './options.ts';
import { textsOf } from './texts.ts';
import { askFraming } from './unregistered.ts';

export type { EndStatus, EventName, FlowError, Meta } from './messages.ts';
export type { Handle, Mode, Options, Token } from './options.ts';
export { handleReturn, type ReturnHandlers } from './return.ts';

const narrow = '(max-width: 639px)';

const chosen = (mode: Mode): Exclude<Mode, 'auto'> =>
  mode === 'auto' ? (matchMedia(narrow).matches ? 'redirect' : 'modal') : mode;

/** The time without an answer after which the service is asked whether this site may show the page. */
const doubtMs = 1_500;

/** How long a page may take to report its end after it was asked to leave. */
const leaveMs = 1_500;

async function tokenOf(token: Token): Promise<string> {
  if (typeof token === 'string') return token;
  if (typeof token === 'function') return token();
  throw new Error('token must be a string or a function that gives one');
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** The parts of the browser that an open flow uses; all of it is released at the end. */
interface Held {
  surface: Surface | null;
  link: Link | null;
  leaving: ReturnType<typeof setTimeout> | undefined;
  doubting: ReturnType<typeof setTimeout> | undefined;
  asking: ReturnType<typeof askFraming> | null;
  /** With redirect: listens for the browser's Back button. */
  back: ((event: PageTransitionEvent) => void) | null;
}

function release({ surface, link, leaving, doubting, asking, back }: Held): void {
  clearTimeout(leaving);
  clearTimeout(doubting);
  asking?.stop();
  if (back) removeEventListener('pageshow', back);
  link?.close();
  surface?.remove();
}

function redirect(held: Held, ending: Ending, url: string): void {
  held.back = ({ persisted }) => {
    if (persisted) ending.end('canceled', null, null);
  };
  addEventListener('pageshow', held.back);
  location.assign(url);
}

let current: Handle | null = null;

/**
 * Opens a hosted flow and ends one that is still open. Exactly one of onSuccess and onExit is
 * called, once; then no element or listener is left.
 * @throws Error when `baseUrl` is not an address, or is missing without the script tag
 */
export function open(options: Options): Handle {
  const base = baseOf(options);
  const { origin } = new URL(base);
  const mode = chosen(options.mode ?? 'auto');
  current?.destroy();
  const held: Held = {
    surface: null,
    link: null,
    leaving: undefined,
    doubting: undefined,
    asking: null,
    back: null,
  };
  const ending = openEnding(options, () => release(held));
  let hasAnswered = false;
  const leave = () => ending.end('canceled', null, null);
  const fail = (code: string, message: string) =>
    ending.end('failed', null, failure(code, message));

  const close = () => {
    // A page that never answered is left at once.
    if (ending.isOver || !held.link?.send({ type: 'close' })) leave();
    else held.leaving ??= setTimeout(leave, leaveMs);
  };

  /** A window that has never answered may be open, and only read as closed. */
  const gone = async () => {
    if (!hasAnswered && (await isCutOff()))
      fail(
        'opener_cut_off',
        'Cross-Origin-Opener-Policy: same-origin cuts this page off from popups',
      );
    else leave();
  };

  const refused = () =>
    fail(
      'load_failed',
      `${location.origin} is not in the setting frame_origins of the Tenant: add it in the portal, under Settings`,
    );

  /** A frame that does not answer soon may be one that this site may not show: that is told at once. */
  const doubt = (page: string) => {
    if (hasAnswered || ending.isOver) return;
    held.asking = askFraming(page, () => hasAnswered || refused());
  };

  function receive(token: string, message: FromPage): void {
    if (message.type === 'hello') {
      hasAnswered = true;
      held.surface?.show();
      held.link?.send({ type: 'token', token, locale: options.locale ?? null });
    }
    if (message.type === 'event') ending.event(message.name, message.meta);
    if (message.type === 'end')
      ending.end(message.status, message.result_token, message.error, message.meta);
  }

  function show(token: string): void {
    if (ending.isOver) return;
    if (typeof token !== 'string' || tenantOf(token) === null) {
      fail('session_invalid', 'this is no session token');
      return;
    }
    const page = pageOf(base, token);
    if (mode === 'redirect') {
      redirect(held, ending, `${page}#${token}`);
      return;
    }
    held.surface?.go(page, () => held.link?.call());
    const unsure = `is it up, and is ${location.origin} in frame_origins?`;
    if (mode === 'modal') held.doubting = setTimeout(() => doubt(page), doubtMs);
    held.link = openLink(() => held.surface?.window() ?? null, origin, {
      received: (message) => receive(token, message),
      failed: () => fail('load_failed', `${origin} did not answer: ${unsure}`),
      refused,
    });
  }

  // Within the click, before any wait: browsers block a window that is opened later.
  if (mode === 'modal') held.surface = openFrame({ texts: textsOf(options.locale), left: close });
  if (mode === 'popup') held.surface = openPopup({ left: () => void gone() });
  current = { closed: ending.closed, close, destroy: leave };
  ending.event('open', noMeta);
  if (mode === 'popup' && held.surface === null)
    fail('popup_blocked', 'the browser blocked the window: call open() in the click itself');
  else tokenOf(options.token).then(show, (error) => fail('token_failed', messageOf(error)));
  return current;
}
