import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { Api } from '../../api.ts';
import type { Browser as Caller } from '../../people.ts';
import type { Person } from '../../person.ts';
import {
  startTestServer,
  type TestServer,
  type TestServerOptions,
  type TestTenant,
} from '../../server.ts';
import { until } from '../../wait.ts';
import { sharedBrowser, type Visit, visit } from './browser.ts';
import { startTenantSite, type TenantSite } from './tenant_site.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

let bundled: Promise<string> | null = null;

async function bundleSdk(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'sdk/browser/index.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** The SDK as its package holds it, bundled once in a worker; how that is made is tested with the package. */
export function sdkModule(): Promise<string> {
  bundled ??= bundleSdk();
  return bundled;
}

export async function sdkScript(): Promise<{ text: string; integrity: string }> {
  const { sdk } = JSON.parse(await readFile(join(root, 'dist/web/manifest.json'), 'utf8'));
  const text = await readFile(join(root, 'dist/web', sdk.script), 'utf8');
  return { text, integrity: sdk.integrity };
}

/** `/hosted/<tenant>`, and below it the pages of owners and banks. */
export const hostedPathOf = ({ tenantId }: Pick<TestTenant, 'tenantId'>): string =>
  `/hosted/${tenantId.replaceAll('-', '')}`;

/** A whole service with its pages at `localhost`, and a Tenant's site at `127.0.0.1`. */
export interface TestWeb {
  readonly server: TestServer;
  readonly api: Api;
  readonly site: TenantSite;
  /** The origin of the hosted pages. */
  readonly hosted: string;
  /** From now on the Tenant's server creates this session when its page needs a token. */
  serve(newSession: () => Promise<{ readonly token: string }>): void;
  /** A load that waits for its customer's confirmation: the shortest flow. */
  newLoad(person: Person, cents?: number): Promise<{ readonly id: string; readonly token: string }>;
  /** Names the only site that may frame the pages; the pages take a change on within a second. */
  letFrame(origin: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startTestWeb(
  options: Pick<TestServerOptions, 'config'> = {},
): Promise<TestWeb> {
  const [{ integrity }, server] = await Promise.all([
    sdkScript(),
    startTestServer({ manual: true, ...options }),
  ]);
  const { api } = server;
  const hosted = server.service.config.publicUrl;
  let newSession: () => Promise<{ readonly token: string }> = () =>
    Promise.reject(new Error('the test serves no session'));
  const site = await startTenantSite({
    hosted,
    integrity,
    sdkModule,
    newToken: async () => (await newSession()).token,
    exchange: (result_token) => api.post('/v1/sessions/exchange', { result_token }),
  });
  await api.settings({ frame_origins: [site.origin], return_urls: [`${site.origin}/done`] });
  return {
    server,
    api,
    site,
    hosted,
    serve(given) {
      newSession = given;
    },
    async newLoad(person, cents = 25_00) {
      const load = await api.load(person, cents);
      return { id: load.id, token: load.confirmation_session.token };
    },
    async letFrame(origin) {
      await api.settings({ frame_origins: [origin] });
      const said = async () =>
        (await fetch(`${hosted}${hostedPathOf(server.tenant)}`)).headers
          .get('content-security-policy')
          ?.split('; ')
          .includes(`frame-ancestors ${origin}`);
      await until(said, { what: `a page that ${origin} may frame` });
    },
    async stop() {
      await site.stop();
      await server.stop();
    },
  };
}

/** The service and browser of one test file, and the visitor of the test that runs. */
export let web: TestWeb;
export let browser: Browser;
export let visitor: Visit;
export let page: Page;

/** Opens the pages for all tests of the file, and closes what windows these leave. */
export function useWeb(options?: Parameters<typeof startTestWeb>[0]): void {
  beforeAll(async () => {
    [web, browser] = await Promise.all([startTestWeb(options), sharedBrowser()]);
  });
  afterAll(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    await web.stop();
  });
}

/** Gives a window the session of somebody who signed in over HTTP: no page has to be loaded for it. */
export async function giveSession(context: BrowserContext, person: Caller): Promise<void> {
  const [name = '', value = ''] = (person.cookie() ?? '').split('=');
  await context.addCookies([{ name, value, url: web.hosted }]);
}

/**
 * Opens one window for all tests of a file. Each begins as in a new one, and fails when one of its pages had a
 * fault; but large scripts are read and compiled once, which is half the work of a page.
 */
export function useOneWindow(): void {
  beforeAll(async () => {
    visitor = await visit(browser);
    page = visitor.page;
  });
  afterEach(() => visitor.startAnew());
  afterAll(() => visitor.end());
}

/** Opens a window for each test, which fails when one of its pages had a fault. */
export function useVisitors(): void {
  beforeEach(async () => {
    visitor = await visit(browser);
    page = visitor.page;
  });
  afterEach(() => visitor.end());
}
