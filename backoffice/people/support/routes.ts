import { wholeList } from '@tenant-payments/engine/pages.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import type { FastifyInstance } from 'fastify';
import * as contract from '../../contract/people/support.ts';
import { serveRead } from '../../serve/read.ts';
import { queryableOf } from '../scope.ts';
import type { PersonServing } from '../serve.ts';
import { sessionView } from '../view.ts';
import { consentOf, listConsents } from './consents.ts';
import { endConsent, enterTenant, giveConsent, leaveTenant } from './support_commands.ts';

/** Registers an owner's consents, and how one of the staff comes in by one. */
export function serveSupport(
  scope: FastifyInstance,
  { serve, own }: PersonServing,
  service: Service,
): void {
  const { control } = service;
  serveRead(scope, service, contract.listSupportConsents, async ({ db, tenantId }) =>
    wholeList(await listConsents(queryableOf(db), service, tenantId)),
  );
  serve(contract.giveSupportConsent, async (call, { hours, note }) => {
    const { tenantId, actor } = call.request;
    const given = { scope: tenantId, hours, note, personId: actor.personId };
    return consentOf(control, service, await call.run(giveConsent, given));
  });
  serve(contract.endSupportConsent, async (call, { id }) => {
    const on = { scope: call.request.tenantId, id };
    return consentOf(control, service, await call.run(endConsent, on));
  });
  const enter = enterTenant(service);
  own(contract.enterTenant, async (call, session, { id }) => {
    await call.run(enter, { session, scope: id });
    return sessionView(control, service, session.id);
  });
  own(contract.leaveTenant, async (call, session) => {
    await call.run(leaveTenant, session);
    return sessionView(control, service, session.id);
  });
}
