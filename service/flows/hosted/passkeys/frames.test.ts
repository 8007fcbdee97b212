import { beforeAll, expect, test } from 'vitest';
import { openHostedPages, pin, refusalLine } from '../../../../test/kit/pages/hosted.ts';
import { type Claims, newPasskey, type Passkey } from '../../../../test/kit/pages/passkey.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';

/** The frames in which a passkey is made, and in which it answers. */

const shop = 'https://shop.example';
let ana: Person;
const server = await openServer({ manual: true });
const { api, engine } = server;
const pages = openHostedPages(server);
const origin = server.service.config.publicUrl;
await engine.change({ frame_origins: [shop] });
beforeAll(async () => {
  ana = await api.banked('individual');
  await pages.givePins();
});

/** A page on which a passkey may be added, and its answer in such a frame. */
async function adds(key: Passkey, claims: Claims): Promise<string> {
  const page = await pages.load(ana);
  await page.ask('/confirm/pin', { pin });
  const { options } = (await page.ask('/passkeys/options')).body;
  return refusalLine(await page.ask('/passkeys', { credential: key.create(options, claims) }));
}

async function confirms(key: Passkey, claims: Claims): Promise<string> {
  const page = await pages.load(ana);
  const { options } = (await page.ask('/confirm/passkey/options')).body;
  return refusalLine(await page.ask('/confirm/passkey', { credential: key.get(options, claims) }));
}

const strange: Readonly<Record<string, Claims>> = {
  "a stranger's page": { topOrigin: 'https://evil.example' },
  'a page that is not named': { crossOrigin: true },
  'a page that is named without a frame': { topOrigin: shop, crossOrigin: false },
  'a page whose name is empty': { topOrigin: '', crossOrigin: true },
};

test.each(Object.keys(strange))(
  'in the frame of %s no passkey is added, and none confirms',
  async (name) => {
    const refused = 'parameter_invalid not_verified';
    expect(await adds(newPasskey(origin), strange[name] ?? {})).toBe(refused);
    const key = newPasskey(origin);
    expect(await adds(key, {})).toBe('200');
    expect(await confirms(key, strange[name] ?? {})).toBe(refused);
    expect(await confirms(key, {})).toBe('200');
  },
);

test("in the frame of the Tenant's own page a passkey is added and confirms", async () => {
  const key = newPasskey(origin);
  expect(await adds(key, { topOrigin: shop })).toBe('200');
  expect(await confirms(key, { topOrigin: shop })).toBe('200');
});
