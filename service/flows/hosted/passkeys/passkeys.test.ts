import { generateKeyPairSync } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../../test/kit/pages/hosted.ts';
import {
  type Answer,
  type Claims,
  flags,
  newPasskey,
  type Passkey,
} from '../../../../test/kit/pages/passkey.ts';
import type { Person } from '../../../../test/kit/person.ts';
import { openServer } from '../../../../test/kit/server.ts';

let key: Passkey;
let bensKey: Passkey;

/** A right PIN, then a passkey in the same session. */
async function addPasskey(person: Person): Promise<Passkey> {
  const page = await pages.load(person);
  expect((await page.ask('/confirm/pin', { pin })).body.verdict).toBe('right');
  const made = newPasskey(origin);
  const { options } = (await page.ask('/passkeys/options')).body;
  const reply = await page.ask('/passkeys', { credential: made.create(options) });
  expect([reply.status, reply.body.customer?.has_passkey]).toEqual([200, true]);
  return made;
}

const server = await openServer({ manual: true });
const { api, engine } = server;
const pages = openHostedPages(server);
const origin = server.service.config.publicUrl;
const ana = await api.banked('individual');
const ben = await api.banked('individual');
await pages.givePins();
beforeAll(async () => {
  key = await addPasskey(ana);
  bensKey = await addPasskey(ben);
});

const challenge = async (page: HostedPage) =>
  (await page.ask('/confirm/passkey/options')).body.options;
const answer = (page: HostedPage, credential: object) =>
  page.ask('/confirm/passkey', { credential });

test('a passkey confirms a record once', async () => {
  const page = await pages.load(ana);
  const credential = key.get(await challenge(page));
  const { status, body } = await answer(page, credential);
  expect([status, body.status, body.confirmation.status]).toEqual([200, 'completed', 'processing']);
  expect(refusalLine(await answer(page, credential))).toMatch(/^invalid_state/);
});

test("a passkey confirms in a frame of the Tenant's own page", async () => {
  const topOrigin = 'https://shop.example';
  await engine.change({ frame_origins: [topOrigin] });
  const page = await pages.load(ana);
  const credential = key.get(await challenge(page), { topOrigin });
  expect((await answer(page, credential)).body.status).toBe('completed');
});

test('a new challenge voids the one before', async () => {
  const page = await pages.load(ana);
  const first = await challenge(page);
  const second = await challenge(page);
  expect(second.challenge).not.toBe(first.challenge);
  expect(refusalLine(await answer(page, key.get(first)))).toBe('parameter_invalid challenge');
  expect((await answer(page, key.get(second))).status).toBe(200);
});

test('of two answers to one challenge at once one confirms', async () => {
  const page = await pages.load(ana);
  const credential = key.get(await challenge(page));
  const replies = await Promise.all(Array.from({ length: 5 }, () => answer(page, credential)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('a passkey confirms while the PIN is locked', async () => {
  const cy = await api.banked('individual');
  await pages.givePins();
  const cysKey = await addPasskey(cy);
  const page = await pages.load(cy);
  for (let wrong = 0; wrong < 5; wrong += 1) await page.ask('/confirm/pin', { pin: '111222' });
  expect((await page.look()).customer.is_pin_locked).toBe(true);
  expect((await answer(page, cysKey.get(await challenge(page)))).body.status).toBe('completed');
});

test('a passkey is added only after a right PIN, and is unknown to other customers', async () => {
  const page = await pages.load(ana);
  expect(refusalLine(await page.ask('/passkeys/options'))).toBe('invalid_state pin_required');
  const credential = newPasskey(origin).create({ challenge: 'AAAA' });
  expect(refusalLine(await page.ask('/passkeys', { credential }))).toMatch(/^invalid_state/);
  await page.ask('/confirm/pin', { pin });
  const { options } = (await page.ask('/passkeys/options')).body;
  expect(options.excludeCredentials).toEqual([expect.objectContaining({ id: key.id })]);
  for (const taken of [key, bensKey])
    expect(refusalLine(await page.ask('/passkeys', { credential: taken.create(options) }))).toBe(
      'parameter_invalid known_credential',
    );
});

const synced = flags.userPresent | flags.userVerified | flags.backedUp;

test('a passkey that several devices have confirms whatever their counters say', async () => {
  const di = await api.banked('individual');
  await pages.givePins();
  const disKey = await addPasskey(di);
  for (const counter of [100, 3, 3, 0, 0]) {
    const page = await pages.load(di);
    const reply = await answer(page, disKey.get(await challenge(page), { flags: synced, counter }));
    expect([counter, reply.status]).toEqual([counter, 200]);
  }
  const page = await pages.load(di);
  const forged = {
    flags: synced,
    counter: 0,
    key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  };
  const reply = await answer(page, disKey.get(await challenge(page), forged));
  expect(refusalLine(reply)).toBe('parameter_invalid not_verified');
});

describe('40 forged or replayed assertions', () => {
  let page: HostedPage;
  let options: { challenge: string };
  /** Answers for other sessions, records and amounts of the same customer. */
  const elsewhere: { challenge: string }[] = [];
  let used: Answer;

  beforeAll(async () => {
    const before = await pages.load(ana);
    used = key.get(await challenge(before));
    expect((await answer(before, used)).status).toBe(200);
    for (const cents of [25_00, 99_00])
      elsewhere.push(await challenge(await pages.load(ana, cents)));
    page = await pages.load(ana);
    options = await challenge(page);
  });
  beforeEach(async () => {
    expect((await page.look()).status).toBe('created');
  });

  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const claims: Readonly<Record<string, Claims>> = {
    'the origin of another site': { origin: 'https://evil.example' },
    "the Tenant's own origin": { origin: 'http://127.0.0.1:8080' },
    'another port': { origin: 'http://localhost:1' },
    'another scheme': { origin: 'https://localhost' },
    'a subdomain': { origin: 'http://pay.localhost' },
    'no origin': { origin: 'null' },
    "a frame in a stranger's page": { topOrigin: 'https://evil.example' },
    'another relying party': { rpId: 'evil.example' },
    'a relying party that is the address': { rpId: '127.0.0.1' },
    'an empty relying party': { rpId: '' },
    'the creation of a key': { type: 'webauthn.create' },
    'another type of ceremony': { type: 'payment.get' },
    'no user verification': { flags: flags.userPresent },
    'no presence': { flags: flags.userVerified },
    'neither presence nor verification': { flags: 0 },
    'a counter that stands still': { counter: 1 },
    'a counter that goes back': { counter: 0 },
    'the key of another pair': { key: other.privateKey },
    'an RSA key': { key: rsa.privateKey },
    'bytes behind the data': { trailing: Buffer.from([1, 2, 3]) },
    'extensions that are not there': {
      flags: flags.userPresent | flags.userVerified | flags.extended,
    },
    'an attested key that is not there': {
      flags: flags.userPresent | flags.userVerified | flags.attested,
    },
  };
  test.each(Object.keys(claims))('%s', async (name) => {
    const reply = await answer(page, key.get(options, claims[name]));
    expect(refusalLine(reply)).toMatch(/^parameter_invalid/);
  });

  const good = () => key.get(options);
  const withResponse = (change: (response: Answer['response']) => object): object => {
    const made = good();
    return { ...made, response: { ...made.response, ...change(made.response) } };
  };
  const flipped = (text = '', at = 8): string => {
    const bytes = Buffer.from(text, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    return bytes.toString('base64url');
  };
  const cut = (text = ''): string => text.slice(0, Math.floor(text.length / 2));
  const reworded = (text = '', change: (data: object) => object): string =>
    Buffer.from(
      JSON.stringify(change(JSON.parse(Buffer.from(text, 'base64url').toString()))),
    ).toString('base64url');

  const forgeries: Readonly<Record<string, () => object>> = {
    'an answer that was used': () => used,
    'an answer for another session of the same amount': () => key.get(elsewhere[0] ?? options),
    'an answer for another record and amount': () => key.get(elsewhere[1] ?? options),
    'a challenge of the forger': () =>
      key.get({ challenge: Buffer.alloc(32, 7).toString('base64url') }),
    'an empty challenge': () => key.get({ challenge: '' }),
    "another customer's passkey": () => bensKey.get(options),
    "another customer's passkey under this one's name": () => ({
      ...bensKey.get(options),
      id: key.id,
      rawId: key.id,
    }),
    'a passkey that no customer has': () => newPasskey(origin).get(options),
    'no name': () => ({ ...good(), id: '', rawId: '' }),
    'two names': () => ({ ...good(), rawId: bensKey.id }),
    'another kind of credential': () => ({ ...good(), type: 'password' }),
    'an altered signature': () =>
      withResponse(({ signature }) => ({ signature: flipped(signature) })),
    'half a signature': () => withResponse(({ signature }) => ({ signature: cut(signature) })),
    'no signature': () => withResponse(() => ({ signature: '' })),
    'a signature of zeros': () =>
      withResponse(() => ({
        signature: Buffer.from('3006020100020100', 'hex').toString('base64url'),
      })),
    'altered data under the old signature': () =>
      withResponse((given) => ({ authenticatorData: flipped(given.authenticatorData, 36) })),
    'half of the data': () =>
      withResponse((given) => ({ authenticatorData: cut(given.authenticatorData) })),
    'no data': () => withResponse(() => ({ authenticatorData: '' })),
    'a challenge put into a signed answer': () => {
      const old = used.response;
      return {
        ...used,
        response: {
          ...old,
          clientDataJSON: reworded(old.clientDataJSON, (data) => ({
            ...data,
            challenge: options.challenge,
          })),
        },
      };
    },
    'a field added to what was signed': () =>
      withResponse((given) => ({
        clientDataJSON: reworded(given.clientDataJSON, (data) => ({ ...data, amount: 1 })),
      })),
    'words instead of JSON': () =>
      withResponse(() => ({ clientDataJSON: Buffer.from('confirm').toString('base64url') })),
    'the making of a key as an answer': () => key.create(options),
    'the data of another answer': () =>
      withResponse(() => ({ authenticatorData: used.response.authenticatorData ?? '' })),
    'nothing at all': () => ({}),
    'no response': () => ({ ...good(), response: null }),
    'numbers where text belongs': () => ({ ...good(), id: 7, response: { signature: 7 } }),
  };
  test.each(Object.keys(forgeries))('%s', async (name) => {
    const reply = await answer(page, forgeries[name]?.() ?? {});
    expect(refusalLine(reply)).toMatch(/^parameter_invalid/);
  });

  test('the genuine answer still confirms after all of them', async () => {
    expect((await answer(page, good())).body.status).toBe('completed');
  });
});

describe('forged registrations', () => {
  const claims: Readonly<Record<string, Claims>> = {
    'another origin': { origin: 'https://evil.example' },
    'another relying party': { rpId: 'evil.example' },
    'no user verification': { flags: flags.userPresent | flags.attested },
    'no presence': { flags: flags.userVerified | flags.attested },
    'an assertion': { type: 'webauthn.get' },
    'no key': { flags: flags.userPresent | flags.userVerified },
  };
  test.each(Object.keys(claims))('%s', async (name) => {
    const page = await pages.load(ana);
    await page.ask('/confirm/pin', { pin });
    const { options } = (await page.ask('/passkeys/options')).body;
    const credential = newPasskey(origin).create(options, claims[name]);
    expect(refusalLine(await page.ask('/passkeys', { credential }))).toMatch(/^parameter_invalid/);
  });

  test('a challenge of another session, or of a confirmation, adds no passkey', async () => {
    const [one, two] = [await pages.load(ben), await pages.load(ben)];
    await one.ask('/confirm/pin', { pin });
    const confirming = await challenge(two);
    await two.ask('/confirm/pin', { pin });
    const { options: foreign } = (await one.ask('/passkeys/options')).body;
    await two.ask('/passkeys/options');
    for (const options of [foreign, confirming]) {
      const credential = newPasskey(origin).create(options);
      expect(refusalLine(await two.ask('/passkeys', { credential }))).toBe(
        'parameter_invalid challenge',
      );
    }
  });
});
