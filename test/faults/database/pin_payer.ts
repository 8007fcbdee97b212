import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { samplePin } from '../../../service/sandbox/sample/submission.ts';
import type { CallOptions, Reply } from '../../kit/http/http.ts';
import type { Request } from './compare.ts';

/** A person on the page of a payment, without a browser: opens it and enters the right PIN, as the page asks. */

const pauseMs = 200;

/** Sends one request. @returns null when its outcome is unknown: 503, or a lost connection */
export type Exchange = (
  method: string,
  path: string,
  options: CallOptions,
) => Promise<Reply | null>;

interface Errand {
  /** The request of the confirmation. */
  readonly request: Request;
  /** Nothing is tried any more. */
  isOver(): boolean;
  violate(what: string): void;
}

const reasonOf = ({ status, body }: Reply) =>
  `${status} ${body.error?.code} ${body.error?.details?.reason ?? ''}`.trim();

/** A page that asks too often says so, and its reader presses once more. */
const isTooMany = (reply: Reply) => reply.body.error?.code === 'rate_limited';

/** Asks again until there is an answer. @returns null when there was none until the end */
async function asked(
  exchange: Exchange,
  { request, isOver }: Errand,
  ...call: readonly [method: string, path: string, options: CallOptions]
): Promise<Reply | null> {
  for (;;) {
    const reply = await exchange(...call);
    if ((reply !== null && !isTooMany(reply)) || isOver()) return reply;
    if (reply === null) request.wasAmbiguous = true;
    await sleep(pauseMs);
  }
}

export async function confirmByPin(exchange: Exchange, token: string, errand: Errand) {
  const { request, violate } = errand;
  const opener = randomBytes(16).toString('base64url');
  const open = { token: null, body: { token, opener } };
  const opened = await asked(exchange, errand, 'POST', '/hosted/api/open', open);
  if (opened === null) return;
  if (opened.status !== 200) return violate(`the page is dead: ${reasonOf(opened)}`);
  const { bearer } = opened.body;
  const enter = { token: bearer, body: { pin: samplePin } };
  const entered = await asked(exchange, errand, 'POST', '/hosted/api/confirm/pin', enter);
  if (entered === null) return;
  if (entered.status === 200) {
    if (entered.body.verdict !== 'right') violate(`the right PIN is ${entered.body.verdict}`);
    request.outcome = 'acked';
    return;
  }
  // The reply to an earlier try was lost, and the page shows what it brought.
  const look = await asked(exchange, errand, 'GET', '/hosted/api/session', { token: bearer });
  if (look === null) return;
  if (look.body.status === 'completed') request.outcome = 'acked';
  else violate(`the right PIN is refused: ${reasonOf(entered)}, ${look.body.status}`);
}
