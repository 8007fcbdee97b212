import type {
  PollResult,
  ProviderContext,
  Receipt,
} from '@tenant-payments/service/rails/providers/provider.ts';
import { receiptOf } from './callback.ts';
import { faultOf, type openClient } from './client.ts';

/** A last word that comes later than this is told by its callback alone. */
const overlapMs = 3_600_000;
const mostAtOnce = 1_000;

/** Reads what Twilio knows of the messages of the last hour: it also finds callbacks that were lost. */
export async function pollMessages(
  client: ReturnType<typeof openClient>,
  cursor: string | null,
  { objects }: ProviderContext,
): Promise<PollResult> {
  const begun = new Date();
  const since = cursor === null ? begun.getTime() : Date.parse(cursor);
  const dateSentAfter = new Date(since - overlapMs);
  const found = await client.messages
    .list({ dateSentAfter, limit: mostAtOnce, pageSize: 100 })
    .catch((error: unknown) => {
      throw faultOf(error);
    });
  const receipts: Receipt[] = [];
  for (const { sid, status, errorCode } of found) {
    const code = errorCode ? String(errorCode) : null;
    const of = await objects.get('message', sid);
    if (of?.record)
      receipts.push(
        ...receiptOf({ sid, status, errorCode: code }, { ...of, messageId: of.record }),
      );
  }
  return { cursor: begun.toISOString(), receipts };
}
