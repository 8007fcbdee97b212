import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createReceiver } from './receiver.ts';
import { type WebhookFault, WebhookVerificationError, webhooks } from './webhooks.ts';

const secret = 'whsec_test_0123456789abcdef';
const at = new Date('2026-11-21T09:30:00.500Z');
const seconds = Math.floor(at.getTime() / 1000);
const event = {
  id: 'evt_1',
  object: 'event',
  type: 'payment.completed',
  api_version: 'v1',
  environment: 'sandbox',
  created_at: '2026-11-21T09:30:00.000Z',
  data: {
    object: { id: 'pay_1', object: 'payment', description: 'Käffchen ☕' },
    previous_attributes: { status: 'requires_confirmation' },
  },
};
const body = JSON.stringify(event);
const options = { secrets: secret, now: () => at };
const signed = (header: string) => ({ 'service-signature': header });

const reasonIn = (error: unknown): WebhookFault => {
  if (error instanceof WebhookVerificationError) return error.reason;
  throw error;
};

function reasonOf(run: () => unknown): WebhookFault | 'none' {
  try {
    run();
    return 'none';
  } catch (error) {
    return reasonIn(error);
  }
}

describe('sign', () => {
  // Made with: printf '%s' '1764000000.{"id":"evt_1"}' | openssl dgst -sha256 -hmac whsec_vector
  test('gives the digest that openssl gives, over time, full stop and body', () => {
    const header = webhooks.sign('{"id":"evt_1"}', 'whsec_vector', new Date(1_764_000_000_999));
    expect(header).toBe(
      't=1764000000,v1=1d3bbabe6cbc1c3b295d402e0036f994e9ccf68e85d94f04de0d5226eb64a126',
    );
  });

  test('gives one v1 item for each secret', () => {
    expect(webhooks.sign(body, ['old', 'new'], at)).toMatch(/^t=\d+,v1=[0-9a-f]{64},v1=\w{64}$/);
  });
});

describe('unwrap accepts', () => {
  const header = webhooks.sign(body, secret, at);

  test('text and bytes alike, and gives the event', () => {
    expect(webhooks.unwrap(body, signed(header), options)).toEqual(event);
    expect(webhooks.unwrap(Buffer.from(body), signed(header), options)).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    expect(webhooks.unwrap(bytes, signed(header), options)).toEqual(event);
    expect(webhooks.unwrap(bytes.slice().buffer, signed(header), options)).toEqual(event);
  });

  test('the header alone, and the secret alone', () => {
    expect(webhooks.unwrap(body, webhooks.sign(body, secret), secret)).toEqual(event);
    expect(webhooks.unwrap(body, webhooks.sign(body, secret), ['new', secret])).toEqual(event);
  });

  test('by WebCrypto what it accepts by itself', async () => {
    expect(await webhooks.signAsync(body, ['old', secret], at)).toBe(
      webhooks.sign(body, ['old', secret], at),
    );
    expect(await webhooks.unwrapAsync(body, signed(header), options)).toEqual(event);
  });

  test('nothing at once where the runtime has no synchronous HMAC, but by WebCrypto as ever', async () => {
    vi.stubGlobal('process', {});
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(() => webhooks.unwrap(body, signed(header), options)).toThrow(/use unwrapAsync/);
    expect(await webhooks.unwrapAsync(body, signed(header), options)).toEqual(event);
    const receiver = createReceiver({ ...options, onEvent: () => {} });
    expect((await receiver.receive(body, signed(header))).status).toBe(200);
  });

  test.each([
    ['a plain bag in any case', { 'Service-Signature': header }],
    ['Headers', new Headers({ 'service-signature': header })],
    ['a list of values', { 'service-signature': [header] }],
    ['items apart by ", "', signed(header.replace(',', ', '))],
    ['items of unknown schemes', signed(`${header},v0=ab,v2=${'0'.repeat(64)}`)],
    ['a v1 item that is no digest beside one that matches', signed(`${header},v1=zz`)],
  ])('the header as %s', (_, headers) => {
    expect(webhooks.unwrap(body, headers, options).id).toBe('evt_1');
  });

  test.each([
    ['the old secret', ['old'], ['old', 'new']],
    ['the new secret', ['new'], ['old', 'new']],
    ['both', ['old', 'new'], ['old', 'new']],
    ['both, signed with one', ['new', 'old'], ['old']],
  ])('a rotation: the receiver has %s', (_, secrets, signers) => {
    const rotated = signed(webhooks.sign(body, signers, at));
    expect(webhooks.unwrap(body, rotated, { ...options, secrets }).id).toBe('evt_1');
  });

  test.each([-300, -299, 0, 299, 300])('a time %i s from this clock', (offset) => {
    const moved = webhooks.sign(body, secret, new Date((seconds + offset) * 1000));
    expect(webhooks.unwrap(body, signed(moved), options).id).toBe('evt_1');
  });

  test('what sign makes now by the real clock', () => {
    expect(webhooks.unwrap(body, signed(webhooks.sign(body, secret)), { secrets: secret }).id).toBe(
      'evt_1',
    );
  });
});

describe('unwrap refuses', () => {
  const header = webhooks.sign(body, secret, at);
  const digest = header.split('v1=')[1] ?? '';
  const bad: [WebhookFault, string, Parameters<typeof webhooks.unwrap>[0], object][] = [
    ['header_missing', 'no header', body, {}],
    ['header_missing', 'an empty header', body, signed('')],
    ['header_malformed', 'words', body, signed('hello')],
    ['header_malformed', 'no time', body, signed(`v1=${digest}`)],
    ['header_malformed', 'a time that is no number', body, signed(`t=soon,v1=${digest}`)],
    ['header_malformed', 'a fraction', body, signed(`t=${seconds}.5,v1=${digest}`)],
    ['header_malformed', 'two times', body, signed(`t=${seconds},${header}`)],
    ['header_malformed', 'no v1', body, signed(`t=${seconds},v0=${digest}`)],
    ['header_malformed', 'a short digest', body, signed(`t=${seconds},v1=${digest.slice(1)}`)],
    ['signature_mismatch', 'a changed body', body.replace('pay_1', 'pay_2'), signed(header)],
    ['signature_mismatch', 'a body written anew', JSON.stringify(event, null, 1), signed(header)],
    ['signature_mismatch', 'a changed time', body, signed(`t=${seconds + 1},v1=${digest}`)],
    ['signature_mismatch', 'another digest', body, signed(`t=${seconds},v1=${'0'.repeat(64)}`)],
  ];

  test.each(bad)('%s: %s', async (reason, _, rawBody, headers) => {
    const bag = headers as Record<string, string>;
    expect(reasonOf(() => webhooks.unwrap(rawBody, bag, options))).toBe(reason);
    expect(await webhooks.unwrapAsync(rawBody, bag, options).catch(reasonIn)).toBe(reason);
  });

  test.each([
    ['timestamp_too_old', -301],
    ['timestamp_too_old', -86_400],
    ['timestamp_in_future', 301],
    ['timestamp_in_future', 86_400],
  ])('%s: %i s from this clock, signed rightly', (reason, offset) => {
    const moved = webhooks.sign(body, secret, new Date((seconds + offset) * 1000));
    expect(reasonOf(() => webhooks.unwrap(body, signed(moved), options))).toBe(reason);
  });

  test('toleranceSeconds narrows both directions', () => {
    const narrow = { ...options, toleranceSeconds: 10 };
    for (const [offset, reason] of [
      [-11, 'timestamp_too_old'],
      [-10, 'none'],
      [10, 'none'],
      [11, 'timestamp_in_future'],
    ] as const) {
      const moved = webhooks.sign(body, secret, new Date((seconds + offset) * 1000));
      expect(reasonOf(() => webhooks.unwrap(body, signed(moved), narrow))).toBe(reason);
    }
  });

  test('a retired secret: signature_mismatch', () => {
    const secrets = ['new', 'newer'];
    const run = () => webhooks.unwrap(body, signed(header), { ...options, secrets });
    expect(reasonOf(run)).toBe('signature_mismatch');
  });

  test.each(['not json', '"text"', 'null', '[]', '{}', '{"object":"event","id":"evt_1"}'])(
    'body_not_json: %s, signed rightly',
    (text) => {
      const headers = signed(webhooks.sign(text, secret, at));
      expect(reasonOf(() => webhooks.unwrap(text, headers, options))).toBe('body_not_json');
    },
  );

  test.each([[event], [undefined], [null], [[1]]])(
    'body_not_raw: %j, saying what to do',
    (parsed) => {
      const rawBody = parsed as unknown as string;
      const run = () => webhooks.unwrap(rawBody, signed(header), options);
      expect(reasonOf(run)).toBe('body_not_raw');
      expect(run).toThrow(/express\.raw/);
    },
  );

  test('no error shows a secret, but one reports whitespace around it', () => {
    const run = () => webhooks.unwrap(body, signed(header), { ...options, secrets: `${secret}\n` });
    expect(run).toThrow(/whitespace/);
    expect(run).not.toThrow(new RegExp(secret));
  });

  test('a call without secrets is a TypeError, not a refused request', () => {
    const run = (secrets: string[]) => () => webhooks.unwrap(body, signed(header), { secrets });
    expect(run([])).toThrow(TypeError);
    expect(run([''])).toThrow(TypeError);
  });
});
