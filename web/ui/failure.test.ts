import { expect, test } from 'vitest';
import { failureOf } from './failure.ts';

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
