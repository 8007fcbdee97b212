import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import type { ApiRequest } from '@tenant-payments/backoffice/contract/traffic/requests.ts';
import { expect, test } from 'vitest';
import { askedOf, instantOf, localTime, valuesIn } from '../../../staff/parts/filter_fields.ts';
import { eventMeets, requestMeets } from './matches.ts';

const request = {
  id: 'req_1',
  method: 'POST',
  path: '/v1/payments?x=1',
  status: 422,
  code: 'insufficient_funds',
  at: '2026-03-02T15:00:00.000Z',
} as ApiRequest;

test.each([
  [{}, true],
  [{ status: '422' }, true],
  [{ status: '4xx' }, true],
  [{ status: '2xx' }, false],
  [{ status: '404' }, false],
  [{ method: 'POST', path: '/v1/pay' }, true],
  [{ method: 'GET' }, false],
  [{ path: '/v1/loads' }, false],
  [{ code: 'insufficient_funds' }, true],
  [{ code: 'other' }, false],
  [{ request_id: 'req_2' }, false],
  [{ idempotency_key: 'a' }, false],
  [{ from: '2026-03-02T15:00:00Z' }, true],
  [{ to: '2026-03-02T15:00:00Z' }, false],
])('a new request under %o appears: %s', (values, isListed) => {
  expect(requestMeets(request, values as Record<string, string>)).toBe(isListed);
});

const event = {
  id: 'evt_1',
  type: 'load.settled',
  request_id: null,
  created_at: request.at,
  data: { object: { id: 'load_1' }, previous_attributes: null },
  delivery: { status: 'pending' },
} as unknown as PortalEvent;

test.each([
  [{}, true],
  [{ type: 'load.settled', object_id: 'load_1', delivery_status: 'pending' }, true],
  [{ type: 'load.failed' }, false],
  [{ object_id: 'load_2' }, false],
  [{ event_id: 'evt_2' }, false],
  [{ request_id: 'req_1' }, false],
  [{ delivery_status: 'failed' }, false],
  [{ from: '2026-03-03T15:00:00Z' }, false],
])('a new event under %o appears: %s', (values, isListed) => {
  expect(eventMeets(event, values as Record<string, string>)).toBe(isListed);
});

test('times of the address are shown in the zone of the reader, and come back the same', () => {
  for (const instant of ['2026-03-02T15:04:00.000Z', '2026-07-02T23:59:00.000Z'])
    expect(instantOf(localTime(instant))).toBe(instant);
  expect([localTime(undefined), localTime('x'), instantOf('')]).toEqual(['', '', '']);
});

test('of the address the fields alone are taken, as texts', () => {
  const fields = [{ name: 'status', label: 'Status', kind: 'text' }] as const;
  expect(valuesIn(fields, { status: 404, open: 'req_1' })).toEqual({ status: '404' });
  expect(valuesIn(fields, { status: '' })).toEqual({});
});

test('a day of the address is the whole day of the reader, and what is no time is not asked for', () => {
  const day = (text: string) => new Date(`${text}T00:00:00`).toISOString();
  expect(askedOf({ from: '2026-03-02', to: '2026-03-02', act: 'x' })).toEqual({
    act: 'x',
    from: day('2026-03-02'),
    to: day('2026-03-03'),
  });
  const instant = '2026-03-02T15:04:00.000Z';
  expect(askedOf({ from: instant, to: 'soon' })).toEqual({ from: instant });
});
