import { type ApiError, fail, StoredJsonError, unavailable } from '@tenant-payments/engine/fail.ts';
import { serviceJobs } from '@tenant-payments/engine/job_names.ts';
import { describe, expect, it, test } from 'vitest';
import { redactedValue } from '../http/log/redact.ts';
import { RailsFault } from '../rails/guard/rails_fault.ts';
import { causeOf, causes } from './causes.ts';

const coded = (code: string) => Object.assign(new Error('x'), { code });
const stored = { column: 't.c', tenant_id: null, at: 'a', reason: 'type' };

describe('each fault has a cause of the closed list:', () => {
  it.each([
    ['a connection that is refused', coded('ECONNREFUSED'), 'database_unreachable'],
    ['a server without writes', coded('25006'), 'database_read_only'],
    ['a refused password', coded('28P01'), 'database_refuses_login'],
    ['a full disk', coded('53100'), 'database_out_of_space'],
    ['a server that stops', coded('57P01'), 'database_stopping'],
    ['a certificate that has ended', coded('CERT_HAS_EXPIRED'), 'tls'],
    ['a certificate of another name', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
    [
      'a call of the rails without an answer',
      new RailsFault('bank.take', 'provider_timeout', 1),
      'provider_timeout',
    ],
    ['a full queue', unavailable('overloaded', 1, 'overloaded'), 'overloaded'],
    [
      'a command that lost its database',
      unavailable('x', 1, 'database_away'),
      'database_unreachable',
    ],
    ['a request without an answer in time', unavailable('x', 1, 'late'), 'late'],
    ['stored JSON that cannot be read', new StoredJsonError(stored), 'stored_json'],
    ['a fault of ours', new TypeError('x is undefined'), 'unexpected'],
    ['a refusal that is ours', fail('internal_error'), 'unexpected'],
  ] as const)('%s', (_what, error, cause) => {
    expect(causeOf(error)).toBe(cause);
    expect(causes).toContain(cause);
  });
});

test('a reply of 503 says its reason apart from its text', () => {
  const { status, details } = unavailable('the database is away', 1, 'database_away');
  expect([status, details]).toEqual([503, { reason: 'database_away' }]);
  const provider: ApiError = new RailsFault('bank.take', 'provider_threw', 1);
  expect(provider.details).toEqual({ reason: 'outside' });
});

const jobs = Object.values(serviceJobs).flatMap((of) => Object.keys(of));

test('neither the name of a job nor a cause is taken for a secret', () => {
  for (const word of [...jobs, ...causes])
    expect(redactedValue({ job: word, cause: word }, true)).toEqual({ job: word, cause: word });
});
