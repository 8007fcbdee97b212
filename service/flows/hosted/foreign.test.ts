import { randomUUID } from 'node:crypto';
import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import type { HostedEndpoint } from '@tenant-payments/contract/hosted/endpoint.ts';
import { flows } from '@tenant-payments/contract/resources/sessions.ts';
import { beforeAll, expect, test } from 'vitest';
import type { Reply, ReplyBody } from '../../../test/kit/http/http.ts';
import { application, code, identity, person } from '../../../test/kit/pages/applicant.ts';
import {
  type HostedPage,
  openHostedPages,
  pin,
  refusalLine,
} from '../../../test/kit/pages/hosted.ts';
import type { Person } from '../../../test/kit/person.ts';
import { refusalOf } from '../../../test/kit/refusal.ts';
import { openServer } from '../../../test/kit/server.ts';

/** Every operation of the hosted pages, with a session, bearer or tenant that it is not for. */
const server = await openServer({ manual: true });
const { api } = server;
const pages = openHostedPages(server);
let ana: Person;
let shop: ReplyBody;
beforeAll(async () => {
  ana = await api.banked('individual');
  shop = await api.customer('business');
  await pages.givePins();
});

const owner = { name: 'Bo', role: 'owner', ownership_percent: 50 };

type Endpoints = typeof hostedEndpoints;
type OfBearer = {
  [K in keyof Endpoints]: Endpoints[K]['key'] extends 'bearer' ? K : never;
}[keyof Endpoints];
type Flow = (typeof flows)[number];

/** A body that each operation accepts, and its flows; null: all. */
const operations: Readonly<Record<OfBearer, { body?: object; in: readonly Flow[] | null }>> = {
  viewSession: { in: null },
  keepAlive: { in: null },
  leaveSession: { in: null },
  takeResult: { in: null },
  confirmByPin: { body: { pin }, in: ['payment_confirm'] },
  passkeyChallenge: { in: ['payment_confirm'] },
  confirmByPasskey: { body: { credential: { id: 'x' } }, in: ['payment_confirm'] },
  declineRecord: { in: ['payment_confirm'] },
  newPasskeyOptions: { in: null },
  addPasskey: { body: { credential: { id: 'x' } }, in: null },
  proveByPin: { body: { pin }, in: ['contact_change'] },
  proofChallenge: { in: ['contact_change', 'pin_reset'] },
  proveByPasskey: { body: { credential: { id: 'x' } }, in: ['contact_change', 'pin_reset'] },
  removePasskey: { in: ['contact_change'] },
  finishPasskeys: { in: ['contact_change'] },
  sendCode: {
    body: { email: 'a@example.com' },
    in: ['onboarding', 'pin_reset', 'contact_change'],
  },
  checkCode: { body: { code }, in: ['onboarding', 'pin_reset', 'contact_change'] },
  giveIdentityDocument: { body: { kind: 'photo_id', file: 'aGVsbG8=' }, in: ['onboarding'] },
  openIdentityStep: { in: ['onboarding'] },
  submitOnboarding: { body: { ...application, pin }, in: ['onboarding'] },
  nameOwner: { body: { owner, email: 'bo@example.com' }, in: ['onboarding'] },
  inviteOwnerAgain: { body: { email: 'bo@example.com' }, in: ['onboarding'] },
  resetPin: {
    body: { ...identity, pin: '738162' },
    in: ['pin_reset'],
  },
  changeContact: { body: { pin }, in: ['contact_change'] },
  readDocuments: { in: null },
  decideTerms: {
    body: { decision: 'accepted', documents: application.accepts_documents },
    in: ['terms_acceptance'],
  },
};
const names = Object.keys(operations) as OfBearer[];

const run = (name: OfBearer, token: string | null, call = server.call): Promise<Reply> => {
  const { method, path }: HostedEndpoint = hostedEndpoints[name];
  const { body } = operations[name];
  const where = path.replace(':id', `own_${'0'.repeat(32)}`);
  return call(method, where, { token, ...(body ? { body } : {}) });
};

async function openIn(flow: Flow): Promise<HostedPage> {
  if (flow === 'payment_confirm') return pages.load(ana);
  if (flow === 'onboarding') return pages.flow(flow, shop.id);
  return pages.flow(flow, ana.customerId);
}

/** The bearer of a page with the id of another tenant in it. */
function movedTo(tenantId: string, bearer: string): string {
  const bytes = Buffer.from(bearer.slice(3), 'base64url');
  Buffer.from(tenantId.replaceAll('-', ''), 'hex').copy(bytes);
  return `fb_${bytes.toString('base64url')}`;
}

test('every operation of the hosted pages is tested here', () => {
  const catalog = Object.entries<HostedEndpoint>(hostedEndpoints);
  const ofBearers = catalog.filter(([, { key }]) => key === 'bearer').map(([name]) => name);
  expect(names.toSorted()).toEqual(ofBearers.toSorted());
});

test.each(names)('%s accepts the bearer of an open page and nothing else', async (name) => {
  const page = await pages.load(ana);
  const other = await server.anotherTenant();
  const fresh = (await api.load(ana, 500)).confirmation_session.token;
  const keys = [
    null,
    '',
    server.token,
    other.token,
    fresh,
    `fb_${page.bearer.slice(4)}`,
    page.bearer.slice(3),
    movedTo(other.tenantId, page.bearer),
    `${page.bearer}A`,
    `fb_${'A'.repeat(64)}`,
  ];
  for (const key of keys) expect(refusalLine(await run(name, key))).toBe('authentication_required');
  expect((await page.look()).status).toBe('created');
});

test.each(flows)('a session of %s allows the operations of its own flow alone', async (flow) => {
  const page = await openIn(flow);
  const foreign = names.filter((name) => operations[name].in?.includes(flow) === false);
  for (const name of foreign) {
    const reply = await run(name, page.bearer);
    // An individual has no owners; a passkey needs a challenge first.
    expect([name, refusalLine(reply)]).toEqual([
      name,
      expect.stringMatching(/^invalid_state (flow|no_challenge)|^invalid_state|^not_found/),
    ]);
  }
  expect(await page.look()).toMatchObject({ status: 'created', terms_decision: null });
});

test('for ten minutes after the end a page can read and take its result, and nothing more', async () => {
  const page = await pages.load(ana);
  await page.ask('/confirm/decline');
  for (const name of names.filter(
    (one) => !['viewSession', 'readDocuments', 'takeResult'].includes(one),
  ))
    expect([name, (await run(name, page.bearer)).status]).toEqual([
      name,
      expect.toBeOneOf([400, 409, 422]),
    ]);
  expect((await run('viewSession', page.bearer)).body.status).toBe('canceled');
  expect((await run('takeResult', page.bearer)).status).toBe(200);
  await server.engine.moveClock(600);
  for (const name of names)
    expect(refusalLine(await run(name, page.bearer))).toBe('authentication_required');
});

test('a token opens once, also with twenty requests at the same time', async () => {
  const { token } = (await api.load(ana, 500)).confirmation_session;
  const opened = await Promise.all(Array.from({ length: 20 }, () => pages.ask('/open', { token })));
  expect(opened.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(refusalLine(await pages.ask('/open', { token }))).toBe('session_invalid used');
});

test("a result token is exchanged only by the session's Tenant", async () => {
  const page = await pages.load(ana);
  await page.ask('/confirm/pin', { pin });
  const { body } = await page.ask('/result');
  const other = await server.anotherTenant();
  const exchange = server.apiOf(other).post('/v1/sessions/exchange', body);
  expect(await refusalOf(exchange)).toMatchObject({ code: 'result_token_invalid' });
  expect(await api.post('/v1/sessions/exchange', body)).toMatchObject({ status: 'completed' });
});

test('an owner of another business is not found', async () => {
  const [mine, theirs] = [await api.customer('business'), await api.customer('business')];
  const [one, two] = [
    await pages.flow('onboarding', mine.id),
    await pages.flow('onboarding', theirs.id),
  ];
  const { body } = await one.ask('/owners', { owner, email: 'bo@example.com' });
  const [{ id }] = body.onboarding.owners;
  const reply = await two.ask(`/owners/${id}/invite`, { email: 'thief@example.com' });
  expect(refusalLine(reply)).toBe('not_found');
});

test.each(['/owner/open', '/owner', '/bank/open', '/bank', '/open'])(
  '%s takes its own kind of token alone',
  async (path) => {
    const page = await pages.load(ana);
    const { link_token } = await api.post(`/v1/customers/${ana.customerId}/link-tokens`, {
      platform: 'ios',
    });
    const of: Readonly<Record<string, (token: string) => object>> = {
      '/owner/open': (token) => ({ token }),
      '/owner': (token) => ({ token, person }),
      '/bank/open': (given) => ({ link_token: given }),
      '/bank': (given) => ({ link_token: given, bank: 'standard' }),
      '/open': (token) => ({ token }),
    };
    const foreign = [page.bearer, server.token, 'x', `ol_${'A'.repeat(64)}`, randomUUID()];
    if (!path.startsWith('/bank')) foreign.push(link_token);
    for (const token of foreign)
      expect(refusalLine(await pages.ask(path, of[path]?.(token)))).toBe('session_invalid unknown');
  },
);
