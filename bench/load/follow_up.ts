const prefix = 'pay_';
const mark = `"id":"${prefix}`;
const digits = 32;

/** The placeholder in a request for an id that is not known yet; it has the same length. */
export const idPlace = `${prefix}${'0'.repeat(digits)}`;

/**
 * The id of the payment in a reply: the first id in it, without parsing the rest.
 * @throws when there is none
 */
export function paymentIdIn(body: string): string {
  const at = body.indexOf(mark);
  if (at < 0) throw new Error(`a reply without a payment's id: ${body}`);
  const start = at + mark.length - prefix.length;
  return body.slice(start, start + idPlace.length);
}

/** A request with the id in place of the placeholder; its length does not change. */
export const withId = (text: string, id: string): string => text.replace(idPlace, id);
