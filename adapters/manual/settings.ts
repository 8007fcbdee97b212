import type { AdapterSettings } from '@tenant-payments/service/rails/adapter.ts';

/** People decide, over the vault of identity data, whose ring is `IDENTITY_KEY` (rules/identity#9). */
export const manual: AdapterSettings = {
  name: 'manual',
  ports: { identity: ['manual'] },
  settings: {},
};
