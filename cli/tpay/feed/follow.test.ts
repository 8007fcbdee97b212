import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { PortalEvent } from '@tenant-payments/backoffice/contract/traffic/events.ts';
import { maximumStreamsOfCaller } from '@tenant-payments/backoffice/contract/traffic/stream.ts';
import { expect, onTestFinished, test } from 'vitest';
import { openBreakableProxy } from '../../../test/kit/http/breakable_proxy.ts';
import { openServer } from '../../../test/kit/server.ts';
import { accountEnv } from '../../../test/kit/tpay.ts';
import { until } from '../../../test/kit/wait.ts';
import { connect } from '../connection.ts';
import { feedIdAt, follow } from './follow.ts';

const server = await openServer({ workers: false });
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

test('a connection that has gone silent is left, and nothing is missed or doubled', async () => {
  const network = await openBreakableProxy(server.baseUrl);
  const env = { HOME: '/nowhere', ...accountEnv(network.baseUrl, server.tenant) };
  const connection = connect({ env, out: () => {}, err: () => {} }, {});
  const stopper = new AbortController();
  const ids: string[] = [];
  const states: string[] = [];
  const done = (async () => {
    const feed = follow(connection, {
      types: ['events'],
      after: feedIdAt(Date.now() - 60_000),
      signal: stopper.signal,
      maxDowntimeMs: 60_000,
      onState: (state) => states.push(state),
      times: { silenceMs: 2_500, firstPauseMs: 50 },
    });
    for await (const { row } of feed) ids.push((row as PortalEvent).id);
  })();
  onTestFinished(() => {
    stopper.abort();
    return done;
  });
  await until(() => states.length > 0);
  await server.api.applied('individual');
  await until(() => ids.length > 0);
  collectGarbage();
  network.silence();
  await server.api.applied('individual');
  const { data } = await server.api.get('/portal/api/events?limit=100');
  await until(() => ids.length >= data.length);
  expect(states).toContain('lost');
  expect(ids.sort()).toEqual(data.map(({ id }: { id: string }) => id).sort());
});

test('who follows while too many feeds are open is told so', async () => {
  const env = { HOME: '/nowhere', ...accountEnv(server.baseUrl, server.tenant) };
  const connection = connect({ env, out: () => {}, err: () => {} }, {});
  const stoppers = Array.from({ length: maximumStreamsOfCaller + 1 }, () => new AbortController());
  const stop = () => stoppers.forEach((stopper) => void stopper.abort());
  onTestFinished(stop);
  const states: string[] = [];
  const followOne = async ({ signal }: AbortController) => {
    const feed = follow(connection, {
      types: ['events'],
      after: feedIdAt(Date.now()),
      signal,
      maxDowntimeMs: 60_000,
      onState: (state, reason) => states.push(`${state} ${reason}`.trim()),
    });
    for await (const _ of feed);
  };
  const following = stoppers.map(followOne);
  await until(() => states.length > maximumStreamsOfCaller);
  const [said = ''] = states.filter((state) => state !== 'connected');
  expect(said).toMatch(
    /^lost HTTP 409 invalid_state: at most 5 feeds of one caller are open at a time \(request req_\w+\)$/,
  );
  stop();
  await Promise.all(following);
});
