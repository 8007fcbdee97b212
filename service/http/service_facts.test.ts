import { expect, test } from 'vitest';
import { openServer } from '../../test/kit/server.ts';

test('everybody can read from which addresses events come', async () => {
  const egressAddresses = ['203.0.113.7', '2001:db8::/48'];
  const server = await openServer({ workers: false, config: { egressAddresses } });
  const reply = await fetch(`${server.baseUrl}/service.json`);
  expect(reply.headers.get('access-control-allow-origin')).toBe('*');
  expect(await reply.json()).toMatchObject({
    environment: 'sandbox',
    egress_addresses: egressAddresses,
  });
});
