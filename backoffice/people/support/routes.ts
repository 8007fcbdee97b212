import { wholeList } from '@tenant-payments/engine/pages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import * as contract from '../../contract/people/support.ts';
import { serveRead } from '../../serve/read.ts';
import { platform, queryableOf } from '../scope.ts';
import type { PersonServing } from '../serve.ts';
import { sessionView } from '../view.ts';
import { endConsent, giveConsent, listConsents } from './consents.ts';
import { enter, leave } from './visits.ts';

/** Each act stands in both chains: the Tenant's, and the platform's (rules/people#11). */
export function serveSupport(
  scope: FastifyInstance,
  { serve, own }: PersonServing,
  service: Service,
): void {
  const { control } = service;
  serveRead(scope, service, contract.listSupportConsents, async ({ db, tenantId }) =>
    wholeList(await listConsents(queryableOf(db), service, tenantId)),
  );
  serve(contract.giveSupportConsent, (call, { hours, note }) => {
    const { tenantId, actor } = call.request;
    return call.act(
      (connection) =>
        giveConsent(connection, service, {
          scope: tenantId,
          hours,
          note,
          personId: actor.personId,
        }),
      ({ id, expires_at }) => ({
        event: 'support_consent_given',
        facts: { consent_id: id, scope: tenantId },
        record: id,
        scope: tenantId,
        alsoIn: platform,
        after: { tenant_id: tenantId, expires_at },
      }),
    );
  });
  serve(contract.endSupportConsent, (call, { id }) => {
    const { tenantId } = call.request;
    return call.act(
      (connection) => endConsent(connection, service, { scope: tenantId, id }),
      () => ({
        event: 'support_consent_ended',
        facts: { consent_id: id, scope: tenantId },
        record: id,
        scope: tenantId,
        alsoIn: platform,
        after: { tenant_id: tenantId },
      }),
    );
  });
  own(contract.enterTenant, async (call, session, { id: tenantId }) => {
    await call.act(
      (connection) => enter(connection, service, session, tenantId),
      ({ id, consentId, until }) => ({
        event: 'support_entered',
        facts: { consent_id: consentId, scope: tenantId },
        record: id,
        scope: tenantId,
        alsoIn: platform,
        after: { tenant_id: tenantId, consent_id: consentId, until },
      }),
    );
    return sessionView(control, service, session.id);
  });
  own(contract.leaveTenant, async (call, session) => {
    await call.act(
      (connection) => leave(connection, service, session),
      ({ id, scope: tenantId }) => ({
        event: 'support_left',
        facts: { scope: tenantId },
        record: id,
        scope: tenantId,
        alsoIn: platform,
        after: { tenant_id: tenantId },
      }),
    );
    return sessionView(control, service, session.id);
  });
}
