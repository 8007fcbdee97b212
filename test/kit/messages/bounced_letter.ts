import type { Api } from '../api.ts';
import type { ReplyBody } from '../http/http.ts';

/** A dispute of a customer whom no mail reaches, denied: its letter has bounced (rules/messages#12). */
export async function writtenInVain(api: Api): Promise<ReplyBody> {
  const ana = await api.approved('individual', { email: 'bounced@example.com' });
  const dispute = await api.played(api.dispute(ana, {}), 'dispute.resolved_denied');
  // A simulation runs due jobs; here that is the letter.
  await api.simulate('customer.pin_locked', ana.customerId);
  return dispute;
}
