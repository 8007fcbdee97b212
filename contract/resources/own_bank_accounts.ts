import Type, { type Static } from 'typebox';
import { Closed, Instant, Nullable, OneOf } from '../core/schema.ts';

/**
 * A Tenant's own accounts at its bank: `fbo` holds its customers' money, `operating` takes its fees,
 * `reserve` covers what it owes beyond them (rules/own-bank-accounts#1).
 */
export const ownBankRoles = ['fbo', 'operating', 'reserve'] as const;
export type OwnBankRole = (typeof ownBankRoles)[number];

export const bankAccountTypes = ['checking', 'savings'] as const;

/** Facts of a bank account that staff may see; the account number is sealed beside them. */
export const OwnBankFacts = Closed({
  title: Type.String({ description: "The account's title at the bank" }),
  account_type: OneOf(bankAccountTypes),
  routing_number: Type.String({ description: 'Nine digits of the bank' }),
  last4: Type.String({ description: 'The last four digits of the account number' }),
});
export type OwnBankFacts = Static<typeof OwnBankFacts>;

export const OwnBankAccount = Closed({
  object: Type.Literal('own_bank_account'),
  id: OneOf(
    ownBankRoles,
    "fbo: its customers' money; operating: its fees; reserve: what covers losses",
  ),
  in_force: Nullable(OwnBankFacts),
  in_force_at: Nullable(Instant('Since when orders name this account')),
  proposed: Nullable(OwnBankFacts),
  proposed_at: Nullable(Instant('When it was proposed')),
});
export type OwnBankAccount = Static<typeof OwnBankAccount>;
