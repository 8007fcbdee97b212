import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as page,
} from '@tanstack/react-router';
import { Crashed, NoPage } from '../staff/shell/no_page.tsx';
import { Home } from './pages/home.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });
const at = <Path extends string>(path: Path, component: ReturnType<typeof page>) =>
  createRoute({ getParentRoute: () => root, path, component });

/** The pages of a group are loaded when the first of them is opened. */
const routeTree = root.addChildren([
  at('/', Home),
  at(
    '/requests',
    page(() => import('./groups/integration.ts'), 'Requests'),
  ),
  at(
    '/events',
    page(() => import('./groups/integration.ts'), 'Events'),
  ),
  at(
    '/deliveries',
    page(() => import('./groups/integration.ts'), 'Deliveries'),
  ),
  at(
    '/webhooks',
    page(() => import('./groups/integration.ts'), 'Webhooks'),
  ),
  at(
    '/event-types',
    page(() => import('./groups/integration.ts'), 'EventTypes'),
  ),
  at(
    '/credentials',
    page(() => import('./groups/integration.ts'), 'Credentials'),
  ),
  at(
    '/sandbox',
    page(() => import('./groups/integration.ts'), 'Sandbox'),
  ),
  at(
    '/records/$kind',
    page(() => import('./groups/records.ts'), 'Records'),
  ),
  at(
    '/record/$id',
    page(() => import('./groups/records.ts'), 'RecordDetail'),
  ),
  at(
    '/ledger',
    page(() => import('./groups/tenant.ts'), 'Ledger'),
  ),
  at(
    '/reconciliation',
    page(() => import('./groups/tenant.ts'), 'Reconciliation'),
  ),
  at(
    '/reconciliation/$date',
    page(() => import('./groups/tenant.ts'), 'ReconciliationDay'),
  ),
  at(
    '/settings',
    page(() => import('./groups/settings.ts'), 'SettingsPage'),
  ),
  at(
    '/team',
    page(() => import('./groups/tenant.ts'), 'Team'),
  ),
  at(
    '/api-keys',
    page(() => import('./groups/tenant.ts'), 'ApiKeys'),
  ),
  at(
    '/audit',
    page(() => import('./groups/tenant.ts'), 'Audit'),
  ),
  at(
    '/access',
    page(() => import('./groups/tenant.ts'), 'AccessRecords'),
  ),
  at(
    '/states',
    page(() => import('./groups/tenant.ts'), 'States'),
  ),
]);

export const router = createRouter({
  routeTree,
  basepath: '/portal',
  defaultErrorComponent: Crashed,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
