/** The Tenant's money and people, loaded at once when the first of them is opened. */

import '../../staff/usual.ts';

export { AccessRecords } from '../pages/access.tsx';
export { ApiKeys } from '../pages/api_keys.tsx';
export { Audit } from '../pages/audit.tsx';
export { Ledger } from '../pages/ledger.tsx';
export { Reconciliation } from '../pages/reconciliation.tsx';
export { ReconciliationDay } from '../pages/reconciliation_day.tsx';
export { States } from '../pages/states.tsx';
export { Team } from '../pages/team.tsx';
