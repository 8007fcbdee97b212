import type { View } from '@tenant-payments/contract/hosted/view.ts';
import type { EndStatus } from '../../../sdk/browser/messages.ts';

export const isDeclined = ({ confirmation }: View): boolean =>
  confirmation?.failure_code === 'confirmation_declined';

/** How the SDK is told that a session ended. Declining is an answer, as confirming is. */
export function endStatusOf(view: View): EndStatus {
  if (view.status === 'completed' || isDeclined(view)) return 'completed';
  return view.status === 'expired' ? 'expired' : 'canceled';
}
