import { hostedEndpoints } from '@tenant-payments/contract/hosted/catalog.ts';
import { expect, test, vi } from 'vitest';
import { openApi } from './api.ts';

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
