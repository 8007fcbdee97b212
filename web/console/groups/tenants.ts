/** Tenants, loaded at once when the first of these pages is opened. */

import '../shell/usual.ts';

export { TenantPage } from '../pages/tenant.tsx';
export { TenantsPage } from '../pages/tenants.tsx';
