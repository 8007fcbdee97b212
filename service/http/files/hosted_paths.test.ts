import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';

const server = await openServer({ workers: false });

test.each(['/hosted/api', '/hosted/api/owner', '/hosted/api/bank', '/hosted/api/nothing'])(
  'GET %s shows no page: it is a path of the JSON, which has no such operation',
  async (path) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, headers, body } = await server.call(method, path, { token: null });
      expect([status, headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
      if (method === 'GET') expect(body.error.code).toBe('not_found');
    }
  },
);
