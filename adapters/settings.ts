import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';
import { manual } from './manual/settings.ts';
import { plaidSettings } from './plaid/settings.ts';
import { smtpSettings } from './smtp/settings.ts';
import { twilioSettings } from './twilio/settings.ts';

/** Every built-in adapter, as the settings know it. Its code is loaded by `start/adapters.ts`. */
export const adapterSettings: readonly AdapterSettings[] = [
  manual,
  plaidSettings,
  smtpSettings,
  twilioSettings,
];
