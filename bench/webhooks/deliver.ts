import { sizes } from '@tenant-payments/contract/core/numbers.ts';
import { deliveryTimeoutSeconds } from '@tenant-payments/contract/resources/webhook_events.ts';
import { openSender } from '../../service/webhooks/send/send.ts';
import { signature } from '../../service/webhooks/send/sign.ts';

/** Events to sign and send, as a process of a reference gets them. */
export interface SendOrder {
  readonly url: string;
  readonly secret: string;
  readonly bodies: readonly string[];
  /** Deliveries at a time. */
  readonly together: number;
  /** The database where jobs are kept, and the package that works them off. */
  readonly databaseUrl: string;
  readonly packageFolder: string;
}

/** A message of a process of a reference: begin to count, or how it ended. */
export type SendMessage = 'begun' | 'done' | { readonly failed: string };

/** Signs and sends events with the service's own client. `deliver` throws on a refusal. */
export function openDelivery(secret: string) {
  const { webhookAnswerKept: maximumBytes } = sizes;
  const timeoutMs = deliveryTimeoutSeconds * 1_000;
  const sender = openSender({ environment: 'sandbox', timeoutMs, maximumBytes });
  async function deliver(url: string, body: string): Promise<void> {
    const header = signature(body, [secret], Math.floor(Date.now() / 1_000));
    const headers = { 'content-type': 'application/json', 'service-signature': header };
    const { status, error } = await sender.send(url, headers, body);
    if (status !== 200) throw new Error(`the receiver answered ${status}: ${error}`);
  }
  return { deliver, close: () => sender.close() };
}

/** Runs the one order of a process. */
export function obey(work: (order: SendOrder, begin: () => void) => Promise<void>): void {
  const tell = (message: SendMessage) => void process.send?.(message);
  process.once('message', (order: SendOrder) => {
    work(order, () => tell('begun')).then(
      () => tell('done'),
      (error: unknown) => tell({ failed: String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
}
