import {
  type OwnBankFacts,
  ownBankRoles,
} from '@tenant-payments/contract/resources/own_bank_accounts.ts';
import { command } from '@tenant-payments/engine/command.ts';
import { fail } from '@tenant-payments/engine/fail.ts';
import type { Service } from '../../service.ts';
import { ownBankAccounts, ownBankSeal, shownOwnBank } from './table.ts';

/** An account as it is proposed. */
export interface ProposedBankAccount {
  /** Its role. */
  readonly id: string;
  readonly title: string;
  readonly account_type: OwnBankFacts['account_type'];
  readonly routing_number: string;
  readonly account_number: string;
}

/** The weights of the American Bankers Association's check digit. */
const weights = [3, 7, 1, 3, 7, 1, 3, 7, 1];

/** Nine digits of a Federal Reserve district with the right check digit. */
export const isRoutingNumber = (text: string): boolean =>
  /^\d{9}$/.test(text) &&
  text !== '000000000' &&
  weights.reduce((sum, weight, place) => sum + weight * Number(text[place]), 0) % 10 === 0;

/**
 * Proposes an account in place of an earlier proposal (rules/own-bank-accounts#2). No order names it yet.
 * @throws ApiError not_found, param id: no account has this role; parameter_invalid, param routing_number
 *   {reason: check_digit}
 */
export const proposeBankAccount = ({ vault }: Pick<Service, 'vault'>) =>
  command('propose_bank_account', {
    prepare: async ({ id, account_number, routing_number }: ProposedBankAccount, { tenantId }) => {
      const role = ownBankRoles.find((one) => one === id);
      if (role === undefined) throw fail('not_found', { param: 'id' });
      if (!isRoutingNumber(routing_number))
        throw fail('parameter_invalid', {
          param: 'routing_number',
          details: { reason: 'check_digit' },
          message: 'its check digit is wrong: compare the nine digits with those of the bank',
        });
      return { role, sealed: vault.seal(tenantId, ownBankSeal(role), account_number) };
    },
    load: (read, { id }) => read.maybe(ownBankAccounts, id),
    decide: (work, known, { account_number, ...given }, { role, sealed }) => {
      const { title, account_type, routing_number } = given;
      const last4 = account_number.slice(-4);
      const proposal = {
        proposed: { title, account_type, routing_number, last4 },
        proposed_number_sealed: sealed,
        proposed_at: work.now,
      };
      if (known) work.change(known, proposal);
      else
        work.create(ownBankAccounts, {
          role,
          in_force: null,
          number_sealed: null,
          in_force_at: null,
          ...proposal,
        });
      const before = { role, in_force: null, in_force_at: null };
      return { value: shownOwnBank({ ...(known ?? before), ...proposal }) };
    },
  });

/**
 * Puts the proposed account in force: orders name it from now on (rules/own-bank-accounts#3). It needs a
 * second person, always.
 * @throws ApiError not_found, param id: none was ever proposed; invalid_state {reason: nothing_proposed}
 */
export const putBankAccountInForce = command('put_bank_account_in_force', {
  load: (read, { id }: { readonly id: string }) => read.one(ownBankAccounts, id),
  decide: (work, row) => {
    if (row.proposed === null)
      throw fail('invalid_state', {
        details: { reason: 'nothing_proposed' },
        message: 'no account is proposed: propose it by PUT first',
      });
    work.change<typeof ownBankAccounts>(row, {
      in_force: row.proposed,
      number_sealed: row.proposed_number_sealed,
      in_force_at: work.now,
      proposed: null,
      proposed_number_sealed: null,
      proposed_at: null,
    });
    return { value: shownOwnBank(row) };
  },
});
