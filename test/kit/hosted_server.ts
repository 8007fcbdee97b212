import { afterAll, beforeAll } from 'vitest';
import { type HostedPages, openHostedPages } from './hosted.ts';
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts';
import { openWire, type Wire } from './wire.ts';

/** The server of one test file, its Tenant's server and its hosted pages. */

export let server: TestServer;
export let wire: Wire;
export let pages: HostedPages;

/** Opens them for all tests of the file. */
export function openHostedServer(options?: TestServerOptions): void {
  beforeAll(async () => {
    server = await startTestServer({ manual: true, ...options });
    wire = openWire(server);
    pages = openHostedPages(server);
  });
  afterAll(() => server.stop());
}
