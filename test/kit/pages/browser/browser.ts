import { createHash, X509Certificate } from 'node:crypto';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import type { Passkey } from '../passkey.ts';
import { findChromium } from './chromium.ts';

/** No name but these is looked up, whatever a page asks for. A browser takes all below `localhost` for this machine. */
const hosts = ['localhost', '*.localhost', '127.0.0.1'];
const isHere = (hostname: string): boolean => /(^|\.)localhost$|^127\.0\.0\.1$/.test(hostname);

/** A service at a name of its own, by https. */
export interface NamedSite {
  readonly host: string;
  /** On loopback, where the name leads. */
  readonly port: number;
  /** The certificate that is trusted there, in PEM. */
  readonly cert: string;
}

/** Each rule that fits first counts. */
function rulesOf(site: NamedSite | null): string {
  const known = hosts.map((host) => `EXCLUDE ${host}`);
  const named = site ? [`MAP ${site.host}:443 127.0.0.1:${site.port}`] : [];
  return [...named, 'MAP * ~NOTFOUND', ...known].join(', ');
}

/** The key that the browser trusts: a page whose certificate is in doubt may use no passkey. */
function trustIn({ cert }: NamedSite): string {
  const key = new X509Certificate(cert).publicKey.export({ type: 'spki', format: 'der' });
  return `--ignore-certificate-errors-spki-list=${createHash('sha256').update(key).digest('base64')}`;
}

/** How long a page may take for one thing where a busy machine runs several browsers and services. */
export const patienceMs = 30_000;

/** A page of a test is too short-lived for code that was optimized, and for a process that draws. */
const frugal = ['--js-flags=--no-maglev --no-opt', '--in-process-gpu'];

/** A browser that its caller closes. @param site that it reaches beside those on this machine */
export async function launchBrowser(site: NamedSite | null = null): Promise<Browser> {
  const found = await findChromium();
  const resolver = `--host-resolver-rules=${rulesOf(site)}`;
  return chromium.launch({
    ...found,
    // The package's own arguments would switch web security off.
    args: ['--no-sandbox', '--disable-gpu', ...frugal, resolver, ...(site ? [trustIn(site)] : [])],
  });
}

/** The browser of this worker, whose files close their windows and not the browser. It ends with the process. */
let running: Promise<Browser> | null = null;

/** The browser that the files of a worker share: each window is a profile of its own. */
export async function sharedBrowser(): Promise<Browser> {
  const browser = await running;
  if (browser?.isConnected()) return browser;
  running = launchBrowser();
  return running;
}

/** The line of a browser's own console of a reply above 399; the pages show these themselves. */
const ofReplies = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** A visitor with a browser window, whose every page is watched for faults. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, exceptions, violated policies, requests to strangers, in order. */
  readonly faults: string[];
  /** Takes faults of this form as expected; each call answers for those until now. */
  forgive(form: RegExp): void;
  /**
   * Leaves the window as it was at first, but that the browser still has the scripts which it has read.
   * @throws when anything was faulty
   */
  startAnew(): Promise<void>;
  /** Ends the visit. @throws when anything was faulty */
  end(): Promise<void>;
}

function watch(context: BrowserContext, faults: string[], site: NamedSite | null): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || ofReplies.test(message.text())) return;
    faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => faults.push(`exception: ${String(error.error())}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !isHere(hostname) && hostname !== site?.host)
      faults.push(`request to ${request.url()}`);
  });
}

/** The window of every visit, where a test sets no other. */
const usualSize = { width: 1280, height: 720 };
const usualMedia = { colorScheme: 'light', reducedMotion: 'reduce', media: 'screen' } as const;
/** A page without an origin has no storage. */
const emptyStorage =
  "if (location.origin !== 'null') for (const kept of [localStorage, sessionStorage]) kept.clear()";

async function restore(context: BrowserContext, page: Page): Promise<void> {
  const others = context.pages().filter((one) => one !== page);
  await Promise.all(others.map((one) => one.close()));
  await page.unrouteAll();
  await page.evaluate(emptyStorage);
  await page.goto('about:blank');
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(usualSize);
  await page.emulateMedia(usualMedia);
}

/**
 * Opens a browser window of its own: no cookie, storage or cache of another's.
 * @param site the other host that its pages may ask
 */
export async function visit(
  browser: Browser,
  options?: BrowserContextOptions,
  site: NamedSite | null = null,
): Promise<Visit> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: usualSize,
    reducedMotion: 'reduce',
    ...options,
  });
  context.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  watch(context, faults, site);
  const page = await context.newPage();
  function proveFaultless(): void {
    const found = faults.splice(0);
    if (found.length > 0) throw new Error(`the pages were at fault:\n${found.join('\n')}`);
  }
  return {
    context,
    page,
    faults,
    forgive(form) {
      const kept = faults.filter((fault) => !form.test(fault));
      faults.splice(0, faults.length, ...kept);
    },
    async startAnew() {
      await restore(context, page);
      proveFaultless();
    },
    async end() {
      await context.close();
      proveFaultless();
    },
  };
}

/** A platform authenticator with user verification, as a phone has one. */
export interface VirtualAuthenticator {
  readonly id: string;
  /** False: the customer's finger is not recognised. */
  recognise(isUser: boolean): Promise<void>;
  count(): Promise<number>;
}

/** A browser's authenticator takes over a passkey of the kit. */
export async function holdPasskey(session: CDPSession, passkey: Passkey, rpId: string) {
  const { id: authenticatorId } = await addAuthenticator(session);
  const credential = { ...passkey.exported(), rpId, isResidentCredential: false };
  await session.send('WebAuthn.addCredential', { authenticatorId, credential });
}

/** @param session of the page that will ask: an authenticator belongs to one page's tree of frames */
export async function addAuthenticator(session: CDPSession): Promise<VirtualAuthenticator> {
  await session.send('WebAuthn.enable');
  const { authenticatorId: id } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    id,
    recognise: (isUserVerified) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified }).then(),
    count: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId: id })).credentials.length,
  };
}
