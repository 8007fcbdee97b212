/** Cases and money, loaded at once when the first of these pages is opened. */

import '../shell/usual.ts';

export { Adjustments } from '../pages/adjustments.tsx';
export { BankStatementPage } from '../pages/bank_statement.tsx';
export { BankStatements } from '../pages/bank_statements.tsx';
export { Case } from '../pages/case.tsx';
export { FeeSweeps } from '../pages/fee_sweeps.tsx';
export { LedgerProofs } from '../pages/ledger_proofs.tsx';
export { ConsoleRecord } from '../pages/record.tsx';
export { ReservePage } from '../pages/reserve.tsx';
export { Reserves } from '../pages/reserves.tsx';
export { UnmatchedItem } from '../pages/unmatched_item.tsx';
export { UnmatchedMoneyPage } from '../pages/unmatched_money.tsx';
