import { overCells } from '@tenant-payments/service/cells/over_cells.ts';
import { serve, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import {
  proposeBankAccount,
  putBankAccountInForce,
} from '@tenant-payments/service/resources/own_bank_accounts/moves.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import { listAdjustments } from './adjustments.ts';
import { getWaitingFees, listFeeSweeps } from './fees.ts';
import { listOwnBankAccounts } from './own_bank_accounts.ts';
import {
  closeRailMessage,
  getRailMessage,
  listRailMessages,
  replayRailMessage,
} from './rail_messages.ts';
import { getRequestVolumes } from './request_volumes.ts';
import { listReserves } from './reserves.ts';
import { addDifferenceNote } from './statements/notes.ts';
import { sandboxStatement } from './statements/sandbox.ts';
import { compareStatement, listStatements } from './statements/statements.ts';
import { uploadStatement } from './statements/upload.ts';
import { getUnmatchedMoney, listUnmatchedMoney } from './unmatched.ts';

/** The money desk: what belongs to no customer yet, or to none at all (rules/money-desk#1). */
export function serveMoney(scope: FastifyInstance, service: Service): void {
  serveHandler(
    scope,
    service,
    contract.listUnmatchedMoney,
    overCells(service, 'first_to_last', listUnmatchedMoney),
  );
  serveHandler(scope, service, contract.getUnmatchedMoney, getUnmatchedMoney(service));
  const ofProviders = overCells(service, 'first_to_last', () => listRailMessages);
  serveHandler(scope, service, contract.listRailMessages, ofProviders);
  serveHandler(scope, service, contract.getRailMessage, getRailMessage(service));
  serveHandler(scope, service, contract.replayRailMessage, replayRailMessage(service));
  serveHandler(scope, service, contract.closeRailMessage, closeRailMessage(service));
  serveHandler(
    scope,
    service,
    contract.listReserves,
    overCells(service, 'newest_first', () => listReserves),
  );
  serveHandler(
    scope,
    service,
    contract.listFeeSweeps,
    overCells(service, 'newest_first', () => listFeeSweeps),
  );
  serveHandler(scope, service, contract.getWaitingFees, getWaitingFees);
  serveHandler(
    scope,
    service,
    contract.listAdjustments,
    overCells(service, 'newest_first', listAdjustments),
  );
  serveHandler(scope, service, contract.listOwnBankAccounts, listOwnBankAccounts);
  serve(scope, service, contract.proposeBankAccount, proposeBankAccount(service));
  serve(scope, service, contract.putBankAccountInForce, putBankAccountInForce);
  serveHandler(scope, service, contract.getRequestVolumes, getRequestVolumes);
  serveHandler(scope, service, contract.listBankStatements, listStatements);
  const compare = compareStatement(service);
  serveHandler(scope, service, contract.uploadBankStatement, uploadStatement(service, compare));
  serveHandler(scope, service, contract.compareBankStatement, compare);
  const note = addDifferenceNote(service, compare);
  serveHandler(scope, service, contract.noteBankDifference, note);
  serveHandler(scope, service, contract.getSandboxBankStatement, sandboxStatement(service));
}
