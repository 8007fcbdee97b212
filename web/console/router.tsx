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
