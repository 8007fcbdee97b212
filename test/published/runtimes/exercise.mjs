/**
 * Checks what the packed SDK must do on every runtime: no import but the SDK and, where it has one, node:http.
 * @param sdk what the package exports
 * @param facts of the service, and `run`, a number of this run's own
 * @returns the names of the checks that held @throws Error with the first that did not
 */
export async function exercise(sdk, facts) {
  const held = [];
  const check = (name, isRight, seen) => {
    if (!isRight) throw new Error(`${name}: ${JSON.stringify(seen)}`);
    held.push(name);
  };
  for (const part of [tokensAndKeys, retries, lists, errors, deadlines, webhooks, receivers])
    await part(sdk, facts, check);
  return held;
}

const options = ({ baseUrl, clientId, clientSecret }) => ({ baseUrl, clientId, clientSecret });
const customer = ({ run }, i) => ({
  type: 'individual',
  external_ref: `runtime-${run}-${i}`,
  email: `runtime-${run}-${i}@example.com`,
  mobile_number: `+1212555${1000 + run * 10 + i}`,
});

async function tokensAndKeys({ createClient }, facts, check) {
  const paths = [];
  const counted = (url, init) => {
    paths.push(new URL(url).pathname);
    return fetch(url, init);
  };
  const client = createClient({ ...options(facts), fetch: counted });
  const key = { idempotencyKey: `key-${facts.run}` };
  const first = await client.customers.create(customer(facts, 0), key).withResponse();
  const again = await client.customers.create(customer(facts, 0), key).withResponse();
  check('the same key makes one customer', again.data.id === first.data.id, again);
  check('and says that it is a replay', again.response.replayed && !first.response.replayed, again);
  const { id } = first.data;
  await Promise.all([client.customers.get(id), client.customers.get(id)]);
  const tokens = paths.filter((path) => path === '/oauth/token');
  check('all calls share one token', tokens.length === 1 && paths.length === 5, paths);
}

async function retries({ createClient }, facts, check) {
  const keys = [];
  const unsteady = (url, init) => {
    const key = new Headers(init.headers).get('idempotency-key');
    if (key === null) return fetch(url, init);
    keys.push(key);
    return keys.length < 3 ? Promise.resolve(new Response('', { status: 503 })) : fetch(url, init);
  };
  const client = createClient({ ...options(facts), fetch: unsteady, retryBaseMs: 1 });
  const { response } = await client.customers.create(customer(facts, 1)).withResponse();
  const [one, ...others] = keys;
  check(
    'a call is tried again with its key',
    others.every((key) => key === one),
    keys,
  );
  check('and says how often', response.attempts === 3, response);
}

async function lists({ createClient }, facts, check) {
  const client = createClient(options(facts));
  const ids = new Set();
  const query = { type: 'customer.created', limit: 1 };
  for await (const event of client.webhookEvents.list(query)) ids.add(event.id);
  check('for await reads all pages', ids.size >= 2, ids.size);
  const two = await client.webhookEvents.list(query).toArray({ limit: 2 });
  check('toArray stops at its limit', two.length === 2 && two[0].id !== two[1].id, two);
}

const failed = (call) =>
  call.then(
    () => null,
    (error) => error,
  );

async function errors({ createClient, isCode, ...sdk }, facts, check) {
  const client = createClient(options(facts));
  const missing = await failed(client.payments.get('pay_unknown'));
  check('not_found is a NotFoundError', missing instanceof sdk.NotFoundError, String(missing));
  check('and a TenantPaymentsError', missing instanceof sdk.TenantPaymentsError, missing.name);
  check('with code and request id', isCode(missing, 'not_found') && !!missing.requestId, missing);
  const stranger = createClient({ ...options(facts), clientSecret: 'wrong' });
  const refused = await failed(stranger.payments.get('pay_1'));
  check('wrong credentials are refused', refused instanceof sdk.AuthenticationError, refused.code);
  const nowhere = createClient({ ...options(facts), baseUrl: 'http://127.0.0.1:1', maxRetries: 0 });
  const lost = await failed(nowhere.payments.get('pay_1'));
  check('no connection is a ConnectionError', lost instanceof sdk.ConnectionError, String(lost));
}

async function deadlines({ createClient, TimeoutError }, facts, check) {
  const silent = (_url, { signal }) =>
    new Promise((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  const client = createClient({ ...options(facts), fetch: silent, timeoutMs: 20, maxRetries: 0 });
  const late = await failed(client.payments.get('pay_1'));
  check('no reply in time is a TimeoutError', late instanceof TimeoutError, String(late));
  const reason = new Error('the reader left');
  const signal = AbortSignal.abort(reason);
  const ended = await failed(client.payments.get('pay_1', { signal }));
  check('a signal ends a call with its reason', ended === reason, String(ended));
}

const secret = 'whsec_runtime';

async function aBody({ createClient }, facts) {
  const client = createClient(options(facts));
  const [event] = await client.webhookEvents.list({ limit: 1 }).toArray({ limit: 1 });
  return JSON.stringify(event);
}

async function webhooks(sdk, facts, check) {
  const { webhooks: signer } = sdk;
  const body = await aBody(sdk, facts);
  const { id } = JSON.parse(body);
  const header = signer.sign(body, secret);
  const bag = { 'Service-Signature': await signer.signAsync(body, ['old', secret]) };
  check('unwrap gives the event', signer.unwrap(body, header, secret).id === id, id);
  const given = await signer.unwrapAsync(new TextEncoder().encode(body), bag, secret);
  check('unwrapAsync gives it by WebCrypto', given.id === id, given);
  const forged = await failed(signer.unwrapAsync(body, header, 'another'));
  check('a wrong secret is refused', forged.reason === 'signature_mismatch', String(forged));
  check('by its class', forged instanceof sdk.WebhookVerificationError, forged.name);
}

async function receivers(sdk, facts, check) {
  const seen = [];
  const receiver = sdk.createReceiver({ secrets: secret, onEvent: ({ id }) => seen.push(id) });
  const body = await aBody(sdk, facts);
  const headers = { 'service-signature': sdk.webhooks.sign(body, secret) };
  const sent = { method: 'POST', body, headers };
  const reply = await receiver.fetchHandler()(new Request('http://shop.example/hook', sent));
  check('the fetch handler answers', reply.status === 200, await reply.text());
  check('and handles', seen.length === 1, seen);
  const { createServer } = await import('node:http');
  const server = createServer(receiver.nodeHandler());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const again = await fetch(`http://127.0.0.1:${server.address().port}/`, sent);
  check('the node handler answers', again.status === 200, await again.text());
  check('what came before is handled once', seen.length === 1, seen);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections?.();
  });
}
