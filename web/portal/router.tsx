import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent as page,
} from '@tanstack/react-router';
import { Crashed, NoPage } from './shell/no_page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });
const at = <Path extends string>(path: Path, component: ReturnType<typeof page>) =>
  createRoute({ getParentRoute: () => root, path, component });

/** Each page is loaded when it is first opened. */
const routeTree = root.addChildren([
  at(
    '/',
    page(() => import('./pages/home.tsx'), 'Home'),
  ),
  at(
    '/requests',
    page(() => import('./pages/requests.tsx'), 'Requests'),
  ),
  at(
    '/events',
    page(() => import('./pages/events.tsx'), 'Events'),
  ),
  at(
    '/deliveries',
    page(() => import('./pages/deliveries.tsx'), 'Deliveries'),
  ),
  at(
    '/webhooks',
    page(() => import('./pages/webhooks.tsx'), 'Webhooks'),
  ),
  at(
    '/event-types',
    page(() => import('./pages/event_types.tsx'), 'EventTypes'),
  ),
  at(
    '/credentials',
    page(() => import('./pages/credentials.tsx'), 'Credentials'),
  ),
  at(
    '/sandbox',
    page(() => import('./pages/sandbox.tsx'), 'Sandbox'),
  ),
  at(
    '/records/$kind',
    page(() => import('./pages/records.tsx'), 'Records'),
  ),
  at(
    '/record/$id',
    page(() => import('./pages/record.tsx'), 'RecordDetail'),
  ),
  at(
    '/ledger',
    page(() => import('./pages/ledger.tsx'), 'Ledger'),
  ),
  at(
    '/reconciliation',
    page(() => import('./pages/reconciliation.tsx'), 'Reconciliation'),
  ),
  at(
    '/reconciliation/$date',
    page(() => import('./pages/reconciliation_day.tsx'), 'ReconciliationDay'),
  ),
  at(
    '/settings',
    page(() => import('./pages/settings.tsx'), 'SettingsPage'),
  ),
  at(
    '/team',
    page(() => import('./pages/team.tsx'), 'Team'),
  ),
  at(
    '/api-keys',
    page(() => import('./pages/api_keys.tsx'), 'ApiKeys'),
  ),
  at(
    '/audit',
    page(() => import('./pages/audit.tsx'), 'Audit'),
  ),
  at(
    '/states',
    page(() => import('./pages/states.tsx'), 'States'),
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
