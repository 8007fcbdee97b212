import { post } from '../client.ts';
import type { Bank } from '../resources/links.ts';
import { activeLink } from '../types.ts';
import { asked, keepTold, latest, type Play, simulation } from './move.ts';

const banks: readonly Bank[] = [
  'standard',
  'standard',
  'standard',
  'rtp_only',
  'no_rtp',
  'foreign',
];

/** Links a bank account, mostly of somebody who has none. */
export const createLink: Play = async (twin, choices, nowMs) => {
  const { hand, model } = twin;
  const without = model.people.filter((one) => activeLink(one) === null && one.status !== 'closed');
  const person =
    without.length > 0 && choices.percent(85) ? choices.pick(without) : choices.pick(model.people);
  const bank = choices.pick(banks);
  const expected = model.link(person, bank);
  const path = `/v1/customers/${person.customerId}/linked-accounts`;
  const order = post(path, { public_token: `public-sandbox-${bank}` });
  const sent = await hand.ask(order, expected, choices);
  const link = person.links.at(-1);
  if (sent.outcome.code === 'done' && expected === 'done' && link)
    keepTold(twin, link, sent, nowMs);
  const told = `${person.customerId} links ${bank}`;
  return { told, expected, actual: sent.outcome.code, stages: true };
};

/** What becomes of a bank account: mostly one that waits for its check is verified. */
export const moveLink: Play = async (twin, choices, nowMs) => {
  const { model } = twin;
  const all = model.people.flatMap(({ links }) => links);
  const waiting = all.filter(({ status }) => status === 'pending' || status === 'held_for_review');
  const chosen = waiting.length > 0 && choices.percent(75) ? waiting : all;
  const link = latest(choices, chosen, chosen.length);
  if (!link) return null;
  const told = (what: string) => `${what} ${link.id} of ${link.customer.customerId}`;
  const play = (event: string, expected: string) =>
    asked(twin, choices, { told: told(event), expected, order: simulation(event, link.id) });
  const at = choices.below(20);
  if (at < 11) return play('linked_account.verified', model.verifyLink(link, nowMs));
  if (at < 13) return play('linked_account.held_for_review', model.holdLink(link));
  if (at < 15) return play('linked_account.failed', model.failLink(link));
  if (at < 18) return play('linked_account.hold_released', model.releaseHold(link));
  const path = `/v1/customers/${link.customer.customerId}/linked-accounts/${link.id}`;
  const order = { method: 'DELETE', path } as const;
  return asked(twin, choices, { told: told('remove'), expected: model.removeLink(link), order });
};
