import { records } from '@tenant-payments/contract/catalog.ts';
import { exampleOf } from '@tenant-payments/contract/emit/examples/operations.ts';
import { nameOf } from '@tenant-payments/contract/emit/openapi/schemas.ts';
import { eventTypes, type Resource } from '@tenant-payments/contract/lifecycles.ts';
import { expect, expectTypeOf, test } from 'vitest';
import { createReceiver, type Event } from './index.ts';
import type { NodeRequest } from './raw_body.ts';

/** The effect of the version rule on each type of event (rules/webhooks#29). */
const receiver = () => createReceiver({ secrets: 'unused', onEvent: () => {} });

const resourceOf = (type: string) => type.slice(0, type.indexOf('.')) as Resource;

let made = 0;
function eventOf(type: string, object: object): Event {
  made += 1;
  return { id: `evt_${made}`, object: 'event', type, data: { object } } as unknown as Event;
}

/** The records whose `version` is the number of the change. */
const numbered = [
  'account',
  'customer',
  'dispute',
  'linked_account',
  'load',
  'payment',
  'payment_request',
  'refund',
  'withdrawal',
];

test.each(eventTypes)(
  '%s: a version that is held comes twice only where the version is no integer',
  async (type) => {
    const record = exampleOf(nameOf(records[resourceOf(type)])) as { version?: unknown };
    const { accept } = receiver();
    const isNumbered = numbered.includes(resourceOf(type));
    expect(Number.isInteger(record.version)).toBe(isNumbered);
    expect(await accept(eventOf(type, record))).toBe('handled');
    expect(await accept(eventOf(type, record))).toBe(isNumbered ? 'duplicate' : 'handled');
    const next = isNumbered ? { ...record, version: Number(record.version) + 1 } : record;
    const event = eventOf(type, next);
    expect(await accept(event)).toBe('handled');
    expect(await accept(event)).toBe('duplicate');
  },
);

test("all events of a document acceptance are handled: its version is the document's", async () => {
  const { accept } = receiver();
  const acceptance = { object: 'document_acceptance', id: 'dacc_1', version: '2026-01' };
  for (const status of ['accepted', 'pending_acceptance', 'superseded'])
    expect(await accept(eventOf(`document_acceptance.${status}`, { ...acceptance, status }))).toBe(
      'handled',
    );
  const older = { ...acceptance, version: '2025-07', status: 'accepted' };
  expect(await accept(eventOf('document_acceptance.accepted', older))).toBe('handled');
});

/** A request as @types/node has it from 26 on. */
interface NewestRequest extends Omit<NodeRequest, 'on'> {
  on<E extends 'data' | 'end'>(
    name: E,
    listener: (...given: { data: [Uint8Array]; end: [] }[E]) => void,
  ): this;
  on(name: string | symbol, listener: (...given: ReturnType<typeof JSON.parse>[]) => void): this;
}

test('a request of the newest types of Node is one that the handler takes', () => {
  // `npm run types` holds it.
  expectTypeOf<NewestRequest>().toExtend<NodeRequest>();
  expect(receiver().nodeHandler()).toBeTypeOf('function');
});
