import { expect, test } from 'vitest';
import { refusalOf } from '../../test/kit/refusal.ts';
import { openServer } from '../../test/kit/server.ts';

const server = await openServer({ workers: false });
const second = await openServer({ beside: server, workers: false });
const path = '/portal/api/webhook-secrets';

/** A Tenant with this many active secrets, and their ids. */
async function withSecrets(count: number) {
  const tenant = await server.anotherTenant();
  const api = server.apiOf(tenant);
  for (let made = 1; made < count; made += 1) await api.post(path);
  const active = async (): Promise<string[]> => {
    const { data } = await api.get(path);
    return data
      .filter(({ retired_at }: { retired_at: string | null }) => retired_at === null)
      .map(({ id }: { id: string }) => id);
  };
  return { tenant, api, active, retire: (id: string) => api.remove(`${path}/${id}`) };
}

const lastActive = { code: 'invalid_state', param: null, details: { reason: 'last_active' } };

test('the last active webhook secret cannot be retired, and the refusal says what to do', async () => {
  const { tenant, api, active, retire } = await withSecrets(1);
  const [only = ''] = await active();
  const { status, body } = await server.call('DELETE', `${path}/${only}`, { token: tenant.token });
  expect([status, body.error.code]).toEqual([409, 'invalid_state']);
  expect(body.error.message).toContain('add another, deploy it, then retire this one');
  expect(await active()).toEqual([only]);
  const added = await api.post(path);
  expect((await retire(only)).retired_at).not.toBeNull();
  expect(await refusalOf(retire(added.id))).toEqual(lastActive);
  expect((await retire(only)).id).toBe(only);
  expect(await active()).toEqual([added.id]);
});

test.each([2, 3])('of %i secrets that are retired at once, one is left', async (count) => {
  for (let round = 0; round < 5; round += 1) {
    const { active, retire } = await withSecrets(count);
    const outcomes = await Promise.allSettled((await active()).map((id) => retire(id)));
    const refused = outcomes.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(1);
    for (const { reason } of refused as PromiseRejectedResult[])
      expect(await refusalOf(Promise.reject(reason))).toEqual(lastActive);
    expect(await active()).toHaveLength(1);
  }
});

test('of six secrets that two processes make at once, three are active', async () => {
  const { tenant, active } = await withSecrets(1);
  const make = (at: typeof server) => at.call('POST', path, { token: tenant.token });
  const made = await Promise.all([server, second].flatMap((at) => [make(at), make(at), make(at)]));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
  expect(made.find(({ status }) => status === 409)?.body.error.details).toEqual({
    reason: 'too_many_active',
    maximum: 3,
  });
  expect(await active()).toHaveLength(3);
});

test('of two secrets that two processes retire at once, one is left', async () => {
  for (let round = 0; round < 5; round += 1) {
    const { tenant, active } = await withSecrets(2);
    const [first, other] = await active();
    const ends = await Promise.all([
      server.call('DELETE', `${path}/${first}`, { token: tenant.token }),
      second.call('DELETE', `${path}/${other}`, { token: tenant.token }),
    ]);
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await active()).toHaveLength(1);
  }
});
