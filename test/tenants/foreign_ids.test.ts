import { randomUUID } from 'node:crypto';
import { idPrefixes, publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDownloadLinks } from '../../service/http/files/download_links.ts';
import { openInbound } from '../../service/inbound/inbound.ts';
import { openQrSigner } from '../../service/resources/payment_requests/qr.ts';
import type { Base } from '../contract/bases.ts';
import { digestOf } from '../contract/digest.ts';
import { draftOf, rawOf } from '../contract/requests.ts';
import { openSender, type RawRequest } from '../contract/send.ts';
import type { Reply } from '../kit/http.ts';
import { newKey } from '../kit/ids.ts';
import { application } from '../kit/person.ts';
import { openServer } from '../kit/server.ts';
import {
  type Asked,
  baseWith,
  everythingAsked,
  keyed,
  type Slot,
  type SlotKind,
  slotsOf,
  strange,
  valueIn,
} from './asked.ts';
import { type Ids, idsOf } from './foreign_ids.ts';
import { playTenant, type TenantRecords } from './records.ts';

let own: TenantRecords;
let other: TenantRecords;
let foreign: Ids;
let ownRequest: string;
let codes: readonly { readonly foreign: string; readonly strange: string }[];

const rateLimit = 10_000_000;
const server = await openServer({ workers: false, tenant: { rateLimit } });
const sender = openSender(server.baseUrl);
beforeAll(async () => {
  const second = await server.anotherTenant({ rateLimit });
  [own, other] = await Promise.all([playTenant(server, server.tenant), playTenant(server, second)]);
  await server.service.requestLog.flush();
  foreign = await idsOf(server.service.pool, second.tenantId);
  [ownRequest = ''] = (await idsOf(server.service.pool, server.tenant.tenantId)).samples.filter(
    (id) => id.startsWith('req_'),
  );
  const signer = openQrSigner(server.service.config.qrSigningKey, 'sandbox');
  const unknown = {
    id: publicId('payment_request', randomUUID()),
    mer: publicId('customer', randomUUID()),
  };
  codes = [
    {
      foreign: other.request.qr_payload,
      strange: signer.write({ ...unknown, t: 'dynamic', amt: 5_00 }),
    },
    {
      // As nobody but the service could write it: a merchant of the payer's Tenant, a foreign request.
      foreign: signer.write({
        id: other.request.id,
        mer: own.shop.customerId,
        t: 'dynamic',
      }),
      strange: signer.write({ id: unknown.id, mer: own.shop.customerId, t: 'dynamic' }),
    },
  ];
});
afterAll(async () => {
  await sender.close();
});

const rowsOfOther = async () => {
  await server.service.requestLog.flush();
  return digestOf(server.service.pool, other.tenant.tenantId);
};

/** What is told byte for byte: without what tells one call from the next, and what was sent. */
function told({ status, headers, body }: Reply, sent: string): string {
  const requestId = headers.get('service-request-id') ?? '';
  const text = JSON.stringify(body).replaceAll(requestId, '<request>').replaceAll(sent, '<sent>');
  const kept = [...headers].filter(
    ([name]) => !/^(date|service-request-id|ratelimit-.*|content-length)$/.test(name),
  );
  return `${status} ${JSON.stringify(kept)} ${text}`;
}

const wireId = /^[a-z]+_[0-9a-f]{32}$/;
const prefixOf = (value: string) =>
  wireId.test(value) ? value.slice(0, value.indexOf('_')) : value;
const kindsByPrefix = new Map<string, string>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind]),
);

const wireIds = /[a-z]+_[0-9a-f]{32}/g;

/** An id of the other Tenant's that a reply shows and that was not sent. */
const leaked = ({ body }: Reply, sent: string): string | undefined =>
  (JSON.stringify(body).match(wireIds) ?? []).find(
    (id) => foreign.all.has(id) && !sent.includes(id),
  );

const requestOf = (
  { endpoint }: Pick<Slot, 'endpoint'>,
  base: Base,
  token = own.tenant.token,
): RawRequest => rawOf(draftOf(endpoint, base, token));

/** The cursor of a Tenant's first page of the same list; none where it has one page. */
async function cursorOf(asked: Asked, whose: TenantRecords): Promise<string[]> {
  const base = await asked.make(whose);
  const first = { ...base, query: { ...base.query, limit: '1' } };
  const { body } = await sender.send(requestOf(asked, first, whose.tenant.token));
  return typeof body.next_cursor === 'string' ? [body.next_cursor] : [];
}

/** A customer's name, as the slot takes it. */
const nameIn = (application: object, { path }: Slot): string =>
  String((application as Record<string, unknown>)[path.at(-1) ?? '']);

/** Something of the shape of `value` that nobody has. */
const nobodys = (slot: Slot, value: string): string =>
  slot.kind === 'own_name' ? nameIn(application('individual'), slot) : strange(slot.kind, value);

const kinds = Object.keys(idPrefixes);
/** Of many ways to one place each takes the ids of what it is about, and every so many other kinds. */
const otherKindsEvery = 4;

function samplesFor(asked: Asked): readonly string[] {
  const { endpoint, name } = asked;
  const isOneOfMany = ['simulateEvent', 'reviewRecord'].includes(endpoint.id) && name !== 'base';
  if (!isOneOfMany) return foreign.samples;
  const turn = everythingAsked.indexOf(asked);
  const about = name.replaceAll('-', '_');
  return foreign.samples.filter((id) => {
    const kind = kindsByPrefix.get(prefixOf(id)) ?? '';
    return about.includes(kind) || (kinds.indexOf(kind) + turn) % otherKindsEvery === 0;
  });
}

/** What the other Tenant has for a slot, each with something of the same shape that nobody has. */
async function foreignFor(slot: Slot, asked: Asked): Promise<typeof codes> {
  if (slot.kind === 'code') return codes;
  const sources: Readonly<Record<Exclude<SlotKind, 'code'>, () => Promise<string[]> | string[]>> = {
    id: () => [...samplesFor(asked), other.webhookSecretId, other.tenant.tenantId],
    cursor: () => cursorOf(asked, other),
    result_token: () => [`rt_test_${other.endedSession}`],
    public_token: () => [`public-sandbox-standard-${other.payer.customerId}`],
    own_name: () => [nameIn(other.application, slot)],
  };
  const values = await sources[slot.kind]();
  return values.map((value) => ({ foreign: value, strange: nobodys(slot, value) }));
}

/** A record that was made: what differs between any two that are made alike. */
const masked = (text: string) =>
  text
    .replaceAll(wireIds, '<id>')
    .replaceAll(/"(token|link_token|qr_payload|payment_link)":"[^"]*"/g, '"$1":"<secret>"')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/"mobile_number_last4":"\d{4}"/g, '<mobile>')
    .replaceAll(/ref-[0-9a-f]{16}/g, '<ref>');

interface Sent {
  readonly slot: Slot;
  readonly asked: Asked;
  readonly base: Base;
}

const nameOf = ({ slot, asked }: Pick<Sent, 'slot' | 'asked'>) =>
  `${slot.endpoint.id}, ${asked.name}: ${slot.part} ${slot.path.join('.')}`;

/** The reply to what nobody has: one for each kind of id in each place. */
const replies = new Map<string, Promise<string>>();
function replyToNobody({ slot, asked, base }: Sent, value: string): Promise<string> {
  const key = `${everythingAsked.indexOf(asked)} ${slotName(slot)} ${prefixOf(value)}`;
  const reply =
    replies.get(key) ??
    sender
      .send(requestOf(slot, baseWith(slot, baseOf(slot, base), value)))
      .then((sent) => told(sent, value));
  replies.set(key, reply);
  return reply;
}

/** Sends what is foreign and says how the reply differs from that to what nobody has; null: it does not. */
async function differs(sent: Sent, pair: (typeof codes)[number]): Promise<string | null> {
  const { slot, base } = sent;
  const [theirs, second] = await Promise.all([
    sender.send(requestOf(slot, baseWith(slot, baseOf(slot, base), pair.foreign))),
    replyToNobody(sent, pair.strange),
  ]);
  const leak = leaked(theirs, pair.foreign);
  if (leak) return `shows ${leak}`;
  const first = told(theirs, pair.foreign);
  if (first === second) return null;
  const isMade = slot.endpoint.id === 'createCustomer' && theirs.status === 201;
  return isMade && masked(first) === masked(second) ? null : `${first}\n  not as ${second}`;
}

/** Two customers cannot share what must be their own: each request has the rest of its own. */
function baseOf(slot: Slot, base: Base): Base {
  if (slot.endpoint.id !== 'createCustomer') return base;
  return { ...base, body: { ...application('individual') } };
}

const everySlot = everythingAsked.flatMap((asked) =>
  slotsOf(asked.endpoint).map((slot) => ({ slot, asked })),
);

/** What is sent: a slot of a request of one's own, and what is put there. */
interface Trial extends Sent {
  readonly pairs: typeof codes;
}

async function sandboxTools(): Promise<Trial[]> {
  const bases = new Map<Asked, Base>();
  for (const asked of everythingAsked) bases.set(asked, await asked.make(own));
  const made: Trial[] = [];
  for (const { slot, asked } of everySlot) {
    const pairs = await foreignFor(slot, asked);
    made.push({ slot, asked, base: bases.get(asked) ?? {}, pairs });
  }
  return made;
}

describe('something of another Tenant in a request', () => {
  let all: Trial[];
  beforeAll(async () => {
    all = await sandboxTools();
  });

  test('is answered as what nobody has, byte for byte, and changes nothing there', async () => {
    const violations: string[] = [];
    const before = await rowsOfOther();
    const sends = all.flatMap((trial) => trial.pairs.map((pair) => ({ trial, pair })));
    // A customer of one's own who has another's name is found by it: they are made when all else is asked.
    const makes = ({ trial }: (typeof sends)[number]) =>
      trial.slot.endpoint.id === 'createCustomer';
    for (const some of [sends.filter((send) => !makes(send)), sends.filter(makes)])
      await sender.all(some, async ({ trial, pair }) => {
        const fault = await differs(trial, pair);
        if (fault) violations.push(`${nameOf(trial)} = ${pair.foreign}: ${fault}`);
      });
    expect(violations.slice(0, 10)).toEqual([]);
    expect(await rowsOfOther()).toEqual(before);
    expect(sends.length).toBeGreaterThan(3_000);
  }, 60_000);

  test('is put into every place where a request names something', () => {
    const places = new Set(everySlot.map(({ slot }) => slotName(slot)));
    for (const { slot, pairs } of all) if (pairs.length > 0) places.delete(slotName(slot));
    expect([...places]).toEqual([]);
  });

  test('is looked for: what is its own in the same place is answered otherwise', async () => {
    const blind = new Set(all.map(({ slot }) => slotName(slot)));
    for (const { slot, asked } of all) {
      if (!blind.has(slotName(slot))) continue;
      const base = await asked.make(own);
      if (await isLookedUp({ slot, asked, base })) blind.delete(slotName(slot));
    }
    expect([...blind]).toEqual([]);
  });
});

const slotName = ({ endpoint, part, path }: Slot) => `${endpoint.id} ${part} ${path.join('.')}`;

/** What a Tenant itself has for a slot that its request leaves out, or where the base is too general. */
async function ownFor({ slot, asked, base }: Sent): Promise<readonly string[]> {
  if (slot.kind === 'public_token') return [`public-sandbox-standard-${base.params?.id}`];
  if (slot.kind === 'own_name') return [nameIn(own.application, slot)];
  if (slot.kind === 'cursor') return cursorOf(asked, own);
  const there = valueIn(slot, base);
  if (there !== undefined) return [there];
  const { payer } = own;
  return [payer.customerId, payer.accountId, own.targets.payment, ownRequest];
}

/** Whether a reply to what is the Tenant's own differs from one to what nobody has. */
async function isLookedUp(sent: Sent): Promise<boolean> {
  const { slot, base } = sent;
  for (const value of await ownFor(sent)) {
    const nobody = nobodys(slot, value);
    const replies: string[] = [];
    for (const one of [nobody, value])
      replies.push(
        told(await sender.send(requestOf(slot, baseWith(slot, baseOf(slot, base), one))), one),
      );
    if (replies[0] !== replies[1]) return true;
  }
  return false;
}

describe('a key of another Tenant', () => {
  const withKey = async (asked: Asked, whose: TenantRecords, key: string) => {
    const draft = draftOf(asked.endpoint, await asked.make(whose), whose.tenant.token);
    return rawOf({ ...draft, key });
  };

  test.each(keyed.map((asked) => [asked.endpoint.id, asked] as const))(
    'is free for %s, and stays what it was for the other',
    async (_, asked) => {
      const key = newKey();
      const request = await withKey(asked, other, key);
      const theirs = await sender.send(request);
      expect(theirs.status).toBe(asked.endpoint.success.status);
      const [withTheirs, withOwn] = await Promise.all([
        sender.send(await withKey(asked, own, key)),
        sender.send(await withKey(asked, own, newKey())),
      ]);
      expect(leaked(withTheirs, '')).toBeUndefined();
      expect(masked(told(withTheirs, key))).toBe(masked(told(withOwn, key)));
      expect(withTheirs.headers.get('idempotent-replayed')).toBeNull();
      const again = await sender.send(request);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
      expect(again.body).toEqual(theirs.body);
    },
  );
});

describe('an address of a file', () => {
  const tables = { statement: 'statements', reconciliation: 'reconciliation_reports' } as const;

  test.each(['statement', 'reconciliation'] as const)(
    'of a %s opens none of another Tenant, though it be signed',
    async (kind) => {
      const links = openDownloadLinks(server.service);
      const { rows } = await server.service.pool.query<{ id: string }>(
        `select id from ${tables[kind]} where tenant_id = $1 limit 1`,
        [other.tenant.tenantId],
      );
      const open = async (tenantId: string, record: string) => {
        const { url } = links.to({ kind, tenantId, record }, links.expiryMs(60));
        const path = new URL(url).pathname;
        return told(await sender.send({ method: 'GET', path, headers: {} }), path);
      };
      const record = rows[0]?.id ?? '';
      expect(await open(other.tenant.tenantId, record)).toMatch(/^200 /);
      const foreign = await open(own.tenant.tenantId, record);
      expect(foreign).toBe(await open(own.tenant.tenantId, randomUUID()));
      expect(foreign).toMatch(/^404 /);
    },
  );

  test('that was altered to name another Tenant opens nothing', async () => {
    const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');
    for (const url of [other.statementUrl, other.reportUrl]) {
      const [before = '', token = ''] = new URL(url).pathname.split('dl_');
      const bytes = Buffer.from(token, 'base64url');
      bytesOf(own.tenant.tenantId).copy(bytes, 1);
      const path = `${before}dl_${bytes.toString('base64url')}`;
      expect((await sender.send({ method: 'GET', path, headers: {} })).status).toBe(404);
    }
  });
});

describe('who asks', () => {
  const askAs = async (bearer: string) =>
    told(
      await sender.send({
        method: 'GET',
        path: '/v1/customers?external_ref=nobody',
        headers: { authorization: `Bearer ${bearer}` },
      }),
      bearer,
    );

  test('is nobody by a secret that is no access token, or by one half of two', async () => {
    const nobody = await askAs(`at_${'x'.repeat(60)}`);
    expect(nobody).toMatch(/^401 /);
    const { token: mine } = own.tenant;
    const { token: theirs } = other.tenant;
    const half = Math.floor(mine.length / 2);
    const session = await other.api.session('pin_reset', other.payer);
    const secrets = [
      other.linkToken,
      session.token,
      `rt_test_${other.endedSession}`,
      other.tenant.client_secret,
      other.tenant.webhook_secret,
      new URL(other.statementUrl).pathname.split('/').at(-1) ?? '',
      theirs.slice(0, half) + mine.slice(half),
      mine.slice(0, half) + theirs.slice(half),
    ];
    for (const secret of secrets) expect(await askAs(secret)).toBe(nobody);
  });

  test('is nobody by the name of one client and the secret of another', async () => {
    const tokenFor = async (client_id: string) => {
      const { client_secret } = own.tenant;
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        client_id,
        client_secret,
      });
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const request = { method: 'POST', path: '/oauth/token', headers, body: String(body) };
      return told(await sender.send(request), client_id);
    };
    const nobody = await tokenFor('cl_nobody');
    expect(nobody).toMatch(/^401 /);
    expect(await tokenFor(other.tenant.client_id)).toBe(nobody);
  });
});

test('what the outside tells of a record of another Tenant is of none', async () => {
  const { engine, log, pool } = server.service;
  const silent = Object.assign(Object.create(log), { error: () => {} });
  const inbound = openInbound({ engine, log: silent });
  const { tenantId } = own.tenant;
  const before = await rowsOfOther();
  const { rows } = await pool.query<{ id: string }>(
    'select id from instructions where tenant_id = $1',
    [other.tenant.tenantId],
  );
  expect(rows.length).toBeGreaterThan(3);
  for (const orderId of [...rows.map(({ id }) => id), randomUUID()])
    for (const said of [
      { outcome: 'settled', amount: 1_00 },
      { outcome: 'failed', reason: 'AC04' },
      { outcome: 'returned', amount: 1_00 },
    ] as const)
      expect(await inbound.bank(tenantId, { id: randomUUID(), orderId, ...said })).toBe('unknown');
  const linkId = uuidOf('linked_account', other.payer.linkedAccountId ?? '') ?? '';
  const subjectId = uuidOf('customer', other.inReview) ?? '';
  const id = randomUUID();
  expect(await inbound.aggregator(tenantId, { id, linkId, outcome: 'verified' })).toBe('unknown');
  expect(
    await inbound.identity(tenantId, {
      id: randomUUID(),
      subject: 'customer',
      subjectId,
      decision: 'approved',
    }),
  ).toBe('unknown');
  expect(await rowsOfOther()).toEqual(before);
});
