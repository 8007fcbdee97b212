import type { Refuser } from '../book/types.ts';

/** Errors that the service knows by their `name`: a module of RAILS is not compiled with it. */

/** A webhook that the bank has not signed, or that is too old. */
export class Unverified extends Error {
  override readonly name = 'Unverified';
}

/** A webhook of the bank that cannot be read. */
export class Malformed extends Error {
  override readonly name = 'Malformed';
}

/** The bank will never execute the order. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly reason: string;
  readonly saidBy: Refuser;
  constructor(reason: string, text: string, saidBy: Refuser) {
    super(text);
    this.reason = reason;
    this.saidBy = saidBy;
  }
}
