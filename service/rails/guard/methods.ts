import type { ExchangeRequest, LinkCheck } from '../aggregator.ts';
import type { BankInstruction, ReturnAnswer, TakenOrder } from '../bank.ts';
import type { IdentityCheck } from '../identity.ts';
import type { Message } from '../messages.ts';

/** A method of the rails that calls the outside. */
interface Method {
  /** A module may lack it. */
  readonly isOptional?: true;
  /** Whether an error by the name `Refused` is an answer, and no fault (rules/bank-orders#13). */
  readonly mayRefuse?: true;
  /** The key of a call that is not made again while the first one runs; absent: each call is another one. */
  readonly keyOf?: (asked: never) => string | null;
}

const ofOrder = ({ tenantId, id }: BankInstruction | TakenOrder) => `${tenantId} ${id}`;

/** Every method that calls the outside, by part. */
export const railsMethods = {
  identity: {
    collect: {},
    check: {
      keyOf: ({ tenantId, subjectId, since }: IdentityCheck) => `${tenantId} ${subjectId} ${since}`,
    },
    session: { isOptional: true },
    matches: {},
  },
  aggregator: {
    linkToken: {},
    exchange: {
      keyOf: ({ tenantId, publicToken }: ExchangeRequest) => `${tenantId} ${publicToken}`,
    },
    verify: { keyOf: ({ tenantId, linkId }: LinkCheck) => `${tenantId} ${linkId}` },
    numbers: { isOptional: true },
    refresh: { isOptional: true },
    remove: { isOptional: true },
  },
  bank: {
    take: { keyOf: ofOrder, mayRefuse: true },
    answerReturnRequest: {
      isOptional: true,
      mayRefuse: true,
      keyOf: ({ tenantId, id }: ReturnAnswer) => `${tenantId} ${id}`,
    },
    ordersSince: { isOptional: true },
    cancel: { keyOf: ofOrder, isOptional: true, mayRefuse: true },
    query: { keyOf: ofOrder, isOptional: true },
  },
  messages: {
    send: { keyOf: ({ tenantId, id }: Message) => `${tenantId} ${id}`, mayRefuse: true },
  },
} as const satisfies Record<string, Record<string, Method>>;

type Methods = typeof railsMethods;
/** `bank.take`: as settings, metrics and log lines name it. */
export type RailsMethod = {
  [Part in keyof Methods]: `${Part}.${keyof Methods[Part] & string}`;
}[keyof Methods];

/** Every method as a list. */
export const railsMethodList = Object.entries(railsMethods).flatMap(([part, methods]) =>
  Object.entries(methods as Record<string, Method>).map(([name, method]) => ({
    part,
    name,
    full: `${part}.${name}` as RailsMethod,
    isOptional: method.isOptional ?? false,
    mayRefuse: method.mayRefuse ?? false,
    keyOf: method.keyOf,
  })),
);
