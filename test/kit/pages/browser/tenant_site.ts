import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import type { ReplyBody } from '../../http/http.ts';
import { until } from '../../wait.ts';
import { patienceMs } from './browser.ts';

/** A report by the SDK to the Tenant's page. */
export interface LogEntry {
  readonly kind: 'success' | 'exit' | 'event' | 'closed' | 'returned' | 'thrown';
  readonly facts: readonly unknown[];
}

/** How the Tenant's page opens a flow; without a token it is requested from the Tenant's server. */
export interface Opening {
  readonly mode?: 'auto' | 'modal' | 'popup' | 'redirect';
  readonly token?: string;
  readonly baseUrl?: string;
  readonly locale?: string;
  /** The server refuses a token, or a handler of the page throws. */
  readonly trouble?: 'token_rejects' | 'token_throws' | 'handlers_throw';
}

/** The page's own script: a button that opens a flow, and a log of all that the SDK reports. */
const pageScript = `
const { sdk } = window;
window.log = [];
const note = (kind, ...facts) => {
  log.push({ kind, facts });
  if (window.opening?.trouble === 'handlers_throw') throw new Error('of the Tenant');
};
const post = (path, body) => fetch(path, { method: 'POST', body }).then((reply) => reply.text());
const tokens = {
  token_rejects: () => Promise.reject(new Error('the server refused')),
  token_throws: () => { throw new Error('no server'); },
};
const handlers = {
  onSuccess: (token, meta) => { post('/result', token); note('success', token, meta); },
  onExit: (error, meta) => note('exit', error, meta),
};
window.begin = () => {
  const { trouble, ...options } = window.opening;
  const token = options.token ?? tokens[trouble] ?? (() => post('/token'));
  window.handle = sdk.open({ ...options, ...handlers, token,
    onEvent: (name, meta) => note('event', name, meta) });
  handle.closed.then((status) => log.push({ kind: 'closed', facts: [status] }));
};
document.querySelector('#pay')?.addEventListener('click', () => begin());
if (location.pathname === '/done') log.push({ kind: 'returned', facts: [sdk.handleReturn(handlers)] });
`;

const byScript = 'window.sdk = TenantPayments;';
const byPackage = "import * as sdk from '/sdk/index.js';\nwindow.sdk = sdk;";

/** A Tenant's site at an address of its own, with the strictest policy under which the SDK works. */
export interface TenantSite {
  readonly origin: string;
  /** The record that its server got in exchange for the result that its page was given: waits for it. */
  exchanged(resultToken: unknown): Promise<ReplyBody>;
  stop(): Promise<void>;
}

export interface SiteParts {
  /** The address of the service's pages: `http://localhost:1234`. */
  readonly hosted: string;
  /** The digest in the script tag. */
  readonly integrity: string;
  /** The package, as it is published: asked for when a page of the site imports it. */
  readonly sdkModule: () => Promise<string>;
  /** The Tenant's server makes a session. */
  readonly newToken: () => Promise<string>;
  /** The Tenant's server exchanges a result. */
  readonly exchange: (resultToken: string) => Promise<ReplyBody>;
}

const policyOf = (hosted: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${hosted}`,
    `frame-src ${hosted}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');

const html = (script: string) => `<!doctype html><html lang="en"><meta charset="utf-8">
<title>Shop</title><h1>Shop</h1>
<button id="pay" type="button">Pay</button>${script}`;

function pagesOf({ hosted, integrity }: SiteParts): Readonly<Record<string, string>> {
  const tag = `<script src="${hosted}/sdk/v1.js" integrity="${integrity}" crossorigin="anonymous"></script>`;
  const scripted = html(`${tag}<script src="/by_script.js"></script>`);
  return {
    '/': scripted,
    '/done': scripted,
    '/cut_off': scripted,
    '/isolated': scripted,
    '/module': html('<script type="module" src="/by_package.js"></script>'),
  };
}

/** Pages with a stricter policy than most. */
const isolation: Readonly<Record<string, Record<string, string>>> = {
  '/cut_off': { 'cross-origin-opener-policy': 'same-origin' },
  '/isolated': { 'cross-origin-embedder-policy': 'require-corp' },
};

async function textOf(request: AsyncIterable<Buffer>): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk.toString('utf8');
  return text;
}

export async function startTenantSite(parts: SiteParts): Promise<TenantSite> {
  const results = new Map<unknown, ReplyBody>();
  const pages = pagesOf(parts);
  const scripts: Readonly<Record<string, () => string | Promise<string>>> = {
    '/by_script.js': () => `${byScript}\n{${pageScript}}`,
    '/by_package.js': () => `${byPackage}\n{${pageScript}}`,
    '/sdk/index.js': parts.sdkModule,
  };
  const posts: Readonly<Record<string, (text: string) => Promise<string>>> = {
    '/token': parts.newToken,
    async '/result'(token) {
      results.set(token, await parts.exchange(token));
      return 'thank you';
    },
  };

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const asked = request.method === 'POST' ? posts[path] : undefined;
    const text = asked
      ? await asked(await textOf(request))
      : (pages[path] ?? (await scripts[path]?.()));
    const type = pages[path] ? 'text/html' : 'text/javascript';
    response.writeHead(text === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policyOf(parts.hosted),
      ...isolation[path],
    });
    response.end(text);
  }
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanged: (resultToken) => until(() => results.get(resultToken), { what: 'an exchange' }),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Presses the Tenant's button. */
export async function pay(page: Page, opening: Opening = {}): Promise<void> {
  await page.evaluate((given) => Object.assign(globalThis, { opening: given }), opening);
  await page.click('#pay');
}

export const logOf = (page: Page): Promise<LogEntry[]> => page.evaluate('window.log');

/** Reads the log until it is enough: the page's policy forbids to wait inside it. @throws after 30 s */
async function logUntil(page: Page, isEnough: (all: LogEntry[]) => boolean): Promise<LogEntry[]> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const all = await logOf(page);
    if (isEnough(all)) return all;
    if (performance.now() > deadline) throw new Error(`logged only: ${JSON.stringify(all)}`);
    await sleep(20);
  }
}

/** Waits for the ending. @returns the whole log */
export const ended = (page: Page): Promise<LogEntry[]> =>
  logUntil(page, (all) => all.some(({ kind }) => kind === 'closed'));

/** Waits until an event was logged so many times. */
export const eventLogged = (page: Page, name: string, times = 1): Promise<LogEntry[]> =>
  logUntil(
    page,
    (all) => all.filter(({ kind, facts }) => kind === 'event' && facts[0] === name).length >= times,
  );

/** The endings in a log: there must be one. */
export const endings = (log: readonly LogEntry[]): LogEntry[] =>
  log.filter(({ kind }) => kind === 'success' || kind === 'exit');

/** Moves the clock of a page and its windows. The page may then close a window, whose clock has no more to tell. */
export async function passTime(on: Page, ms: number): Promise<void> {
  await on.clock.fastForward(ms).catch((error: unknown) => {
    if (on.isClosed() || !/has been closed/.test(String(error))) throw error;
  });
}
