import { type ErrorCode, errorStatus } from '@tenant-payments/contract/core/errors.ts';
import type { RawRequest } from '../../contract/send.ts';
import { checkReply } from '../../kit/http/contract_check.ts';
import type { Reply, ReplyBody } from '../../kit/http/http.ts';

/** Texts that only the inside of the service has: a stack, a path, SQL, its driver. */
const internals =
  /\.[cm]?[jt]s:\d+|node_modules|node:internal|\bat \w+ \(|Error: |\/(tmp|work|home)\/|\bpg_|postgres|violates|syntax error|relation "|invalid input|undefined \(reading|is not a function|Cannot read prop/i;

/** The error without the name that the request gave to its own field. */
function ownWords({ message, param, details }: ReplyBody): string {
  const words = JSON.stringify({ message, details });
  return typeof param === 'string' && param !== '' ? words.replaceAll(param, '') : words;
}

/** Why a reply is not what any reply must be; null: it is. */
export function faultOf(request: RawRequest, reply: Reply): string | null {
  const { status, headers, body } = reply;
  const isDisturbed = status === 503 && headers.has('retry-after');
  if (status >= 500 && !isDisturbed) return `answered ${status}: ${JSON.stringify(body)}`;
  if (request.method === 'HEAD') return null;
  try {
    checkReply(request.method, request.path, reply);
  } catch (error) {
    return (error as Error).message.slice(0, 600);
  }
  if (status < 400) return null;
  const error = body?.error ?? {};
  if (!Object.hasOwn(errorStatus, error.code ?? ''))
    return `${status} without an envelope: ${body}`;
  if (errorStatus[error.code as ErrorCode] !== status && !isDisturbed)
    return `${error.code} with ${status}`;
  if (error.request_id !== headers.get('service-request-id')) return 'another request_id';
  const shown = internals.exec(ownWords(error))?.[0];
  return shown ? `it shows ${shown}: ${JSON.stringify(body)}` : null;
}
