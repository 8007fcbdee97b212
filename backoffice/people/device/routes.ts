import { rates } from '@tenant-payments/contract/core/numbers.ts';
import type { Service } from '@tenant-payments/service/service.ts';
import * as contract from '../../contract/people/device.ts';
import type { PersonServing } from '../serve.ts';
import type { Attempts } from '../sign_in/attempts.ts';
import { begin } from './begin.ts';
import { openDeciding } from './decide.ts';
import { openPolling } from './poll.ts';

/** Registers how programs sign in by a code (rules/device-sign-in#1). */
export function serveDeviceSignIn(
  { serve, own }: PersonServing,
  service: Service,
  attempts: Attempts,
): void {
  const deciding = openDeciding(service, attempts);
  serve(contract.beginDeviceSignIn, begin(service), rates.deviceSignIn);
  serve(contract.pollDeviceSignIn, openPolling(service));
  own(contract.openDeviceSignIn, deciding.open);
  own(contract.approveDeviceSignIn, deciding.approve);
  own(contract.denyDeviceSignIn, deciding.deny);
}
