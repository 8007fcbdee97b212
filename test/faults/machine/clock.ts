import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../kit/wait.ts';
import { faketime } from './needs.ts';
import { type Host, type Outcome, openStage } from './stage.ts';

/** A machine whose clock goes ten minutes back and then ten ahead while the service runs, by Debian's faketime. */

const steps = ['-600', '+600'];
const playMs = 8_000;
const noticedWithinMs = 60_000;

const ahead = `select count(*)::integer as count from events
  where tenant_id = $1 and (created_at > now() or created_at < $2::timestamptz)`;

export async function proveClockJumps(host: Host): Promise<Outcome> {
  const file = join('/tmp', `tpay-clock-${process.pid}`);
  const set = (offset: string) => writeFile(file, offset);
  await set('+0');
  const [begun] = await host.postgres.query('select clock_timestamp() as at');
  const stage = await openStage(host, 'api,worker', {
    env: {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
    },
  });
  const { status, metrics } = stage.process;
  const violations: string[] = [];
  let noticedMs = 0;
  for (const offset of steps) {
    const beganMs = performance.now();
    await set(offset);
    await until(async () => (await status('/readyz')) === 503, {
      what: 'a process that is not ready',
      withinMs: noticedWithinMs,
    }).catch((error: Error) => violations.push(`${offset} s: ${error.message}`));
    noticedMs = Math.max(noticedMs, Math.round(performance.now() - beganMs));
    const skew = Math.abs((await metrics()).get('clock_skew_seconds') ?? 0);
    if (Math.abs(skew - 600) > 5) violations.push(`${offset} s: clock_skew_seconds is ${skew}`);
    await stage.load.acked(performance.now());
    await sleep(playMs);
    await set('+0');
    await until(async () => (await status('/readyz')) === 200, {
      what: 'a process that is ready again',
      withinMs: noticedWithinMs,
    }).catch((error: Error) => violations.push(`${offset} s: ${error.message}`));
  }
  const [row] = await stage.tenant.engine.query(ahead, begun?.at);
  if (row?.count > 0) violations.push(`${row?.count} events are of a wrong time`);
  const outcome = await stage.end();
  return {
    violations: [...violations, ...outcome.violations],
    figures: { ...outcome.figures, noticedMs, wrongTimes: Number(row?.count) },
  };
}
