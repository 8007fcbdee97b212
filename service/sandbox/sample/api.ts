import { publicId, uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type { Customer } from '@tenant-payments/contract/resources/customers.ts';
import type { LinkedAccount } from '@tenant-payments/contract/resources/linked_accounts.ts';
import type { Load } from '@tenant-payments/contract/resources/loads.ts';
import type { PaymentRequest } from '@tenant-payments/contract/resources/payment_requests.ts';
import type { Payment } from '@tenant-payments/contract/resources/payments.ts';
import type {
  SimulateName,
  SimulationResult,
} from '@tenant-payments/contract/resources/simulations.ts';
import type { Command, Reply } from '@tenant-payments/engine/command.ts';
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

/** Samples are made by the commands that serve the API. */
export interface SampleDependencies {
  readonly service: Service;
  readonly rails: Rails;
  readonly qr: QrSigner;
  readonly simulations: Simulations;
}

export type Submit = <Input, Loaded, Prepared>(
  command: Command<Input, Loaded, Prepared>,
  input: Input,
) => Promise<Reply>;

type InputOf<C> = C extends { prepare?(input: infer Input, context: never): unknown }
  ? Input
  : never;
type CustomerInput = InputOf<ReturnType<typeof createCustomer>>;
type PaymentInput = InputOf<ReturnType<typeof createPayment>>;
type RequestInput = InputOf<ReturnType<typeof createPaymentRequest>>;

/**
 * The API's commands for one Tenant, without HTTP. Each throws the ApiError of a refusal.
 * @param submit absent: as the service itself, without a key
 */
export function openApi(
  { service, rails, qr, simulations }: SampleDependencies,
  tenantId: string,
  submit: Submit = (command, input) => service.engine.submit(command, { tenantId, input }),
) {
  const { vault, environment, db } = service;
  const run = async <Input, Loaded, Prepared, Out>(
    command: Command<Input, Loaded, Prepared>,
    input: Input,
  ): Promise<Out> => JSON.parse((await submit(command, input)).body);
  const simulation = simulateEvent(simulations, environment);
  const simulate = (
    event: SimulateName,
    object_id: string,
    failure_code?: string,
  ): Promise<SimulationResult> => run(simulation, { event, object_id, failure_code });
  return {
    run,
    simulate,
    createCustomer: (input: CustomerInput): Promise<Customer> => run(createCustomer(vault), input),
    /** Approves a customer that has submitted, with the owners. */
    async approve({ id }: Pick<Customer, 'id'>): Promise<void> {
      const owners = await db
        .selectFrom('owners')
        .where('tenant_id', '=', tenantId)
        .where('customer_id', '=', uuidOf('customer', id))
        .select('id')
        .execute();
      for (const owner of owners) await simulate('owner.approved', publicId('owner', owner.id));
      await simulate('customer.approved', id);
    },
    link: ({ id }: Pick<Customer, 'id'>, bank: string): Promise<LinkedAccount> =>
      run(createLinkedAccount(rails.aggregator, vault), {
        id,
        public_token: `public-sandbox-${bank}`,
      }),
    createLoad: ({ id }: Pick<Customer, 'id'>, amount: number): Promise<Load> =>
      run(createLoad, { customer_id: id, amount }),
    createPayment: (input: PaymentInput): Promise<Payment> =>
      run(createPayment(openQrReader(db, qr)), input),
    createRequest: (input: RequestInput): Promise<PaymentRequest> =>
      run(createPaymentRequest(qr), input),
  };
}
