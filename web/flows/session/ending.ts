import type { View } from '@tenant-payments/contract/hosted/view.ts';
import type { EndStatus } from '../../../sdk/browser/messages.ts';

export const isDeclined = ({ confirmation }: View): boolean =>
  confirmation?.failure_code === 'confirmation_declined';

/** The end status for the SDK. Declining completes a flow, like confirming. */
export function endStatusOf(view: View): EndStatus {
  if (view.status === 'completed' || isDeclined(view)) return 'completed';
  return view.status === 'expired' ? 'expired' : 'canceled';
}
