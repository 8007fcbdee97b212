import { isUuid } from '@tenant-payments/contract/core/ids.ts';
import { ApiError } from '@tenant-payments/engine/fail.ts';
import { faultFacts } from '@tenant-payments/engine/fault.ts';
import { connectionLost } from '@tenant-payments/engine/lost.ts';
import type { Logger } from 'pino';
import type { FactResult, Inbound } from '../../rails/facts.ts';
import type { Receipt } from '../../rails/providers/provider.ts';
import { type RailMessageState, railPorts } from '../../rails/providers/table.ts';

/** How a message ended. */
export interface MessageEnd {
  readonly state: Exclude<RailMessageState, 'received'>;
  readonly result: string;
}

/** The sealed contents of a kept message. */
export interface MessageContents {
  readonly receipt: Receipt;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it came; null: it was polled, or stands with another receipt of the same message. */
  readonly body: { readonly text: string } | { readonly base64: string } | null;
}

const longestId = 200;

/** @throws what is wrong with the receipt of a module, which no compiler has checked */
export function checkReceipt(receipt: Receipt): void {
  const { id, tenantId, port, fact } = receipt;
  if (typeof id !== 'string' || id === '' || id.length > longestId)
    throw new Error(`a receipt has no id of 1 to ${longestId} characters`);
  if (typeof tenantId !== 'string' || !isUuid(tenantId))
    throw new Error('the tenantId of a receipt is no uuid in small letters');
  if (!railPorts.includes(port)) throw new Error('the port of a receipt is not known');
  if (typeof fact !== 'object' || fact === null || typeof fact.id !== 'string')
    throw new Error('the fact of a receipt has no id');
}

const namedIn = ({ port, fact }: Receipt): unknown => {
  const named = fact as unknown as Readonly<Record<string, unknown>>;
  const { orderId, subjectId, linkId, messageId } = named;
  return { bank: orderId, identity: subjectId, aggregator: linkId, messages: messageId }[port];
};

/** The uuid of the record that a receipt names; null: it names none. */
export function recordOfReceipt(receipt: Receipt): string | null {
  const named = namedIn(receipt);
  return typeof named === 'string' && isUuid(named) ? named : null;
}

/** A person must look whether it becomes true: nothing moved (rules/rails#7). */
const parking: readonly FactResult[] = ['contradiction', 'unknown'];

/** How a message ends whose fact did this. */
export const endOf = (result: FactResult): MessageEnd => ({
  state: parking.includes(result) ? 'parked' : 'taken',
  result,
});

/** The result of a fact that was refused; null: it is not known, and the fact comes again. */
function refusalOf(error: unknown): { readonly result: string; readonly fault?: object } | null {
  if (error instanceof ApiError) return error.status < 500 ? { result: error.code } : null;
  return connectionLost(error) ? null : { result: 'fault', fault: faultFacts(error) };
}

/** Fields that a log may have of a fact which nobody has read yet: anywhere else in it can be names and numbers of accounts. */
const logged = [
  'id',
  'orderId',
  'providerId',
  'subjectId',
  'linkId',
  'messageId',
  'outcome',
  'decision',
  'amount',
];
const loggedOf = (fact: object): object =>
  Object.fromEntries(
    Object.entries(fact).filter(
      ([name, value]) => logged.includes(name) && typeof value !== 'object',
    ),
  );

/**
 * Reports a receipt's fact to the records.
 * @throws where it is not known what became of it
 */
export async function actOn(
  inbound: Inbound,
  receipt: Receipt,
  log: Pick<Logger, 'error'>,
): Promise<MessageEnd> {
  const { tenantId, port, fact } = receipt;
  const facts = { tenant_id: tenantId, kind: `${port}_fact`, fact: loggedOf(fact) };
  const named = namedIn(receipt);
  if (named !== undefined && recordOfReceipt(receipt) === null) {
    log.error({ alarm: 'unknown', ...facts }, 'a message of a provider names no id of ours');
    return { state: 'parked', result: 'unknown' };
  }
  try {
    return endOf(await inbound[port](tenantId, fact as never));
  } catch (error) {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    const said = { alarm: 'rail_message', ...facts, ...refusal };
    log.error(said, 'a message of a provider is refused; it is in the console');
    return { state: 'refused', result: refusal.result };
  }
}
