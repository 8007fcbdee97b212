import type { BodyOf } from '@tenant-payments/contract/core/endpoint.ts';
import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { createPaymentRequest as contract } from '@tenant-payments/contract/resources/payment_requests.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { addSeconds, epochMs } from '@tenant-payments/engine/time/instant.ts';
import { assertPayee } from '../accounts/payee.ts';
import { accounts } from '../accounts/table.ts';
import { customers } from '../customers/table.ts';
import { storedMetadata } from '../metadata.ts';
import type { QrSigner } from './qr.ts';
import { paymentRequests } from './table.ts';

type Input = BodyOf<typeof contract>;

/** Checks what each type needs and refuses (rules/payment-requests#2). */
function checkShape(input: Input): void {
  const missing = input.type === 'dynamic' ? 'amount' : 'collection_point';
  const refused = input.type === 'dynamic' ? 'collection_point' : 'amount';
  if ((input[missing] ?? null) === null) throw fail('parameter_missing', { param: missing });
  if ((input[refused] ?? null) !== null)
    throw fail('parameter_invalid', {
      param: refused,
      details: { reason: `not_for_${input.type}` },
    });
  if (input.type === 'static' && input.expires_in !== undefined)
    throw fail('parameter_invalid', {
      param: 'expires_in',
      details: { reason: 'not_for_static' },
    });
}

/** POST /v1/payment-requests: 201, open, with its signed payload. */
export const createPaymentRequest = (qr: QrSigner) =>
  command('create_payment_request', {
    prepare: async (input: Input) => checkShape(input),
    load: async (read, input) => {
      const merchant = await read.maybe(customers, uuidOf('customer', input.merchant_customer_id));
      return { merchant, account: await read.maybe(accounts, merchant?.account_id ?? null) };
    },
    decide: (work, { merchant, account }, input) => {
      const { settings } = work.tenant;
      if (!settings.flows.payment_requests)
        throw fail('flow_not_enabled', { details: { flow: 'payment_requests' } });
      const maximum = settings.limits.payment_per_transaction.business;
      if (maximum !== null && (input.amount ?? 0) > maximum)
        throw fail('parameter_invalid', {
          param: 'amount',
          details: { reason: 'above_maximum', maximum },
        });
      const payee = assertPayee(merchant, account);
      const id = work.newId();
      const expiresAt =
        input.type === 'static'
          ? null
          : addSeconds(work.now, input.expires_in ?? settings.payment_request_expires_in);
      const record = work.create(
        paymentRequests,
        {
          id,
          type: input.type,
          merchant_customer_id: payee.customer.id,
          merchant_account_id: payee.account.id,
          amount: input.amount ?? null,
          order_reference: input.order_reference ?? null,
          collection_reference: input.collection_point?.reference ?? null,
          collection_name: input.collection_point?.name ?? null,
          qr_payload: qr.write({
            id: publicId('payment_request', id),
            t: input.type,
            mer: publicId('customer', payee.customer.id),
            ...(input.amount ? { amt: input.amount } : {}),
            ...(expiresAt ? { exp: Math.floor(epochMs(expiresAt) / 1000) } : {}),
          }),
          expires_at: expiresAt,
          paid_payment_id: null,
          claimed_by: null,
          metadata: storedMetadata(input.metadata),
          created_at: work.now,
        },
        'create',
      );
      if (expiresAt) work.scheduleJob('payment_request_expiry', id, expiresAt);
      return { record };
    },
  });
