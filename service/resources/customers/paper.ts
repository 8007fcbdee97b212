import { customerLifecycle } from '@tenant-payments/contract/resources/customers.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import { type CustomerRow, customers } from './table.ts';

/** Whether records go to a customer on paper, which is then a task of a person (rules/documents#34). */
export const isOnPaper = ({ paper_since }: Pick<CustomerRow, 'paper_since'>): boolean =>
  paper_since !== null;

/** The statuses after an application: before it a customer has consented to nothing. */
const applied: readonly string[] = customerLifecycle.states.filter(
  (status) => status !== 'created',
);

const change = (name: string, isWithdrawn: boolean) =>
  command(name, {
    load: (read, { id }: { readonly id: string }) => read.one(customers, id),
    decide: (work, customer) => {
      const { status: current_status } = customer;
      if (!applied.includes(current_status))
        throw fail('invalid_state', { details: { current_status, allowed: applied } });
      if (isOnPaper(customer) !== isWithdrawn)
        work.change(customer, { paper_since: isWithdrawn ? work.now : null });
      return { record: customer };
    },
  });

/** The customer has withdrawn the consent to electronic records [15 USC 7001(c)(1)(B)]. */
export const withdrawElectronic = change('withdraw_electronic', true);

/** The customer consents again. */
export const restoreElectronic = change('restore_electronic', false);
