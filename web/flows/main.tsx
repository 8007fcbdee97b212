import '../ui/styles/base.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { addressOf, kindOf, readAddress } from './opener/address.ts';
import { type Connected, nobody, waitForSdk } from './opener/channel.ts';
import { markOpened, wasOpened } from './opener/reload.ts';
import type { ProblemName } from './problem.tsx';
import type { Texts } from './texts/en.ts';
import { type Locale, loadTexts, localeOf } from './texts/locale.ts';
import { paintBrand } from './theme.ts';

/** How long a page waits for the SDK that should have opened it. */
const patienceMs = 20_000;

/** What the pages need of a browser; what else is missing has a way around it. */
const isSupported = (): boolean =>
  typeof HTMLDialogElement === 'function' &&
  typeof MessageChannel === 'function' &&
  typeof AbortSignal.timeout === 'function' &&
  typeof Intl.NumberFormat === 'function';

/** What there is to open, or why there is nothing. */
async function find(): Promise<Connected | ProblemName> {
  if (!isSupported()) return 'unsupported';
  const { token } = readAddress(location.pathname, location.hash);
  if (token !== null) {
    markOpened('address');
    return { channel: nobody, token, locale: null };
  }
  if (wasOpened()) return 'used';
  const from = window.parent === window ? window.opener : window.parent;
  if (from === null) return 'alone';
  const origins = document.documentElement.dataset.frameOrigins?.split(' ').filter(Boolean) ?? [];
  const connected = await waitForSdk(origins, patienceMs);
  if (connected === null) return 'unanswered';
  markOpened('sdk');
  return connected;
}

/** `/hosted#<token>` knows no tenant yet: its page, with its headers, is another address. */
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
  const texts = await textsOf(app, locale);
  const tenantName = document.documentElement.dataset.tenantName ?? '';
  const start =
    typeof found === 'string' ? { problem: found } : { ...found, kind: kindOf(found.token) };
  app.replaceChildren();
  render(<App page={{ texts, locale, tenantName, isFramed }} start={start} />, app);
}

/** Where not even the texts could be loaded. */
const lastWords: Readonly<Record<Locale, readonly [text: string, retry: string]>> = {
  en: ['No connection. Check your internet connection and try again.', 'Try again'],
  es: ['Sin conexión. Revise su conexión a internet e inténtelo de nuevo.', 'Intentar de nuevo'],
};

/** Tries the texts again in place: the token has left the address, and a reload would lose it. */
function textsOf(app: HTMLElement, locale: Locale): Promise<Texts> {
  return loadTexts[locale]().then(
    ({ texts }) => texts,
    () =>
      new Promise<Texts>((resolve) => {
        const [text, retry] = lastWords[locale];
        const words = document.createElement('p');
        words.textContent = text;
        const button = document.createElement('button');
        button.className = 'button is-primary';
        button.textContent = retry;
        button.addEventListener('click', () => resolve(textsOf(app, locale)));
        app.querySelector('main')?.replaceChildren(words, button);
      }),
  );
}

const app = document.getElementById('app');
if (app && !sendOn()) {
  // Another link in the same tab changes the fragment alone, and is a page of its own.
  addEventListener('hashchange', () => location.reload());
  void boot(app);
}
