import { keepAuditProof } from '../../backoffice/audit/kept_proofs.ts';
import { keepProof } from '../../service/invariants/keep_proof.ts';
import { brandSample } from '../../service/sandbox/sample/brand.ts';
import { openSampleLedger } from '../kit/ledger/sample_ledger.ts';
import type { TestServer } from '../kit/server.ts';
import { playTenant } from '../tenants/records.ts';
import type { ReleaseFacts } from './release_file.ts';
import { releaseKeys } from './release_keys.ts';

/** A Tenant with everything but records in every state, which the first one has. */
async function playOther(server: TestServer): Promise<void> {
  const tenant = await server.anotherTenant({ rateLimit: 1_000_000 });
  await brandSample(server.service, tenant.tenantId);
  const { api, inReview } = await playTenant(server, tenant);
  const { limits } = await api.get('/portal/api/settings');
  const load_daily = { individual: null, business: null };
  await api.post('/portal/api/approvals', {
    resource: 'settings',
    id: 'settings',
    move: 'change',
    settings: { limits: { ...limits, load_daily } },
    note: 'they asked',
  });
  await api.post(`/portal/api/cases/customers/${inReview}/notes`, { text: 'seen' });
  await api.put('/portal/api/webhook-endpoint', { url: 'https://shop.example/hooks' });
  await api.put('/portal/api/chaos', { duplicate: 0.5 });
}

/** Keeps what the proofs of ledger and audit keep of faults, which no ledger of ours has. */
async function keepFaults({ service, tenant }: TestServer): Promise<void> {
  const { tenantId } = tenant;
  const violation = {
    invariant: '3.books',
    tenant_id: tenantId,
    subject: 'tenant',
    message: 'less',
  };
  await keepProof(service, { tenantId, cause: 'night' }, async () => ({
    ok: false,
    checked: 1,
    violations: [violation],
  }));
  const faults = [{ scope: tenantId, number: 1, fault: 'changed' as const }];
  const proof = { ok: false, checked: 1, heads: [], faults };
  await keepAuditProof(service.control, tenantId, proof, new Date().toISOString());
}

/** A server whose database has rows of every kind, and what is needed to go on with its first Tenant. */
export async function playRelease() {
  const server = await openSampleLedger({ secrets: releaseKeys, realNow: Date.now });
  const { client_id, client_secret } = server.tenant;
  await playOther(server);
  await keepFaults(server);
  await server.service.requestLog.flush();
  const facts: Pick<ReleaseFacts, 'client_id' | 'client_secret'> = { client_id, client_secret };
  return { server, facts };
}
