import type { ReplyBody } from '../../../kit/http.ts';
import { recordOf } from '../../sender.ts';
import { post } from '../client.ts';
import { asked, latest, type Play, simulation } from './move.ts';

/** A new version of a document is asked of somebody; now and then by a record that is in force no more. */
export const publish: Play = async (twin, choices, nowMs) => {
  const { hand, model } = twin;
  const person = choices.pick(model.people);
  const { data } = await hand.read(`/v1/customers/${person.customerId}/documents`);
  const all: readonly ReplyBody[] = data;
  const inForce = all.filter(({ status }) => status === 'accepted');
  const chosen = choices.pick(choices.percent(85) ? inForce : all);
  const { id, document_type, status } = chosen;
  const expected = model.publish(person, document_type, status === 'accepted', nowMs);
  const order = simulation('document_acceptance.pending_acceptance', id);
  return asked(twin, choices, { told: `publish ${document_type} by ${id}`, expected, order });
};

/** Somebody accepts what waits, mostly; there need be nothing. */
export const acceptTerms: Play = async (twin, choices) => {
  const { hand, model } = twin;
  const waited = model.askedOf();
  const person =
    (choices.percent(85) ? latest(choices, waited, waited.length) : null) ??
    choices.pick(model.people);
  const expected = model.accept(person);
  const body = { flow: 'terms_acceptance', customer_id: person.customerId };
  const told = `${person.customerId} accepts`;
  const opened = await hand.ask(post('/v1/sessions', body), expected, choices);
  if (opened.outcome.code !== 'done' || expected !== 'done')
    return { told, expected, actual: opened.outcome.code };
  const order = simulation('session.completed', recordOf(opened.outcome).id);
  return asked(twin, choices, { told, expected, order });
};
