import { fail } from '@tenant-payments/engine/fail.ts';
import type { Work } from '@tenant-payments/engine/work.ts';
import { urlFault } from './send/address.ts';

/** @throws ApiError parameter_invalid for an address that is not allowed for webhooks (rules/webhooks#16) */
export const obeyUrl = (work: Work, url: string): void =>
  work.obey('local_webhook_url', (environment) => {
    const reason = urlFault(url, environment);
    return reason && fail('parameter_invalid', { param: 'url', details: { reason } });
  });
