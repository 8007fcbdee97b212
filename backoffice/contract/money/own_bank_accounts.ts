import { List } from '@tenant-payments/contract/core/page.ts';
import { Closed, IdInput, OneOf, Readable } from '@tenant-payments/contract/core/schema.ts';
import {
  bankAccountTypes,
  OwnBankAccount,
  ownBankRoles,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import Type from 'typebox';
import { portalEndpoint } from '../endpoint.ts';

/** A Tenant's own accounts at its bank: staff propose them, two admins put them in force (rules/own-bank-accounts#1). */

const one = Closed({ id: IdInput(`Which of its accounts: ${ownBankRoles.join(', ')}`) });

export const listOwnBankAccounts = portalEndpoint({
  id: 'listOwnBankAccounts',
  method: 'GET',
  path: '/portal/api/own-bank-accounts',
  summary: "List the Tenant's own accounts at its bank, by the last four of their numbers",
  idempotent: 'none',
  may: ['finance', 'support'],
  of: 'tenant',
  success: { status: 200, schema: List(OwnBankAccount) },
  errors: [],
});

export const proposeBankAccount = portalEndpoint({
  id: 'proposeBankAccount',
  method: 'PUT',
  path: '/portal/api/own-bank-accounts/:id',
  summary: 'Propose an account; no order names it until it is put in force',
  idempotent: 'none',
  may: ['admin'],
  of: 'tenant',
  stepUp: true,
  params: one,
  body: Closed({
    title: Readable(100, "The account's title at the bank"),
    account_type: OneOf(bankAccountTypes),
    routing_number: Type.String({ pattern: '^[0-9]{9}$', description: 'Nine digits' }),
    account_number: Type.String({
      pattern: '^[0-9]{4,17}$',
      description: '4 to 17 digits; it is sealed, and shown to nobody again',
    }),
  }),
  success: { status: 200, schema: OwnBankAccount },
  errors: ['parameter_missing', 'parameter_invalid', 'not_found'],
});

export const putBankAccountInForce = portalEndpoint({
  id: 'putBankAccountInForce',
  method: 'POST',
  path: '/portal/api/own-bank-accounts/:id/put-in-force',
  summary: 'Put the proposed account in force; a second person must approve it',
  idempotent: 'none',
  may: ['admin'],
  of: 'tenant',
  stepUp: true,
  params: one,
  success: { status: 200, schema: OwnBankAccount },
  errors: ['parameter_invalid', 'not_found', 'invalid_state'],
});
