import { publicId } from '@tenant-payments/contract/core/ids.ts';
import type { ReplyBody } from '../../../kit/http/http.ts';
import type { Choices } from '../../../kit/seed.ts';
import { openPeople, type Person } from '../../customers.ts';
import { recordOf, type Sender } from '../../sender.ts';
import { post } from '../client.ts';
import type { Bank } from '../resources/links.ts';
import { blockOf } from '../resources/loads.ts';
import { activeLink, count, dayOf, type ModelPerson } from '../types.ts';
import { create, latest, type Move, type Play, send, simulation, type Twin } from './move.ts';

const banks: readonly Bank[] = [
  'standard',
  'standard',
  'standard',
  'rtp_only',
  'no_rtp',
  'foreign',
];

/** Links a bank account, mostly of a customer without one. */
export const createLink: Play = async (twin, choices) => {
  const { people, link } = twin.model;
  const without = people.filter((one) => activeLink(one) === null && one.status !== 'closed');
  const person = (choices.percent(85) && latest(choices, without)) || choices.pick(people);
  const bank = choices.pick(banks);
  const path = `/v1/customers/${person.customerId}/linked-accounts`;
  const order = post(path, { public_token: `public-sandbox-${bank}` });
  return create(twin, choices, order, link(person, bank), person.links);
};

/** A move of a bank account: mostly one that waits for its check is verified. */
export const moveLink: Play = async (twin, choices) => {
  const { model } = twin;
  const all = model.people.flatMap(({ links }) => links);
  const waiting = all.filter(({ status }) => status === 'pending' || status === 'held_for_review');
  const link = latest(choices, waiting.length > 0 && choices.percent(75) ? waiting : all);
  if (!link) return null;
  const simulate = (event: string, expected: string) =>
    send(twin, choices, simulation(`linked_account.${event}`, link.id), expected);
  const at = choices.below(20);
  if (at < 11) return simulate('verified', model.verifyLink(link));
  if (at < 13) return simulate('held_for_review', model.holdLink(link));
  if (at < 15) return simulate('failed', model.failLink(link));
  if (at < 18) return simulate('hold_released', model.releaseHold(link));
  const path = `/v1/customers/${link.customer.customerId}/linked-accounts/${link.id}`;
  return send(twin, choices, { method: 'DELETE', path }, model.removeLink(link));
};

const onAccount =
  (event: string, predict: (twin: Twin, person: ModelPerson) => string) =>
  (twin: Twin, choices: Choices, person: ModelPerson): Promise<Move> => {
    const order = simulation(`account.${event}`, publicId('account', person.accountId));
    return send(twin, choices, order, predict(twin, person), [person]);
  };
const suspendOne = onAccount('suspended', ({ model }, person) => model.suspend(person));
export const reactivate = onAccount('reactivated', ({ model }, person) => model.reactivate(person));
const finishOne = onAccount('closed', ({ model }, person) => model.finishClosing(person));

/** The reviewer suspends an account or reactivates it. */
export const suspend: Play = async (twin, choices) => {
  const { people } = twin.model;
  const restricted = people.filter(({ status }) => status !== 'active');
  const suspended = restricted.filter(({ heldBack }) => heldBack);
  const some = suspended.length > 1 || choices.percent(50) ? suspended : restricted;
  const person = choices.percent(70) ? latest(choices, some) : choices.pick(people);
  if (!person) return null;
  const lifts = person.heldBack || choices.percent(20);
  return (lifts ? reactivate : suspendOne)(twin, choices, person);
};

/** The Tenant closes an account. */
export const close: Play = async (twin, choices) => {
  const person = choices.pick(twin.model.people);
  const order = post(`/v1/customers/${person.customerId}/close`, { reason: 'customer_request' });
  return send(twin, choices, order, twin.model.close(person), [person]);
};

export const finishClosing: Play = async (twin, choices) => {
  const { people } = twin.model;
  const closing = people.filter(({ status }) => status === 'closing');
  const person = choices.percent(80) ? latest(choices, closing, 10) : choices.pick(people);
  return person && finishOne(twin, choices, person);
};

/** A merchant opens with little, so that its refunds soon wait for money. */
export const openingCents = { individual: 200_000, business: 3_000 } as const;

/** A new customer with a bank account and some money from it. */
async function newPerson({ query }: Sender, person: Person, nowMs: number): Promise<ModelPerson> {
  const cents = openingCents[person.type];
  const made: ModelPerson = {
    ...person,
    events: ['created'],
    openedMs: nowMs,
    closedMs: null,
    links: [],
    available: cents,
    pending: 0,
    earmarked: 0,
    status: 'active',
    heldBack: false,
    used: new Map(),
    waiting: new Map(),
    isNews: false,
    retryMs: null,
  };
  const links = await query<{ id: string }>(
    `select l.id from linked_accounts l join accounts a
       on a.tenant_id = l.tenant_id and a.customer_id = l.customer_id
     where a.tenant_id = $1 and a.id = $2`,
    person.accountId,
  );
  for (const { id } of links)
    made.links.push({
      id: publicId('linked_account', id),
      events: ['created', 'verified'],
      customer: made,
      status: 'verified',
      offers: { withdrawal: true, load: true },
      wasVerified: true,
      holdUntilMs: null,
    });
  const day = dayOf(nowMs);
  count('load', made, day, cents);
  count('load_30_day', made, blockOf(nowMs, day), cents);
  return made;
}

const peopleOfType = { individual: 4, business: 3 } as const;
const types = ['individual', 'business'] as const;

/** Brings so many customers of each type as a tenant has. @param here how many there are */
export async function bringPeople(
  sender: Sender,
  nowMs: number,
  here: (type: Person['type']) => number = () => 0,
): Promise<ModelPerson[]> {
  const opened = await Promise.all(
    types.map((type) =>
      openPeople(sender, Math.max(0, peopleOfType[type] - here(type)), type, openingCents[type]),
    ),
  );
  return Promise.all(opened.flat().map((person) => newPerson(sender, person, nowMs)));
}

/** Customers who have closed are followed by new ones. */
export const arrive: Play = async ({ sender, model, withoutFaults }) => {
  const { people, clock } = model;
  const here = (type: Person['type']) =>
    people.filter((one) => one.type === type && one.status !== 'closed').length;
  const came = await withoutFaults(() => bringPeople(sender, clock.nowMs, here));
  people.push(...came);
  if (came.length === 0) return null;
  return { what: `${came.length} new customers`, expected: 'done', actual: 'done' };
};

/** A new version of a document must be accepted; sometimes named by a record that is not in force. */
export const publish: Play = async (twin, choices) => {
  const { client, model } = twin;
  const person = choices.pick(model.people);
  const { data } = await client.read(
    `/portal/api/customers/${person.customerId}/documents?include=superseded`,
  );
  const all: readonly ReplyBody[] = data;
  const inForce = all.filter(({ status }) => status === 'accepted');
  const { id, document_type, status } = choices.pick(choices.percent(85) ? inForce : all);
  const expected = model.publish(person, document_type, status === 'accepted');
  const order = simulation('document_acceptance.pending_acceptance', id);
  return send(twin, choices, order, expected);
};

/** A customer accepts, mostly one with a document that waits. */
export const acceptTerms: Play = async (twin, choices) => {
  const { client, model } = twin;
  const waited = model.people.filter(({ waiting }) => waiting.size > 0);
  const person = (choices.percent(85) && latest(choices, waited)) || choices.pick(model.people);
  const expected = model.accept(person);
  const order = post('/v1/sessions', {
    flow: 'terms_acceptance',
    customer_id: person.customerId,
  });
  const { outcome } = await client.send(order, expected, choices);
  if (outcome.code !== 'done' || expected !== 'done')
    return { what: `${person.customerId} accepts`, expected, actual: outcome.code };
  const accepted = simulation('session.completed', recordOf(outcome).id);
  return send(twin, choices, accepted, expected);
};
