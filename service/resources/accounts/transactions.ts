import type { ParamsOf, QueryOf } from '@tenant-payments/contract/core/endpoint.ts';
import { uuidOf } from '@tenant-payments/contract/core/ids.ts';
import type {
  listTransactions as contract,
  Transaction,
} from '@tenant-payments/contract/resources/accounts.ts';
import type { TransactionType } from '@tenant-payments/contract/recipes.ts';
import { type Kysely, sql } from 'kysely';
import { fail } from '../../core/fail.ts';
import { transactionView } from '../../core/transaction.ts';
import type { Page, Position } from '../../http/pages.ts';
import type { ReadContext } from '../../service.ts';
import type { Database } from '../database.ts';
import { bankAccountView, holderView } from './counterparts.ts';

type Input = ParamsOf<typeof contract> & QueryOf<typeof contract>;

const defaultLimit = 25;

/** An entry that a customer sees, with the names of the other side as they are now. */
interface Row extends Position {
  readonly account_id: string;
  readonly transaction_type: TransactionType;
  readonly delta: number;
  readonly amount: number;
  readonly fee_amount: number;
  readonly source_type: string;
  readonly source_id: string;
  readonly holder_type: 'consumer' | 'merchant' | null;
  readonly customer_id: string | null;
  readonly holder_name: string | null;
  readonly institution_name: string | null;
  readonly account_mask: string | null;
  readonly description: string | null;
}
