import { serve, serveHandler } from '@tenant-payments/service/http/serve/serve.ts';
import type { Advance } from '@tenant-payments/service/jobs/advance.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import { addTemporarySecret } from '@tenant-payments/service/tenants/temporary_secrets.ts';
import type { Dispatcher } from '@tenant-payments/service/webhooks/dispatch/dispatcher.ts';
import type { FastifyInstance } from 'fastify';
import { portalEndpoints as contract } from '../../contract/catalog.ts';
import type { Sample } from '../../tenants/sandbox_file.ts';
import { getChaos, putChaos } from './chaos.ts';
import { advanceClock, getClock } from './clock.ts';
import { listClockJumps } from './jumps.ts';
import { getMagic } from './magic.ts';
import { getProductionRules, putProductionRules } from './production_rules.ts';
import { createSampleEvent } from './sample_events.ts';
import { createSignInLink } from './sign_in_link.ts';
import { createSandboxTenant, resetSandbox } from './tenants.ts';

export interface SandboxParts {
  readonly advance: Advance;
  readonly dispatcher: Dispatcher;
  /** Null in production. */
  readonly sample: Sample | null;
}

/** Time, faults, events and Tenants to play with; the time can be read in production too. */
export function serveSandbox(
  scope: FastifyInstance,
  service: Service,
  { advance, dispatcher, sample }: SandboxParts,
): void {
  serveHandler(scope, service, contract.getClock, getClock(advance));
  serveHandler(scope, service, contract.advanceClock, advanceClock(advance, service));
  serveHandler(scope, service, contract.listClockJumps, listClockJumps);
  serveHandler(scope, service, contract.getChaos, getChaos(service));
  const forget = () => service.sandboxTools?.chaos.forget();
  serve(scope, service, contract.putChaos, putChaos(service), forget);
  serveHandler(scope, service, contract.createSampleEvent, createSampleEvent(service));
  serveHandler(scope, service, contract.getProductionRules, getProductionRules);
  serve(scope, service, contract.putProductionRules, putProductionRules);
  serveHandler(scope, service, contract.getMagic, getMagic(service));
  const create = createSandboxTenant(service, sample);
  serveHandler(scope, service, contract.createSandboxTenant, create);
  serve(scope, service, contract.createTemporaryClient, addTemporarySecret(service));
  serveHandler(scope, service, contract.createSignInLink, createSignInLink(service));
  const reset = resetSandbox(service, sample, dispatcher);
  serveHandler(scope, service, contract.resetSandbox, reset);
}
