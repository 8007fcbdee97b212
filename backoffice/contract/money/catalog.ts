import { listAdjustments } from './adjustments.ts';
import {
  compareBankStatement,
  getSandboxBankStatement,
  listBankStatements,
  noteBankDifference,
  uploadBankStatement,
} from './bank_statements.ts';
import { getWaitingFees, listFeeSweeps, listReserves } from './own_accounts.ts';
import {
  listOwnBankAccounts,
  proposeBankAccount,
  putBankAccountInForce,
} from './own_bank_accounts.ts';
import {
  closeRailMessage,
  getRailMessage,
  listRailMessages,
  replayRailMessage,
} from './rail_messages.ts';
import { getRequestVolumes } from './request_volumes.ts';
import { getUnmatchedMoney, listUnmatchedMoney } from './suspense.ts';

/** The operations of the money desk, in the order of the reference. */
export const moneyEndpoints = {
  listUnmatchedMoney,
  getUnmatchedMoney,
  listRailMessages,
  getRailMessage,
  replayRailMessage,
  closeRailMessage,
  listReserves,
  listFeeSweeps,
  getWaitingFees,
  listAdjustments,
  listOwnBankAccounts,
  proposeBankAccount,
  putBankAccountInForce,
  getRequestVolumes,
  listBankStatements,
  uploadBankStatement,
  compareBankStatement,
  noteBankDifference,
  getSandboxBankStatement,
} as const;
