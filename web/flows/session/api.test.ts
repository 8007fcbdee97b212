import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { expect, test, vi } from 'vitest';
import { failureOf, openApi } from './api.ts';

const requestId = 'req_1';
const error = (code: string, details: Record<string, unknown> | null = null) => ({
  code,
  param: null,
  request_id: requestId,
  details,
});

test.each([
  [401, error('authentication_required'), { kind: 'lost', requestId }],
  [429, error('rate_limited'), { kind: 'busy', requestId, seconds: 7 }],
  [500, error('internal_error'), { kind: 'service', requestId }],
  [502, {}, { kind: 'service', requestId: null }],
  [404, {}, { kind: 'service', requestId: null }],
  [
    409,
    error('invalid_state', { reason: 'expired', current_status: 'created' }),
    {
      kind: 'refused',
      requestId,
      code: 'invalid_state',
      param: null,
      reason: 'expired',
      currentStatus: 'created',
    },
  ],
])('a %i becomes what the customer can do about it', (status, body, failure) => {
  expect(failureOf(status, body, '7')).toEqual(failure);
});

test('every operation is called with the path and method of the contract', async () => {
  const requested: [string, string | undefined][] = [];
  vi.stubGlobal('fetch', async (path: string, { method }: RequestInit) => {
    requested.push([path, method]);
    return new Response('{}', { status: 200 });
  });
  const api = openApi(() => {});
  const ids = Object.keys(hostedEndpoints) as (keyof typeof hostedEndpoints)[];
  for (const id of ids) await api.call(id, { id: 'own_1' } as never);
  vi.unstubAllGlobals();
  const named = ids.map((id) => {
    const { path, method } = hostedEndpoints[id];
    return [path.replace(':id', 'own_1'), method];
  });
  expect(requested).toEqual(named);
});

test('the bearer token is in no address and no body', async () => {
  const seen: string[] = [];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    seen.push(path, String(init.body));
    expect(new Headers(init.headers).get('authorization')).toBe('Bearer fb_secret');
    return new Response('{}', { status: 200 });
  });
  const api = openApi(() => {});
  api.take('fb_secret');
  await api.call('confirmByPin', { pin: '284617' });
  vi.unstubAllGlobals();
  expect(seen.join(' ')).not.toContain('fb_secret');
});
