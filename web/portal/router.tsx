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
const integration = () => import('./groups/integration.ts');
const records = () => import('./groups/records.ts');
const settings = () => import('./groups/settings.ts');
const tenant = () => import('./groups/tenant.ts');

const routeTree = root.addChildren([
  at('/', Home),
  at('/requests', page(integration, 'Requests')),
  at('/events', page(integration, 'Events')),
  at('/deliveries', page(integration, 'Deliveries')),
  at('/webhooks', page(integration, 'Webhooks')),
  at('/event-types', page(integration, 'EventTypes')),
  at('/credentials', page(integration, 'Credentials')),
  at('/sandbox', page(integration, 'Sandbox')),
  at('/records/$kind', page(records, 'Records')),
  at('/record/$id', page(records, 'RecordDetail')),
  at('/ledger', page(records, 'Ledger')),
  at('/reconciliation', page(records, 'Reconciliation')),
  at('/reconciliation/$date', page(records, 'ReconciliationDay')),
  at('/settings', page(settings, 'SettingsPage')),
  at('/team', page(tenant, 'Team')),
  at('/api-keys', page(tenant, 'ApiKeys')),
  at('/audit', page(records, 'Audit')),
  at('/access', page(records, 'AccessRecords')),
  at('/states', page(tenant, 'States')),
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
