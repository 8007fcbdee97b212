import '../ui/styles/base.css';
import { render } from 'preact';
import type { ProblemName } from '../ui/problem.tsx';
import { localeOf } from '../ui/texts/locale.ts';
import { paintBrand } from '../ui/theme.ts';
import { App } from './app.tsx';
import { addressOf, kindOf, readAddress } from './opener/address.ts';
import { type Connected, noChannel, waitForSdk } from './opener/channel.ts';
import { markOpened, wasOpened } from './opener/reload.ts';
import { preview } from './preview/preview.tsx';
import { textsIn } from './texts/texts_in.ts';

/** How long a page waits for the SDK that opened it. */
const timeoutMs = 20_000;

/** Features that the pages need; other missing features have a fallback. */
const isSupported = (): boolean =>
  typeof HTMLDialogElement === 'function' &&
  typeof MessageChannel === 'function' &&
  typeof AbortSignal.timeout === 'function' &&
  typeof Intl.NumberFormat === 'function';

/** The session to open, or the problem to show. */
async function find(): Promise<Connected | ProblemName> {
  if (!isSupported()) return 'unsupported';
  const { token } = readAddress(location.pathname, location.hash);
  if (token !== null) {
    markOpened('address');
    return { channel: noChannel, token, locale: null };
  }
  if (wasOpened()) return 'used';
  const from = window.parent === window ? window.opener : window.parent;
  if (from === null) return 'alone';
  const origins = document.documentElement.dataset.frameOrigins?.split(' ').filter(Boolean) ?? [];
  const connected = await waitForSdk(origins, timeoutMs);
  if (connected === null) return 'unanswered';
  if (connected === 'unregistered') return connected;
  markOpened('sdk');
  return connected;
}

/** `/hosted#<token>` names no tenant: redirects to the tenant's page, which has its own headers. */
function sendOn(): boolean {
  const { tenant, token } = readAddress(location.pathname, location.hash);
  const to = tenant === null && token !== null ? addressOf(token) : null;
  if (to === null) return false;
  location.replace(to);
  return true;
}

async function boot(app: HTMLElement): Promise<void> {
  const isFramed = window.parent !== window;
  document.documentElement.classList.toggle('is-framed', isFramed);
  paintBrand();
  const found = await find();
  const locale = localeOf([
    typeof found === 'string' ? null : found.locale,
    ...navigator.languages,
  ]);
  document.documentElement.lang = locale;
  const texts = textsIn[locale];
  const tenantName = document.documentElement.dataset.tenantName ?? '';
  const start =
    typeof found === 'string'
      ? { problem: found }
      : { ...found, kind: kindOf(found.token, location.pathname) };
  app.replaceChildren();
  render(<App page={{ texts, locale, tenantName, isFramed }} start={start} />, app);
}

const app = document.getElementById('app');
if (app && 'preview' in document.documentElement.dataset) {
  preview(app);
} else if (app && !sendOn()) {
  // Another link in the same tab changes only the fragment, so the page must be loaded again.
  addEventListener('hashchange', () => location.reload());
  void boot(app);
}
