import type { RefusedInProduction } from '@tenant-payments/engine/production.ts';
import { unprovenSettings } from '@tenant-payments/engine/settings.ts';
import { tellRefused } from '@tenant-payments/service/http/log/refused_in_production.ts';
import type { ReadContext } from '@tenant-payments/service/read_context.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PortalEndpoint } from '../contract/endpoint.ts';
import { storedSettings } from '../settings/settings.ts';
import { refusedOperation } from './rights.ts';

/** Whether a Tenant's sandbox answers as production (rules/sandbox#48); read also where a call mends settings. */
export async function answersAsProduction(
  context: Pick<ReadContext, 'tenantId' | 'db'>,
): Promise<boolean> {
  if (context.tenantId === '') return false;
  return unprovenSettings(await storedSettings(context)).production_rules === true;
}

interface Caller {
  readonly tenantId: string;
  readonly refused?: RefusedInProduction;
}

/** Holds who calls the portal, and what, against the rules of production (rules/sandbox#46). */
export function openProductionRules({ db, log }: Pick<Service, 'db' | 'log'>) {
  return {
    /** @throws what production says, where the Tenant's sandbox answers as production */
    async assertLetIn(
      { sandboxOnly, playsOutside }: PortalEndpoint,
      { tenantId, refused }: Caller,
    ) {
      if (!refused || sandboxOnly || playsOutside) return;
      if (await answersAsProduction({ tenantId, db })) throw refused.error;
    },
    tell(
      endpoint: PortalEndpoint,
      { refused }: Caller,
      request: FastifyRequest,
      reply: FastifyReply,
    ): void {
      if (refused) tellRefused(log, request, reply, refused);
      const error = refusedOperation(endpoint, 'production');
      if (error) tellRefused(log, request, reply, { rule: 'sandbox_operation', error });
    },
  };
}
