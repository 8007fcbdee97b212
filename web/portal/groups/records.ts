/** Records and the books about them, loaded at once when the first of them is opened. */

import '../../staff/usual.ts';

export { AccessRecords } from '../pages/access.tsx';
export { Audit } from '../pages/audit.tsx';
export { Ledger } from '../pages/ledger.tsx';
export { Reconciliation } from '../pages/reconciliation.tsx';
export { ReconciliationDay } from '../pages/reconciliation_day.tsx';
export { RecordDetail } from '../pages/record.tsx';
export { Records } from '../pages/records.tsx';
export { Palette } from '../shell/palette.tsx';
