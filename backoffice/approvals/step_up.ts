import { mayCall, seesPersonalData } from '@tenant-payments/contract/core/roles.ts';
import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import { unprovenSettings } from '@tenant-payments/engine/settings.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { formatStepUp, moveWantsStepUp, settingsWantStepUp } from '../contract/step_up.ts';
import type { StepUpChecks } from '../serve/guard.ts';
import { storedSettings } from '../settings/settings.ts';
import { openConsent } from './consent.ts';

type Format = keyof typeof formatStepUp;

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
    by_format: async ({ isFresh, actor, query }) =>
      !isFresh &&
      formatStepUp[(query as { readonly format?: Format }).format ?? 'json'] &&
      mayCall(seesPersonalData, actor.roles),
    by_consent: openConsent(service),
  };
}
