import Type, { type Static } from 'typebox';
import { Closed, Nullable, OneOf } from '../core/schema.ts';

const SamplePerson = Closed({
  external_ref: Type.String({ description: "The Tenant's own name of the sample customer" }),
  name: Type.String(),
  type: OneOf(['individual', 'business']),
  email: Type.String(),
  bank: Nullable(Type.String({ description: 'The linked bank; null: onboarding still waits' })),
});

const MagicName = Closed({
  name: Type.String({ description: 'Letter for letter' }),
  outcome: OneOf(['in_review', 'rejected'], 'Status in which the customer or owner ends'),
});

const MagicBank = Closed({
  bank: Type.String(),
  name: Type.String({ description: 'As customers see it' }),
  public_token: Type.String({ description: 'What the bank link takes' }),
  accounts: Type.Array(
    Closed({
      id: Nullable(
        Type.String({ description: 'aggregator_account_id, where the bank has several' }),
      ),
      account_type: OneOf(['checking', 'savings']),
      account_mask: Type.String(),
      withdrawal: Type.Boolean({ description: 'It takes withdrawals' }),
      load: Type.Boolean({ description: 'It takes loads and payments by bank' }),
    }),
  ),
  outcome: OneOf(
    ['verified', 'failed', 'held_for_review'],
    'How the checks of the linked account end in automatic mode',
  ),
  failure_code: Nullable(Type.String()),
});

const Answer = (description: string) => Nullable(Type.String({ description }));

const MagicAmount = Closed({
  cents: Type.Integer({ description: 'The last two digits of the amount; any other settles' }),
  requested: Answer('How a load or payment by bank fails; null: no answer comes'),
  sent: Answer('How a withdrawal or refund to a bank fails; null: no answer comes'),
});

export const Magic = Closed({
  pin: Type.String({ description: "Everybody's PIN" }),
  message_code: Type.String({ description: 'The value of the code in every message' }),
  answer_seconds: Type.Integer({
    description: 'Real seconds until the outside answers in automatic mode',
  }),
  people: Type.Array(SamplePerson),
  names: Type.Array(MagicName),
  banks: Type.Array(MagicBank),
  amounts: Type.Array(MagicAmount),
});

export type Magic = Static<typeof Magic>;
