import type { Settings } from '@tenant-payments/contract/core/settings.ts';
import {
  moveWantsStepUp,
  type StepUpBy,
  settingsWantStepUp,
} from '@tenant-payments/contract/portal/step_up.ts';
import type { FastifyRequest } from 'fastify';
import type { Service } from '../service.ts';
import { settingsBefore } from './settings/settings.ts';

type Asked = Pick<FastifyRequest, 'tenantId' | 'params' | 'body'>;

/** Asks the tables of step-up about a request whose input has been checked (rules/people#6). */
export function openStepUp({
  db,
}: Pick<Service, 'db'>): Readonly<Record<StepUpBy, (request: Asked) => Promise<boolean>>> {
  return {
    by_setting: ({ tenantId, body }) =>
      settingsWantStepUp(body as Partial<Settings>, () => settingsBefore({ tenantId, db })),
    async by_move({ params }) {
      const { resource, move } = params as { readonly resource: string; readonly move: string };
      return moveWantsStepUp(resource, move);
    },
  };
}
