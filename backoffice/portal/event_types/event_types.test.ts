import { records } from '@tenant-payments/contract/catalog.ts';
import { schemaMarks } from '@tenant-payments/contract/core/schema.ts';
import { eventTypes } from '@tenant-payments/contract/lifecycles.ts';
import { Event } from '@tenant-payments/contract/resources/webhook_events.ts';
import { resourceOf } from '@tenant-payments/contract/steps.ts';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { problemsOf } from '../../../test/kit/compile.ts';
import { getEventType, listEventTypes } from './event_types.ts';

const ajv = new Ajv({ strict: true, keywords: schemaMarks });
addFormats.default(ajv);

test('every type of the catalog is listed with the moves that send it', async () => {
  const { data } = await listEventTypes();
  expect(data.map(({ type }) => type)).toEqual(eventTypes);
  for (const { type, when } of data) expect([type, when.length > 0]).toEqual([type, true]);
  expect(data.find(({ type }) => type === 'payment.canceled')?.when).toContainEqual({
    move: 'cancel',
    to: 'canceled',
    from: ['requires_confirmation'],
    by: ['tenant'],
  });
});

test.each(eventTypes)(
  'the example of %s meets its schema, that of the API and of its record',
  async (type) => {
    const { schema, example } = await getEventType(null, { type });
    expect(ajv.validate(schema, example), ajv.errorsText()).toBe(true);
    expect(ajv.validate(Event, example), ajv.errorsText()).toBe(true);
    const { object } = example.data as { object: object };
    expect(ajv.validate(records[resourceOf(type)], object), ajv.errorsText()).toBe(true);
    expect(ajv.validate(schema, { ...example, type: 'other' })).toBe(false);
  },
);

// The compiler reads its own libraries first.
const patiently = { timeout: 60_000 };

test('the TypeScript of every type compiles, and takes its example', patiently, async () => {
  const pages = await Promise.all(eventTypes.map((type) => getEventType(null, { type })));
  const files = new Map(
    pages.map(({ type, typescript, example }) => {
      const name = /interface (\w+)/.exec(typescript)?.[1];
      const text = `${typescript}\nexport const example: ${name} = ${JSON.stringify(example)};\n`;
      return [type, text];
    }),
  );
  expect(problemsOf(files)).toEqual([]);
});

test('an unknown type is not found', async () => {
  await expect(getEventType(null, { type: 'payment.lost' })).rejects.toMatchObject({
    code: 'not_found',
  });
});
