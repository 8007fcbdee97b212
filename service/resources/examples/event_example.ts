import { recordBefore, type Step } from '@tenant-payments/contract/steps.ts';
import type { Values } from '@tenant-payments/engine/entity.ts';
import type { Instant } from '@tenant-payments/engine/time/instant.ts';
import type { QrSigner } from '../payment_requests/qr.ts';
import { expiresInSeconds, newExample } from './example.ts';
import { examples } from './examples.ts';

const ageSeconds = 5 * 60;

/** A record after a step, and before it. */
interface ShownExample {
  readonly id: string;
  readonly version: number;
  readonly object: Values;
  readonly earlier: Values | null;
}

/** An example record with new ids. */
export function exampleOf(
  context: { readonly newId: () => string; readonly now: Instant },
  step: Step,
  qr: Pick<QrSigner, 'write'>,
): ShownExample {
  const { resource, from, to, change, version } = step;
  const oldSeconds = to === 'expired' ? expiresInSeconds : ageSeconds;
  const past = { version, ageSeconds: change === 'begins' ? 0 : oldSeconds };
  const example = newExample(context, past, qr);
  // Each step names states of its own resource, which the compiler cannot follow.
  const recordIn = (status: string): Values => ({
    ...examples[resource](example, status as never),
  });
  const object = recordIn(to);
  const earlier = change === 'status' ? recordIn(from) : recordBefore(step, object);
  return { id: example.uuidOf(resource), version, object, earlier };
}
