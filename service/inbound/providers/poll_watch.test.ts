import { expect, test } from 'vitest';
import { openServer } from '../../../test/kit/server.ts';
import { signedProvider } from '../../../test/kit/signed_provider.ts';
import { openPollWatch } from './poll_watch.ts';

const { provider, heard } = signedProvider();
const lines: string[] = [];
let nowMs = Date.parse('2026-01-20T15:00:00Z');
const server = await openServer({
  own: true,
  workers: false,
  realNow: () => nowMs,
  providers: [provider],
  onLog: (line) => lines.push(line),
});
const alarms = () => lines.map((line) => JSON.parse(line)).filter(({ alarm }) => alarm);
const minute = 60_000;

test('a provider that nobody polls is an alarm of every process, once until it is polled again', async () => {
  const { polls, watch } = server.providers;
  heard.poll = async () => ({ cursor: 'a', receipts: [] });
  nowMs += 5 * minute;
  await watch.watchNow();
  expect(alarms()).toEqual([]);
  nowMs += minute;
  await watch.watchNow();
  await watch.watchNow();
  expect(alarms()).toMatchObject([
    { alarm: 'rail_provider', provider: 'signed', method: 'poll', late_seconds: 360 },
  ]);

  expect(await polls.pollNow('signed')).toBe('done');
  await watch.watchNow();
  nowMs += 60 * minute;
  const restarted = openPollWatch([provider], server.service);
  await restarted.watchNow();
  expect(alarms()).toHaveLength(1);
  await watch.watchNow();
  expect(alarms()).toHaveLength(2);
});
