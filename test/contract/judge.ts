import type { ErrorCode } from '@tenant-payments/contract/core/errors.ts';
import { checkReply } from '../kit/http/contract_check.ts';
import type { Reply } from '../kit/http/http.ts';
import type { RawRequest, Sender } from './send.ts';

/** Why a reply is wrong; null: it is right. `other` is the reply to the request it is compared with. */
type Check = (reply: Reply, other: Reply) => string | null;

/** A request and what its reply must be, beside what every reply must be. */
export interface Case {
  readonly name: string;
  readonly request: RawRequest;
  readonly check: Check;
  /** Sent as well, to be compared with. */
  readonly other?: RawRequest;
  /** The shape of this part refuses it, whatever the service holds; each field has such cases. */
  readonly byShape?: { readonly part: 'query' | 'body'; readonly field: string };
  /** Whether it may be accepted, and then changes records. */
  readonly mayChange?: true;
  /** No operation has its method and path. */
  readonly unserved?: true;
}

/** A case that its shape refuses. */
export type Misshapen = Case & Required<Pick<Case, 'byShape'>>;
export const isMisshapen = (one: Case): one is Misshapen => one.byShape !== undefined;

const errorOf = ({ body }: Reply) => body?.error ?? {};
const shown = (reply: Reply) =>
  `${reply.status} ${JSON.stringify(reply.body?.error ?? reply.body).slice(0, 300)}`;

interface RefusalDetails {
  /** Also a field of the object `param` will do. */
  readonly within?: boolean;
  readonly reason?: string;
}

/** @param codes one code, or several of which each will do */
export const refused =
  (codes: ErrorCode | readonly ErrorCode[], param: string | null, more: RefusalDetails = {}) =>
  (reply: Reply): string | null => {
    const { code, param: named = null, details } = errorOf(reply);
    const isParam = named === param || (more.within && String(named).startsWith(`${param}.`));
    const isReason = more.reason === undefined || details?.reason === more.reason;
    if ([codes].flat().includes(code) && isParam && isReason) return null;
    return `${codes} expected, param ${param}, ${more.reason ?? ''}; it answered ${shown(reply)}`;
  };

export const accepted: Check = (reply) =>
  reply.status < 300 ? null : `refused with ${shown(reply)}`;

/** A value that the contract allows, of which the rest of the request may still be refused. */
export const allowed: Check = () => null;

/** Free text: it is accepted, and where the record shows the field, it shows what was sent. */
export const kept =
  (path: readonly string[], value: unknown): Check =>
  (reply) => {
    // An earlier run of this Tenant may have used it already.
    if (String(errorOf(reply).code).startsWith('duplicate_')) return null;
    if (reply.status >= 300) return `refused, though its schema allows it: ${shown(reply)}`;
    const found = path.reduce((held, name) => held?.[name], reply.body);
    return found === undefined || found === value ? null : `shown as ${JSON.stringify(found)}`;
  };

/** The same outcome as the other request has. */
export const alike: Check = (reply, other) => {
  const facts = (of: Reply) => {
    const { code, param, details } = errorOf(of);
    return JSON.stringify([of.status, code, param, details, of.body?.data?.length]);
  };
  return facts(reply) === facts(other) ? null : `${shown(reply)}, not as ${shown(other)}`;
};

export const alikeAndEmpty: Check = (reply, other) =>
  alike(reply, other) ??
  (reply.status < 300 && reply.body?.data?.length !== 0 ? `shows ${shown(reply)}` : null);

/** HEAD is GET without its body. */
export const headOf: Check = (reply, other) => {
  if (reply.body !== null) return 'it has a body';
  const facts = ({ status, headers }: Reply) =>
    JSON.stringify([
      status,
      headers.get('content-type'),
      status < 300 ? null : headers.get('content-length'),
      headers.has('service-request-id'),
      headers.has('ratelimit-limit'),
    ]);
  return facts(reply) === facts(other) ? null : `${facts(reply)}, not as GET: ${facts(other)}`;
};

export const notServed =
  (method: string): Check =>
  (reply) => {
    const isTold = method === 'HEAD' ? reply.body === null : errorOf(reply).code === 'not_found';
    return reply.status === 404 && isTold
      ? null
      : `not_found expected; it answered ${shown(reply)}`;
  };

/** The fault of a reply by the rules of every reply, whatever was sent. */
function generalFault({ request: { method, path }, unserved }: Case, reply: Reply): string | null {
  try {
    checkReply(method, path, reply);
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? 'not as the contract says';
  }
  if (reply.status >= 500) return `answered ${reply.status}`;
  if (reply.headers.get('content-type') !== 'application/json; charset=utf-8')
    return `Content-Type ${reply.headers.get('content-type')}`;
  const isLimited = reply.status !== 401 && !unserved && path.startsWith('/v1/');
  return isLimited && !reply.headers.has('ratelimit-limit') ? 'no RateLimit headers' : null;
}

/** Sends a case. @returns whether it was accepted, and what is wrong with its reply */
export async function tryCase(sender: Sender, one: Case) {
  const reply = await sender.send(one.request);
  const other = one.other ? await sender.send(one.other) : reply;
  const fault = generalFault(one, reply) ?? one.check(reply, other);
  return { isSuccess: reply.status < 300, fault };
}
