import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Person } from '../person.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { openWire, type Wire } from '../wire.ts';
import { startTenantSite, type TenantSite } from './tenant_site.ts';
import { buildPages } from './web_build.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The SDK as its package holds it; how that is made is tested with the package. */
export async function sdkModule(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'sdk/browser/index.ts')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

export async function sdkScript(): Promise<{ text: string; integrity: string }> {
  await buildPages();
  const { sdk } = JSON.parse(await readFile(join(root, 'dist/web/manifest.json'), 'utf8'));
  const text = await readFile(join(root, 'dist/web', sdk.script), 'utf8');
  return { text, integrity: sdk.integrity };
}

/**
 * A whole service with its pages, and a Tenant's site on another site: `localhost` and `127.0.0.1`,
 * each at a port of its own.
 */
export interface Stage {
  readonly server: TestServer;
  readonly wire: Wire;
  readonly site: TenantSite;
  /** Where the hosted pages are. */
  readonly hosted: string;
  /** What the Tenant's server makes when its page asks for a token, from now on. */
  serve(newSession: () => Promise<{ readonly token: string }>): void;
  /** A load that waits for its customer: what it confirms is the shortest flow there is. */
  newLoad(person: Person, cents?: number): Promise<{ readonly id: string; readonly token: string }>;
  stop(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const [{ integrity }, module, server] = await Promise.all([
    sdkScript(),
    sdkModule(),
    startTestServer({ manual: true }),
  ]);
  const wire = openWire(server);
  const hosted = server.service.config.publicUrl;
  let newSession: () => Promise<{ readonly token: string }> = () =>
    Promise.reject(new Error('the test serves no session'));
  const site = await startTenantSite({
    hosted,
    integrity,
    sdkModule: module,
    newToken: async () => (await newSession()).token,
    exchange: (result_token) => wire.post('/v1/sessions/exchange', { result_token }),
  });
  const { status, body } = await server.call('PUT', '/portal/api/settings', {
    body: { frame_origins: [site.origin], return_urls: [`${site.origin}/done`] },
  });
  if (status !== 200) throw new Error(`settings: ${JSON.stringify(body)}`);
  return {
    server,
    wire,
    site,
    hosted,
    serve(given) {
      newSession = given;
    },
    async newLoad({ customerId }, cents = 25_00) {
      const load = await wire.post('/v1/loads', { customer_id: customerId, amount: cents });
      return { id: load.id, token: load.confirmation_session.token };
    },
    async stop() {
      await site.stop();
      await server.stop();
    },
  };
}
