import type {
  PollResult,
  ProviderContext,
  Receipt,
} from '@tenant-payments/service/rails/providers/provider.ts';
import { receiptOf } from './callback.ts';
import { faultOf, type openClient } from './client.ts';

/** A last word that comes later than this is told by its callback alone. */
const overlapMs = 3_600_000;
/** So much is read whole at once: Twilio gives the newest of it first. */
const windowMs = 5 * 60_000;
const largestPage = 1_000;
/** No further window is begun after that: less than a poll has (rules/rails#12). */
const turnMs = 30_000;

type Client = ReturnType<typeof openClient>;

/** The last words of the messages that were sent in a window. */
async function readWindow(
  client: Client,
  objects: ProviderContext['objects'],
  fromMs: number,
  toMs: number,
): Promise<readonly Receipt[]> {
  const dateSentAfter = new Date(fromMs);
  const dateSentBefore = new Date(toMs);
  const found = await client.messages
    .list({ dateSentAfter, dateSentBefore, pageSize: largestPage })
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
  return receipts;
}

/**
 * Reads what Twilio knows of the messages from the cursor on, window by window from the oldest: it also finds callbacks
 * that were lost. The cursor moves over what was read whole; once all is read, it goes back to an hour before.
 * @param late when no further window is begun
 */
export async function pollMessages(
  client: Client,
  cursor: string | null,
  { objects }: ProviderContext,
  late: AbortSignal = AbortSignal.timeout(turnMs),
): Promise<PollResult> {
  const begunMs = Date.now();
  const receipts: Receipt[] = [];
  const startMs = cursor === null ? begunMs - overlapMs : Date.parse(cursor);
  let fromMs = startMs;
  do {
    const toMs = fromMs + windowMs;
    try {
      receipts.push(...(await readWindow(client, objects, fromMs, toMs)));
    } catch (error) {
      if (fromMs === startMs) throw error;
      break;
    }
    // Twilio counts whole seconds.
    fromMs = toMs - 1_000;
  } while (fromMs < begunMs && !late.aborted);
  const nextMs = fromMs < begunMs ? fromMs : begunMs - overlapMs;
  return { cursor: new Date(nextMs).toISOString(), receipts };
}
