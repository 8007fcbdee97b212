import { command } from '../../service/core/command.ts';
import { completeConfirmation } from '../../service/flows/complete.ts';
import { decline, loadSession, reachEnd } from '../../service/flows/session_end.ts';
import { createPaymentRequest } from '../../service/resources/payment_requests/create.ts';
import { openQrSigner } from '../../service/resources/payment_requests/qr.ts';
import { createPayment } from '../../service/resources/payments/create.ts';
import { cancelPayment } from '../../service/resources/payments/moves.ts';
import type { Service } from '../../service/service.ts';

const t = (name: string, f: typeof reachEnd) => command(name, {
  load: (read, { id }: { id: string; kind: string; failure_code: string | null }) => loadSession(read, id),
  decide: (work, { session, target }) => { f(work, session, target); return { record: session }; },
});
export const completeFlow = t('complete', (w, s, t) => t && completeConfirmation(w, s, t));
export const leaveFlow = t('decline', decline);
export const endFlow = t('end', reachEnd);
export function raceCommands({ config, environment }: Service) {
  const signer = openQrSigner(config.qrSigningKey, environment);
  return {
    createPayment: createPayment(signer),
    createPaymentRequest: createPaymentRequest(signer),
    cancelPayment,
  };
}
