import { randomUUID } from 'node:crypto';
import { portalEndpoints } from '@tenant-payments/backoffice/contract/catalog.ts';
import type { PortalEndpoint } from '@tenant-payments/backoffice/contract/endpoint.ts';
import { idPrefixes, publicId } from '@tenant-payments/contract/core/ids.ts';
import { describe, expect, test } from 'vitest';
import { openQrSigner } from '../../service/resources/payment_requests/qr.ts';
import type { Base } from '../contract/cases/bases.ts';
import { draftOf, rawOf } from '../contract/cases/requests.ts';
import type { RawRequest } from '../contract/send.ts';
import { portalPerson } from '../kit/people.ts';
import { application } from '../kit/person.ts';
import {
  type Asked,
  baseWith,
  everythingAsked,
  type Slot,
  type SlotKind,
  slotsOf,
  strange,
  valueIn,
} from './asked.ts';
import { idsOf } from './foreign_ids.ts';
import type { TenantRecords } from './records.ts';
import { masked, openTwoTenants, told } from './two_tenants.ts';

const { server, sender, own, other, foreign, leaked, rowsOfOther } = await openTwoTenants();

const ownRequest =
  (await idsOf(server.service.pool, server.tenant.tenantId)).samples.find((id) =>
    id.startsWith('req_'),
  ) ?? '';
const signer = openQrSigner(server.service.config.qrSigningKeys, 'sandbox');
const unknown = {
  id: publicId('payment_request', randomUUID()),
  mer: publicId('customer', randomUUID()),
};
const codes: readonly { readonly foreign: string; readonly strange: string }[] = [
  {
    foreign: other.request.qr_payload,
    strange: signer.write({ ...unknown, t: 'dynamic', amt: 5_00 }),
  },
  {
    // As only the service could write it: a merchant of the payer's Tenant, a foreign request.
    foreign: signer.write({
      id: other.request.id,
      mer: own.shop.customerId,
      t: 'dynamic',
    }),
    strange: signer.write({ id: unknown.id, mer: own.shop.customerId, t: 'dynamic' }),
  },
];

const wireId = /^[a-z]+_[0-9a-f]{32}$/;
const prefixOf = (value: string) =>
  wireId.test(value) ? value.slice(0, value.indexOf('_')) : value;
const kindsByPrefix = new Map<string, string>(
  Object.entries(idPrefixes).map(([kind, prefix]) => [prefix, kind]),
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

/** Something of the shape of `value` that no Tenant has. */
const unknownFor = (slot: Slot, value: string): string =>
  slot.kind === 'own_name' ? nameIn(application('individual'), slot) : strange(slot.kind, value);

const kinds = Object.keys(idPrefixes);
const kindOf = (id: string) => kindsByPrefix.get(prefixOf(id)) ?? '';
/** One id of each kind. */
const ofEachKind = new Set(new Map(foreign.samples.map((id) => [kindOf(id), id])).values());
/** The step between kinds: each of many ways to one place takes every so many besides those that it is about. */
const otherKindsEvery = 4;
/** Operations that look up an id of any kind. */
const takesAnyKind = [
  'getRecord',
  'listFaces',
  'listPossibleMoves',
  'searchRecords',
  'searchTenants',
];
const manyWays = ['simulateEvent', 'simulateMove', 'reviewRecord'];

/**
 * The ids that are put into a slot: in every state of the kinds that it is about, and one of each other kind.
 * @param there the id of the base; absent: it may be about any kind
 */
function samplesFor(asked: Asked, there: string | undefined): readonly string[] {
  const { endpoint, name } = asked;
  const isOneOfMany = manyWays.includes(endpoint.id) && name !== 'base';
  const isAny = there === undefined || [...takesAnyKind, ...manyWays].includes(endpoint.id);
  if (isAny && !isOneOfMany) return foreign.samples;
  const turn = everythingAsked.indexOf(asked);
  const about = isOneOfMany ? name.replaceAll('-', '_') : kindOf(there ?? '');
  return foreign.samples.filter((id) => {
    if (about.includes(kindOf(id))) return true;
    const isTurn = !isOneOfMany || (kinds.indexOf(kindOf(id)) + turn) % otherKindsEvery === 0;
    return isTurn && ofEachKind.has(id);
  });
}

/** The values that the other Tenant has for a slot, each with something of the same shape that no Tenant has. */
async function foreignFor(slot: Slot, asked: Asked, base: Base): Promise<typeof codes> {
  if (slot.kind === 'code') return codes;
  const sources: Readonly<Record<Exclude<SlotKind, 'code'>, () => Promise<string[]> | string[]>> = {
    id: () => [
      ...samplesFor(asked, valueIn(slot, base)),
      other.webhookSecretId,
      other.credentialId,
      other.apiKeyId,
      other.tenant.tenantId,
    ],
    cursor: () => cursorOf(asked, other),
    result_token: () => [`rt_test_${other.endedSession}`],
    public_token: () => [`public-sandbox-standard-${other.payer.customerId}`],
    own_name: () => [nameIn(other.application, slot)],
  };
  const values = await sources[slot.kind]();
  return values.map((value) => ({ foreign: value, strange: unknownFor(slot, value) }));
}

interface Sent {
  readonly slot: Slot;
  readonly asked: Asked;
  readonly base: Base;
}

const nameOf = ({ slot, asked }: Pick<Sent, 'slot' | 'asked'>) =>
  `${slot.endpoint.id}, ${asked.name}: ${slot.part} ${slot.path.join('.')}`;

/** The reply to what no Tenant has: one for each kind of id in each place. */
const replies = new Map<string, Promise<string>>();
function replyToUnknown({ slot, asked, base }: Sent, value: string): Promise<string> {
  const key = `${everythingAsked.indexOf(asked)} ${slotName(slot)} ${prefixOf(value)}`;
  const reply =
    replies.get(key) ??
    sender
      .send(requestOf(slot, baseWith(slot, baseOf(slot, base), value)))
      .then((sent) => told(sent, value));
  replies.set(key, reply);
  return reply;
}

/** Sends what is foreign and says how the reply differs from that to what no Tenant has; null: it does not. */
async function differs(sent: Sent, pair: (typeof codes)[number]): Promise<string | null> {
  const { slot, base } = sent;
  const [theirs, second] = await Promise.all([
    sender.send(requestOf(slot, baseWith(slot, baseOf(slot, base), pair.foreign))),
    replyToUnknown(sent, pair.strange),
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

/** A program's list holds its own Tenant alone, so no page of it has a second one. */
const isNeverGiven = ({ endpoint, kind }: Slot) =>
  ['listTenants', 'listTenantProofs', 'listReserves'].includes(endpoint.id) && kind === 'cursor';

const everySlot = everythingAsked.flatMap((asked) =>
  slotsOf(asked.endpoint)
    .filter((slot) => !isNeverGiven(slot))
    .map((slot) => ({ slot, asked })),
);

/** A request to send: a slot of a request of one's own, and what is put there. */
interface Trial extends Sent {
  readonly pairs: typeof codes;
}

async function everyTrial(): Promise<Trial[]> {
  const bases = new Map<Asked, Base>();
  for (const asked of everythingAsked) bases.set(asked, await asked.make(own));
  const made: Trial[] = [];
  for (const { slot, asked } of everySlot) {
    const base = bases.get(asked) ?? {};
    made.push({ slot, asked, base, pairs: await foreignFor(slot, asked, base) });
  }
  return made;
}

const queries: Readonly<Record<string, string>> = {
  listAudit: '?scope=all',
  searchTenants: '?q=Test',
};
/** All but a statement, which names its Tenant. */
const platformReads = Object.values<PortalEndpoint>(portalEndpoints).filter(
  ({ id, method, path, ownTenant }) =>
    ownTenant && method === 'GET' && !path.includes(':') && id !== 'getSandboxBankStatement',
);
const showsOther = (body: unknown) => {
  const text = JSON.stringify(body);
  return [other.tenant.tenantId, ...foreign.all].some((id) => text.includes(id));
};

test("of the platform a program reads its own Tenant's part alone, and an admin every Tenant's", async () => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const asked = { name: 'own', roles: ['admin', 'owner'], expires_at };
  const { key } = await own.api.post('/portal/api/api-keys', asked);
  const admin = await portalPerson(server, 'platform', ['admin']);
  const toAdmin: string[] = [];
  for (const { id, path } of platformReads) {
    const to = path + (queries[id] ?? '');
    for (const token of [own.tenant.token, key]) {
      const { status, body } = await server.call('GET', to, { token });
      expect([id, status, showsOther(body)]).toEqual([id, 200, false]);
    }
    const { body } = await admin.ask('GET', to.replace('/portal/api', ''));
    if (showsOther(body)) toAdmin.push(id);
  }
  expect(toAdmin.length).toBeGreaterThan(platformReads.length / 2);
});

describe('something of another Tenant in a request', async () => {
  const all = await everyTrial();

  test('is answered as what no Tenant has, byte for byte, and changes nothing there', async () => {
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
  });

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

/** The values that a Tenant itself has for a slot that its request leaves out, or where the base is too general. */
async function ownFor({ slot, asked, base }: Sent): Promise<readonly string[]> {
  if (slot.kind === 'public_token') return [`public-sandbox-standard-${base.params?.id}`];
  if (slot.kind === 'own_name') return [nameIn(own.application, slot)];
  if (slot.kind === 'cursor') return cursorOf(asked, own);
  const there = valueIn(slot, base);
  if (there !== undefined) return [there];
  const { payer } = own;
  return [payer.customerId, payer.accountId, own.targets.payment, own.eventId, ownRequest];
}

/** Whether a reply to what is the Tenant's own differs from one to what no Tenant has. */
async function isLookedUp(sent: Sent): Promise<boolean> {
  const { slot, base } = sent;
  for (const value of await ownFor(sent)) {
    const unknown = unknownFor(slot, value);
    const replies: string[] = [];
    for (const one of [unknown, value])
      replies.push(
        told(await sender.send(requestOf(slot, baseWith(slot, baseOf(slot, base), one))), one),
      );
    if (replies[0] !== replies[1]) return true;
  }
  return false;
}
