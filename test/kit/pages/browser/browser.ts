import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Page,
} from 'playwright-core';
import { findChromium } from './chromium.ts';

/** No name but these is looked up, whatever a page asks for. */
const hosts = ['localhost', '127.0.0.1'];
const resolver = `MAP * ~NOTFOUND, ${hosts.map((host) => `EXCLUDE ${host}`).join(', ')}`;

/** How long a page may take for one thing where a busy machine runs several browsers and services. */
export const patienceMs = 30_000;

/** A browser for the tests of one file. */
export async function launchBrowser(): Promise<Browser> {
  const found = await findChromium();
  return chromium.launch({
    ...found,
    // The package's own arguments would switch web security off.
    args: ['--no-sandbox', '--disable-gpu', '--no-zygote', `--host-resolver-rules=${resolver}`],
  });
}

/** What a browser's own console says of a reply above 399; the pages show these themselves. */
const ofReplies = /^Failed to load resource: the server responded with a status of [45]\d\d/;

/** A visitor with a browser window, whose every page is watched for faults. */
export interface Visit {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console errors, exceptions, violated policies, requests to strangers, in order. */
  readonly faults: string[];
  /** Takes faults of this form as expected; each call answers for those until now. */
  forgive(form: RegExp): void;
  /** Ends the visit. @throws when anything was faulty */
  end(): Promise<void>;
}

function watch(context: BrowserContext, faults: string[]): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || ofReplies.test(message.text())) return;
    faults.push(`console: ${message.text()} (${message.location().url})`);
  });
  context.on('weberror', (error) => faults.push(`exception: ${String(error.error())}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (/^https?:$/.test(protocol) && !hosts.includes(hostname))
      faults.push(`request to ${request.url()}`);
  });
}

/** Opens a browser window of its own: no cookie, storage or cache of another's. */
export async function visit(browser: Browser, options?: BrowserContextOptions): Promise<Visit> {
  const context = await browser.newContext({ locale: 'en-US', ...options });
  context.setDefaultTimeout(patienceMs);
  const faults: string[] = [];
  watch(context, faults);
  const page = await context.newPage();
  return {
    context,
    page,
    faults,
    forgive(form) {
      const kept = faults.filter((fault) => !form.test(fault));
      faults.splice(0, faults.length, ...kept);
    },
    async end() {
      await context.close();
      if (faults.length > 0) throw new Error(`the pages were at fault:\n${faults.join('\n')}`);
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
