const prefix = 'pay_';
const mark = `"id":"${prefix}`;
const digits = 32;

/** Stands in a request for an id that is not known yet, and is as long as one. */
export const idPlace = `${prefix}${'0'.repeat(digits)}`;

/**
 * The id of the payment that a reply shows: the first one in it, without reading the rest.
 * @throws when there is none
 */
export function paymentIdIn(body: string): string {
  const at = body.indexOf(mark);
  if (at < 0) throw new Error(`a reply without a payment's id: ${body}`);
  const start = at + mark.length - prefix.length;
  return body.slice(start, start + idPlace.length);
}

/** A request with the id in its place. Its length stays, and so does what its head says of it. */
export const withId = (text: string, id: string): string => text.replace(idPlace, id);
