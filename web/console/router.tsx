import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as page,
  redirect,
} from '@tanstack/react-router';
import { Crashed, NoPage } from '../staff/shell/no_page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });
const at = <Path extends string>(path: Path, component: ReturnType<typeof page>) =>
  createRoute({ getParentRoute: () => root, path, component });

/** The desk was the first page: addresses with its filters lead there. */
const isOfDesk = (search: object): boolean =>
  ['tenant_id', 'tenant', 'resource', 'assigned', 'late'].some((name) => name in search);

/** The pages of a group are loaded when the first of them is opened. */
const routeTree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    component: page(() => import('./groups/home.ts'), 'Home'),
    beforeLoad: ({ search }) => {
      if (isOfDesk(search)) throw redirect({ to: '/desk', search: search as never, replace: true });
    },
  }),
  at(
    '/desk',
    page(() => import('./groups/desk.ts'), 'Desk'),
  ),
  at(
    '/disputes',
    page(() => import('./groups/desk.ts'), 'Disputes'),
  ),
  at(
    '/money/unmatched',
    page(() => import('./groups/money.ts'), 'UnmatchedMoneyPage'),
  ),
  at(
    '/money/messages',
    page(() => import('./groups/desk.ts'), 'RailMessages'),
  ),
  at(
    '/money/reserves',
    page(() => import('./groups/money.ts'), 'Reserves'),
  ),
  at(
    '/money/reserves/$tenantId',
    page(() => import('./groups/money.ts'), 'ReservePage'),
  ),
  at(
    '/money/fees',
    page(() => import('./groups/money.ts'), 'FeeSweeps'),
  ),
  at(
    '/money/adjustments',
    page(() => import('./groups/money.ts'), 'Adjustments'),
  ),
  at(
    '/money/statements',
    page(() => import('./groups/money.ts'), 'BankStatements'),
  ),
  at(
    '/money/statements/$id',
    page(() => import('./groups/money.ts'), 'BankStatementPage'),
  ),
  at(
    '/money/unmatched/$tenantId/$id',
    page(() => import('./groups/money.ts'), 'UnmatchedItem'),
  ),
  at(
    '/tenants',
    page(() => import('./groups/tenants.ts'), 'TenantsPage'),
  ),
  at(
    '/tenants/$tenantId',
    page(() => import('./groups/tenants.ts'), 'TenantPage'),
  ),
  at(
    '/staff',
    page(() => import('./groups/platform.ts'), 'Staff'),
  ),
  at(
    '/single-sign-on',
    page(() => import('./groups/platform.ts'), 'SingleSignOn'),
  ),
  at(
    '/requests',
    page(() => import('./groups/desk.ts'), 'Requests'),
  ),
  at(
    '/operations',
    page(() => import('./groups/platform.ts'), 'OperationsPage'),
  ),
  at(
    '/alarms',
    page(() => import('./groups/platform.ts'), 'Alarms'),
  ),
  at(
    '/keys',
    page(() => import('./groups/platform.ts'), 'Keys'),
  ),
  at(
    '/audit',
    page(() => import('./groups/platform.ts'), 'AuditPage'),
  ),
  at(
    '/ledger-proofs',
    page(() => import('./groups/money.ts'), 'LedgerProofs'),
  ),
  at(
    '/record/$tenantId/$id',
    page(() => import('./groups/money.ts'), 'ConsoleRecord'),
  ),
  at(
    '/case/$tenantId/$resource/$id',
    page(() => import('./groups/money.ts'), 'Case'),
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
