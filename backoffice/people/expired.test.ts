import { expect, test } from 'vitest';
import { portalPerson } from '../../test/kit/people.ts';
import { openServer } from '../../test/kit/server.ts';

let nowMs = Date.parse('2026-03-02T15:00:00Z');
const server = await openServer({ own: true, realNow: () => nowMs });

const hour = 3_600_000;

test('a session that has expired is ended by the sweep, and one that is open stays', async () => {
  const ruth = await portalPerson(server, server.tenant.tenantId, ['owner']);
  const early = ruth.cookie();
  nowMs += 11 * hour;
  ruth.setCookie(null);
  await ruth.signIn();
  nowMs += 2 * hour;
  await server.workers.sweep.sweepNow();
  const { rows } = await server.service.control.query(
    `select end_reason, ended_at = expires_at as late from control.sessions where person_id = $1 order by created_at`,
    [ruth.id],
  );
  expect(early).not.toBeNull();
  expect(rows).toEqual([
    { end_reason: 'expired', late: true },
    { end_reason: null, late: null },
  ]);
});
