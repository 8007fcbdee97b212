import { createServer } from 'node:http';
import { openShopDemo } from './demo/open.ts';

/** Corner Shop in a process of its own; README.md explains the settings. */
const { CLIENT_ID, CLIENT_SECRET, WEBHOOK_SECRET, BASE_URL, SHOP_PORT = '8090' } = process.env;
const settings = { BASE_URL, CLIENT_ID, CLIENT_SECRET, WEBHOOK_SECRET };
const missing = Object.entries(settings).flatMap(([name, value]) => (value ? [] : [name]));
if (missing.length > 0) {
  process.stderr.write(`Set ${missing.join(', ')}; a sandbox prints them when it starts.\n`);
  process.exit(1);
}

// A sandbox has its hosted pages on localhost, so the shop is on 127.0.0.1: another site, as in production.
const { SHOP_URL: shopUrl = `http://127.0.0.1:${SHOP_PORT}/shop` } = process.env;
const shop = await openShopDemo({
  baseUrl: BASE_URL ?? '',
  clientId: CLIENT_ID ?? '',
  clientSecret: CLIENT_SECRET ?? '',
  webhookSecret: WEBHOOK_SECRET ?? '',
  shopUrl,
  folder: new URL('./', import.meta.url),
});
const server = createServer(shop.listener).listen(Number(SHOP_PORT), '127.0.0.1', () => {
  process.stdout.write(`Corner Shop: ${shopUrl}\n`);
});
// Not once: Ctrl-C comes twice, from the terminal and from npm.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    shop.close();
    server.close();
    server.closeIdleConnections();
  });
