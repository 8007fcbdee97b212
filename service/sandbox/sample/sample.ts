import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import type { Customer } from '@tenant-payments/contract/resources/customers.ts';
import { openApi, type SampleDependencies } from './api.ts';

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

function openSteps(dependencies: SampleDependencies, tenantId: string) {
  const api = openApi(dependencies, tenantId);
  return {
    ...api,
    async onboard({ external_ref, type, mobile_number, prefill, bank }: SamplePerson) {
      const email = sampleEmail(external_ref);
      const customer = await api.createCustomer({
        type,
        external_ref,
        email,
        mobile_number,
        prefill,
      });
      if (bank === null) return customer;
      await api.simulate('session.completed', customer.onboarding_session?.id ?? '');
      await api.approve(customer);
      const link = await api.link(customer, bank);
      await api.simulate('linked_account.verified', link.id);
      return customer;
    },
    async load(customer: Customer, amount: number): Promise<void> {
      const load = await api.createLoad(customer, amount);
      await api.simulate('session.completed', load.confirmation_session?.id ?? '');
      await api.simulate('load.settled', load.id);
    },
    async pay(payer: Customer, payee: Customer, amount: number): Promise<void> {
      const payment = await api.createPayment({
        payer_customer_id: payer.id,
        payee_customer_id: payee.id,
        amount,
        source: 'balance',
        description: 'Breakfast for the team',
      });
      await api.simulate('session.completed', payment.confirmation_session?.id ?? '');
    },
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
  const api = openSteps(dependencies, tenantId);
  const people = await Promise.all(
    samplePeople.map(
      async (person): Promise<[string, Customer]> => [
        person.external_ref,
        await api.onboard(person),
      ],
    ),
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
  await api.createRequest({
    type: 'static',
    merchant_customer_id: named('sample-cafe').id,
    collection_point: { reference: 'counter-1', name: 'Counter 1' },
  });
  await api.createRequest({
    type: 'dynamic',
    merchant_customer_id: named('sample-books').id,
    amount: 18_50,
    expires_in: sevenDaysSeconds,
  });
}
