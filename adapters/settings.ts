import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';
import { plaidSettings } from './plaid/settings.ts';

/** Every adapter in the box, as the settings know it. Its code is loaded by `start/adapters.ts`. */
export const adapterSettings: readonly AdapterSettings[] = [plaidSettings];
