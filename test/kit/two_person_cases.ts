import { redactionJob } from '../../service/jobs/redaction.ts';
import { openSweep } from '../../service/jobs/sweep.ts';
import type { StaffCase } from './approvals.ts';
import type { TestServer } from './server.ts';

/** Records of a Tenant about which two people decide. */

/** A verified link whose first withdrawal has to wait. */
export async function waitingLink({ api }: StaffCase): Promise<string> {
  const person = await api.banked('individual', 'standard');
  const { customerId, linkedAccountId } = person;
  await api.call('DELETE', `/v1/customers/${customerId}/linked-accounts/${linkedAccountId}`);
  return api.link(person, 'savings');
}

/** A customer whose data no law keeps any more. */
export async function closedLongAgo(
  { service }: Pick<TestServer, 'service'>,
  { tenant, api, engine }: StaffCase,
): Promise<string> {
  const person = await api.approved('individual');
  await api.close(person);
  await api.simulate('account.closed', person.accountId);
  await engine.moveClock(8 * 366 * 86_400);
  await service.requestLog.flush();
  await engine.query('delete from requests where tenant_id = $1');
  await engine.run(redactionJob(service), { ref: tenant.tenantId });
  await openSweep(service).sweepNow();
  return person.customerId;
}
