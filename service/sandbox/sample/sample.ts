import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Customer } from '@tenant-payments/contract/resources/customers.ts';
import type { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Load } from '@tenant-payments/contract/resources/loads.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type { SimulateName } from '@tenant-payments/contract/resources/simulations.ts';
import type { Command } from '../../core/command.ts';
import type { Rails } from '../../rails/rails.ts';
import { createCustomer } from '../../resources/customers/create.ts';
import { createLinkedAccount } from '../../resources/linked_accounts/create.ts';
import { createLoad } from '../../resources/loads/create.ts';
import { createPaymentRequest } from '../../resources/payment_requests/create.ts';
import type { QrSigner } from '../../resources/payment_requests/qr.ts';
import { openQrReader } from '../../resources/payment_requests/qr_reader.ts';
import { createPayment } from '../../resources/payments/create.ts';
import type { Service } from '../../service.ts';
import { type Simulations, simulateEvent } from '../simulate/simulate.ts';

/** The sample tenant's settings, where they differ from a new tenant's (rules/sandbox#20). */
export const sampleSettings: Partial<Settings> = {
  fees: [
    {
      type: 'platform',
      payment_type: 'consumer_to_merchant',
      source: 'balance',
      basis_points: 50,
      fixed: 0,
      paid_by: 'payee',
    },
  ],
};

interface SamplePerson {
  readonly external_ref: string;
  readonly type: 'individual' | 'business';
  readonly mobile_number: string;
  readonly prefill: Readonly<Record<string, string>>;
  /** The linked bank; null: onboarding still waits. */
  readonly bank: string | null;
}

/** The people and shops of a new sandbox (rules/sandbox#23). */
export const samplePeople = [
  {
    external_ref: 'sample-ana',
    type: 'individual',
    mobile_number: '+12025550101',
    prefill: { first_name: 'Ana', last_name: 'Reyes' },
    bank: 'standard',
  },
  {
    external_ref: 'sample-ben',
    type: 'individual',
    mobile_number: '+12025550102',
    prefill: { first_name: 'Ben', last_name: 'Osei' },
    bank: 'rtp_only',
  },
  {
    external_ref: 'sample-cleo',
    type: 'individual',
    mobile_number: '+12025550103',
    prefill: { first_name: 'Cleo', last_name: 'Marsh' },
    bank: null,
  },
  {
    external_ref: 'sample-cafe',
    type: 'business',
    mobile_number: '+12025550104',
    prefill: { legal_name: 'Corner Cafe LLC' },
    bank: 'standard',
  },
  {
    external_ref: 'sample-books',
    type: 'business',
    mobile_number: '+12025550105',
    prefill: { legal_name: 'Harbor Books LLC' },
    bank: 'savings',
  },
] as const satisfies readonly SamplePerson[];

export const sampleEmail = (external_ref: string): string => `${external_ref}@example.com`;

/** The sample is made by the commands that serve the API. */
export interface SampleDependencies {
  readonly service: Service;
  readonly rails: Rails;
  readonly qr: QrSigner;
  readonly simulations: Simulations;
}

/** The API's commands for one tenant, without HTTP. */
function openApi({ service, rails, qr, simulations }: SampleDependencies, tenantId: string) {
  const { engine, vault, environment, db } = service;
  const run = async <Input, Loaded, Prepared, Out>(
    command: Command<Input, Loaded, Prepared>,
    input: Input,
  ): Promise<Out> => JSON.parse((await engine.submit(command, { tenantId, input })).body);
  const simulation = simulateEvent(simulations, environment);
  const simulate = (event: SimulateName, object_id: string) =>
    run(simulation, { event, object_id });
  return {
    simulate,
    async createCustomer(person: SamplePerson): Promise<Customer> {
      return run(createCustomer(vault), {
        type: person.type,
        external_ref: person.external_ref,
        email: sampleEmail(person.external_ref),
        mobile_number: person.mobile_number,
        prefill: person.prefill,
      });
    },
    async approve(customer: Customer): Promise<void> {
      await simulate('session.completed', customer.onboarding_session?.id ?? '');
      const owners = await db
        .selectFrom('owners')
        .where('tenant_id', '=', tenantId)
        .where('customer_id', '=', uuidOf('customer', customer.id))
        .select('id')
        .execute();
      for (const { id } of owners) await simulate('owner.approved', publicId('owner', id));
      await simulate('customer.approved', customer.id);
    },
    async link(customer: Customer, bank: string): Promise<void> {
      const link: LinkedAccount = await run(createLinkedAccount(rails.aggregator, vault), {
        id: customer.id,
        public_token: `public-sandbox-${bank}`,
      });
      await simulate('linked_account.verified', link.id);
    },
    async load(customer: Customer, amount: number): Promise<void> {
      const load: Load = await run(createLoad, { customer_id: customer.id, amount });
      await simulate('session.completed', load.confirmation_session?.id ?? '');
      await simulate('load.settled', load.id);
    },
    async pay(payer: Customer, payee: Customer, amount: number): Promise<void> {
      const payment: Payment = await run(createPayment(openQrReader(db, qr)), {
        payer_customer_id: payer.id,
        payee_customer_id: payee.id,
        amount,
        source: 'balance',
        description: 'Breakfast for the team',
      });
      await simulate('session.completed', payment.confirmation_session?.id ?? '');
    },
    request: (
      body: Parameters<NonNullable<ReturnType<typeof createPaymentRequest>['prepare']>>[0],
    ) => run(createPaymentRequest(qr), body),
  };
}

const sevenDaysSeconds = 604_800;

/**
 * Makes the sample people and shops: Ana with $250.00 after a breakfast of $100.00 at the cafe,
 * whose balance is $99.50 after the fee.
 */
export async function seedSample(
  dependencies: SampleDependencies,
  tenantId: string,
): Promise<void> {
  const api = openApi(dependencies, tenantId);
  const people = await Promise.all(
    samplePeople.map(async (person): Promise<[string, Customer]> => {
      const customer = await api.createCustomer(person);
      if (person.bank !== null) {
        await api.approve(customer);
        await api.link(customer, person.bank);
      }
      return [person.external_ref, customer];
    }),
  );
  const made = new Map(people);
  const named = (ref: (typeof samplePeople)[number]['external_ref']): Customer => {
    const customer = made.get(ref);
    if (!customer) throw new Error(`${ref} is one of the sample people`);
    return customer;
  };
  await api.load(named('sample-ana'), 100_00);
  await api.pay(named('sample-ana'), named('sample-cafe'), 100_00);
  await api.load(named('sample-ana'), 250_00);
  await api.request({
    type: 'static',
    merchant_customer_id: named('sample-cafe').id,
    collection_point: { reference: 'counter-1', name: 'Counter 1' },
  });
  await api.request({
    type: 'dynamic',
    merchant_customer_id: named('sample-books').id,
    amount: 18_50,
    expires_in: sevenDaysSeconds,
  });
}
