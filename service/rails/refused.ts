import type { Refuser } from '@tenant-payments/contract/resources/bank_messages.ts';

/**
 * Thrown by `bank.take` where the bank will never execute the order: it is the order's failed fact, and no try again
 * (rules/bank-orders#13). A module that is not compiled with the service throws any error with this `name` and a `reason`.
 */
export class Refused extends Error {
  override readonly name = 'Refused';
  /** The network's code (`AC04`), or our own code where the network has none. */
  readonly reason: string;
  /** The one who refused it; absent: the bank does not say. */
  readonly saidBy?: Refuser;

  /** @param text why, in words; kept as those of a failed fact */
  constructor(reason: string, text?: string, saidBy?: Refuser) {
    super(text);
    this.reason = reason;
    if (saidBy) this.saidBy = saidBy;
  }
}

/** A refusal that was thrown, whoever made its class; null: anything else, which is tried again. */
export function asRefused(thrown: unknown): Refused | null {
  if (typeof thrown !== 'object' || thrown === null) return null;
  const { name, reason } = thrown as { readonly name?: unknown; readonly reason?: unknown };
  return name === 'Refused' && typeof reason === 'string' ? (thrown as Refused) : null;
}
