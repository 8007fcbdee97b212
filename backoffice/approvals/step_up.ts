import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { unprovenSettings } from '@tenant-payments/engine/settings.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { moveWantsStepUp, settingsWantStepUp } from '../contract/step_up.ts';
import type { StepUpChecks } from '../serve/guard.ts';
import { storedSettings } from '../settings/settings.ts';
import { openConsent } from './consent.ts';

/** Whether a request whose input has been checked wants a step-up that it does not have (rules/people#6). */
export function openStepUp(service: Service): StepUpChecks {
  const { db } = service;
  return {
    by_setting: async ({ isFresh, tenantId, body }) =>
      !isFresh &&
      settingsWantStepUp(body as Partial<Settings>, async () =>
        unprovenSettings(await storedSettings({ tenantId, db })),
      ),
    async by_move({ isFresh, params }) {
      const { resource, move } = params as { readonly resource: string; readonly move: string };
      return !isFresh && moveWantsStepUp(resource, move);
    },
    by_consent: openConsent(service),
  };
}
