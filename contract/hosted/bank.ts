import Type, { type Static } from 'typebox';
import { Closed, Nullable, OneOf, Secret, Text } from '../core/schema.ts';
import { Settings } from '../core/settings.ts';
import { hostedEndpoint } from './endpoint.ts';

/** Sandbox Bank: takes the place of an aggregator's widget (rules/sandbox#25). */

const Account = Closed({
  id: Nullable(Type.String({ description: 'aggregator_account_id, where the bank has several' })),
  account_type: OneOf(['checking', 'savings']),
  account_mask: Type.String(),
});

export const BankView = Closed({
  object: Type.Literal('hosted_bank_view'),
  branding: Settings.properties.branding,
  customer_name: Nullable(Type.String()),
  banks: Type.Array(
    Closed({
      bank: Type.String(),
      name: Type.String(),
      accounts: Type.Array(Account),
      /** The result that automatic mode gives. */
      outcome: OneOf(['verified', 'failed', 'unclear']),
    }),
  ),
});
export type BankView = Static<typeof BankView>;

const LinkToken = Text(256, 'link_token, from the fragment');

export const openBank = hostedEndpoint({
  id: 'hostedOpenBank',
  method: 'POST',
  path: '/hosted/api/bank/open',
  summary: 'List the banks of the widget',
  idempotent: 'none',
  key: 'none',
  sandboxOnly: true,
  body: Closed({ link_token: LinkToken }),
  success: { status: 200, schema: BankView },
  errors: ['session_invalid'],
});

export const chooseAccount = hostedEndpoint({
  id: 'hostedChooseAccount',
  method: 'POST',
  path: '/hosted/api/bank',
  summary: 'Choose an account; returns a public token for the customer of the link token',
  idempotent: 'none',
  key: 'none',
  sandboxOnly: true,
  body: Closed({
    link_token: LinkToken,
    bank: Text(64, 'One of the banks'),
    account_id: Type.Optional(Nullable(Text(64, 'Required where the bank has several accounts'))),
  }),
  success: {
    status: 200,
    schema: Closed({
      public_token: Secret('For POST /v1/customers/{id}/linked-accounts'),
      aggregator_account_id: Nullable(Type.String()),
    }),
  },
  errors: ['parameter_invalid', 'session_invalid'],
});
