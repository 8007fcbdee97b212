import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { type Choices, choicesOf, seedOf } from '../../../test/kit/seed.ts';
import { openServer } from '../../../test/kit/server.ts';
import { openQrSigner } from '../../resources/payment_requests/qr.ts';

/** Forgeries of genuine payloads. */
const forged = 10_000;
const overHttp = 200;
const seed = seedOf(process.env);
const server = await openServer({ manual: true });
const { api } = server;
const ana = await api.banked('individual');
const shop = await api.banked('business');
await api.fund(ana, 100_00);
const requests = [1_00, 2_00, 75_00].map((amount) => api.request(shop, amount));
const genuine = (await Promise.all(requests)).map(({ qr_payload }) => qr_payload);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const parts = (payload: string) => payload.split('.') as [string, string, string];
const contentOf = (payload: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(parts(payload)[1], 'base64url').toString());
const encode = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64url');

type Forge = (choices: Choices) => string;

const other = generateKeyPairSync('ed25519').privateKey;
const stranger = openQrSigner(
  [{ id: 'test', key: other.export({ type: 'pkcs8', format: 'pem' }).toString() }],
  'sandbox',
);

/** One character changed, in some of them only a bit of the last. */
function altered(payload: string, at: number, { pick }: Choices): string {
  const letter = pick([...alphabet].filter((one) => one !== payload[at]));
  return payload.slice(0, at) + letter + payload.slice(at + 1);
}

const edits: readonly ((content: Record<string, unknown>, choices: Choices) => object)[] = [
  (content, { below }) => ({ ...content, amt: below(10_000) + 1_000_000 }),
  (content) => ({ ...content, amt: 1 }),
  (content) => ({ ...content, mer: `cus_${'0'.repeat(32)}` }),
  (content, { below }) => ({ ...content, exp: 2_000_000_000 + below(1_000) }),
  (content) => ({ ...content, env: 'production' }),
  (content) => ({ ...content, t: 'static' }),
  (content) => ({ ...content, kid: '00000000' }),
  (content, { below }) => ({ ...content, more: below(1_000_000) }),
];

const forges: readonly Forge[] = [
  (choices) => {
    const payload = choices.pick(genuine);
    return altered(payload, choices.below(payload.length), choices);
  },
  (choices) => {
    const payload = choices.pick(genuine);
    return altered(payload, payload.length - 1, choices);
  },
  (choices) => {
    const [one, two] = choices.shuffle(genuine).map(parts);
    return `${one?.[0]}.${one?.[1]}.${two?.[2]}`;
  },
  (choices) => {
    const payload = choices.pick(genuine);
    const [scheme, , signature] = parts(payload);
    const content = choices.pick(edits)(contentOf(payload), choices);
    return `${scheme}.${encode(content)}.${signature}`;
  },
  (choices) => {
    const payload = choices.pick(genuine);
    const encoded = encode(choices.pick(edits)(contentOf(payload), choices));
    const signature = sign(null, Buffer.from(`tps1.${encoded}`), other);
    return `tps1.${encoded}.${signature.toString('base64url')}`;
  },
  (choices) => {
    const { id, mer, amt, exp } = contentOf(choices.pick(genuine));
    const facts = { id: String(id), mer: String(mer), amt: Number(amt), exp: Number(exp) };
    return stranger.write({ ...facts, t: 'dynamic' });
  },
  (choices) => {
    const payload = choices.pick(genuine);
    return payload.slice(0, choices.below(payload.length));
  },
  (choices) => choices.pick(genuine) + choices.pick(['A', '=', '.', ' ', '\n', '.AAAA', '\u0000']),
  (choices) =>
    choices.pick(genuine).replace('tps1', choices.pick(['tps2', 'TPS1', 'tps1.tps1', ''])),
];

test(`of ${forged} forged payloads the signer reads none`, () => {
  const choices = choicesOf(seed, 'qr');
  const { qrSigningKeys } = server.service.config;
  const signer = openQrSigner(qrSigningKeys, 'sandbox');
  expect(genuine.map((payload) => signer.read(payload).refusal)).toEqual([null, null, null]);
  const known = new Set(genuine);
  const read: string[] = [];
  for (let index = 0; index < forged; index += 1) {
    const payload = forges[index % forges.length]?.(choices) ?? '';
    if (!known.has(payload) && signer.read(payload).refusal === null) read.push(payload);
  }
  expect(read, `seed ${seed}`).toEqual([]);
});

test(`of ${overHttp} forged payloads none makes a payment, and the genuine ones do`, async () => {
  const choices = choicesOf(seed, 'qr over http');
  for (let index = 0; index < overHttp; index += 1) {
    const qr_payload = forges[index % forges.length]?.(choices) ?? '';
    const { code } = await refusalOf(api.payRequest(ana, { qr_payload }));
    expect(code, `seed ${seed}: ${qr_payload}`).toMatch(/^parameter_|^payment_request_/);
  }
  const { data } = await api.get('/portal/api/payments');
  expect(data).toEqual([]);
  for (const qr_payload of genuine)
    expect(await api.payRequest(ana, { qr_payload })).toMatchObject({
      status: 'requires_confirmation',
    });
});
