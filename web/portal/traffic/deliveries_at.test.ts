import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { expect, test } from 'vitest';
import { type AttemptRow, afterAttempt, eventAt } from './deliveries_at.ts';

const delivery = (status: string) => ({ status, attempts: 1 }) as PortalEvent['delivery'];
const at = (id: string, status: string) => ({
  endpoint_id: id,
  endpoint_name: id.toUpperCase(),
  ...delivery(status),
});
const event = {
  id: 'evt_1',
  delivery: delivery('pending'),
  further_deliveries: [at('books', 'pending'), at('ads', 'pending')],
} as unknown as PortalEvent;
const attempt = (endpoint: string | null, status: string): AttemptRow => ({
  event_id: 'evt_1',
  endpoint_id: endpoint,
  endpoint_name: endpoint?.toUpperCase() ?? null,
  delivery: delivery(status),
});

test('a list of one endpoint shows the delivery there, and no event that does not go there', () => {
  expect(eventAt(event, undefined)).toBe(event);
  const booked = { ...event, further_deliveries: [at('books', 'failed')] };
  expect(eventAt(booked, 'books')?.delivery).toEqual(delivery('failed'));
  expect(eventAt(booked, 'ads')).toBeNull();
});

test('an attempt changes the delivery of its own endpoint, and of no other', () => {
  const first = afterAttempt(event, attempt(null, 'delivered'), undefined);
  expect(first).toEqual({ ...event, delivery: delivery('delivered') });
  const books = afterAttempt(event, attempt('books', 'retrying'), undefined);
  expect(books).toEqual({
    ...event,
    further_deliveries: [at('books', 'retrying'), at('ads', 'pending')],
  });
  const shown = eventAt(event, 'ads') as PortalEvent;
  expect(afterAttempt(shown, attempt('ads', 'failed'), 'ads').delivery).toEqual(delivery('failed'));
  expect(afterAttempt(shown, attempt(null, 'failed'), 'ads')).toEqual(shown);
});
