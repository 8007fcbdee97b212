import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as page,
} from '@tanstack/react-router';
import { Crashed, NoPage } from '../portal/shell/no_page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });
const at = <Path extends string>(path: Path, component: ReturnType<typeof page>) =>
  createRoute({ getParentRoute: () => root, path, component });

/** Each page is loaded when it is first opened. */
const routeTree = root.addChildren([
  at(
    '/',
    page(() => import('./pages/desk.tsx'), 'Desk'),
  ),
  at(
    '/disputes',
    page(() => import('./pages/disputes.tsx'), 'Disputes'),
  ),
  at(
    '/money/unmatched',
    page(() => import('./pages/unmatched_money.tsx'), 'UnmatchedMoneyPage'),
  ),
  at(
    '/money/reserves',
    page(() => import('./pages/reserves.tsx'), 'Reserves'),
  ),
  at(
    '/money/reserves/$tenantId',
    page(() => import('./pages/reserve.tsx'), 'ReservePage'),
  ),
  at(
    '/money/fees',
    page(() => import('./pages/fee_sweeps.tsx'), 'FeeSweeps'),
  ),
  at(
    '/money/adjustments',
    page(() => import('./pages/adjustments.tsx'), 'Adjustments'),
  ),
  at(
    '/money/statements',
    page(() => import('./pages/bank_statements.tsx'), 'BankStatements'),
  ),
  at(
    '/money/statements/$id',
    page(() => import('./pages/bank_statement.tsx'), 'BankStatementPage'),
  ),
  at(
    '/money/unmatched/$tenantId/$id',
    page(() => import('./pages/unmatched_item.tsx'), 'UnmatchedItem'),
  ),
  at(
    '/tenants',
    page(() => import('./pages/tenants.tsx'), 'TenantsPage'),
  ),
  at(
    '/tenants/$tenantId',
    page(() => import('./pages/tenant.tsx'), 'TenantPage'),
  ),
  at(
    '/operations',
    page(() => import('./pages/operations.tsx'), 'OperationsPage'),
  ),
  at(
    '/alarms',
    page(() => import('./pages/alarms.tsx'), 'Alarms'),
  ),
  at(
    '/keys',
    page(() => import('./pages/keys.tsx'), 'Keys'),
  ),
  at(
    '/audit',
    page(() => import('./pages/audit.tsx'), 'AuditPage'),
  ),
  at(
    '/ledger-proofs',
    page(() => import('./pages/ledger_proofs.tsx'), 'LedgerProofs'),
  ),
  at(
    '/case/$tenantId/$resource/$id',
    page(() => import('./pages/case.tsx'), 'Case'),
  ),
]);

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
