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

test('a process of the release before, which does not know a nonce of the page, is asked again without it', async () => {
  const bodies: unknown[] = [];
  const error = {
    code: 'parameter_invalid',
    param: 'opener',
    request_id: 'req_1',
    details: { reason: 'unknown_field' },
  };
  vi.stubGlobal('fetch', async (_path: string, init: RequestInit) => {
    const body = JSON.parse(String(init.body));
    bodies.push(body);
    if ('opener' in body) return new Response(JSON.stringify({ error }), { status: 400 });
    return new Response('{"bearer":"fb_1"}', { status: 200 });
  });
  const failures: unknown[] = [];
  const api = openApi((failure) => failures.push(failure));
  const opener = 'n'.repeat(22);
  const answer = await api.call('openSession', { token: 'st_1', opener });
  vi.unstubAllGlobals();
  expect(bodies).toEqual([{ token: 'st_1', opener }, { token: 'st_1' }]);
  expect([answer.ok, failures]).toEqual([true, []]);
});

test('a field that a person has filled in is never left out', async () => {
  const error = { code: 'parameter_invalid', param: 'pin', details: { reason: 'unknown_field' } };
  const fetched = vi.fn(async () => new Response(JSON.stringify({ error }), { status: 400 }));
  vi.stubGlobal('fetch', fetched);
  const answer = await openApi(() => {}).call('confirmByPin', { pin: '284617' });
  vi.unstubAllGlobals();
  expect(answer.ok).toBe(false);
  expect(fetched).toHaveBeenCalledTimes(1);
});
