import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { haproxyFile, type Member, patroniFile } from './settings.ts';

const member = (name: string, port: number): Member => ({
  name,
  folder: `/tmp/${name}`,
  postgresPort: port,
  restPort: port + 1,
  postgresPeer: `127.0.0.1:${port + 2}`,
  restPeer: `127.0.0.1:${port + 3}`,
  postgresHost: `127.0.0.1:${port + 4}`,
  restHost: `127.0.0.1:${port + 5}`,
  etcdHost: `127.0.0.1:${port + 6}`,
});
const members = [member('db1', 5000), member('db2', 6000)];

test('the guide’s file for Patroni lets the members and the service in, and promotes only who has every commit', () => {
  const passwords = { superuser: 'one', replicator: 'two' };
  const [first] = members.map((one) => parse(patroniFile(one, passwords)));
  expect(first.bootstrap.dcs).toMatchObject({
    synchronous_mode: true,
    failsafe_mode: true,
    maximum_lag_on_failover: 0,
  });
  expect(first.postgresql).toMatchObject({
    listen: '127.0.0.1:5000',
    connect_address: '127.0.0.1:5002',
    authentication: { superuser: { password: 'one' }, replication: { password: 'two' } },
  });
  const hba: string[] = first.postgresql.pg_hba;
  for (const who of ['replication replicator', 'all all'])
    expect(hba).toContain(`host ${who} 127.0.0.1/32 scram-sha-256`);
});

test('the guide’s file for haproxy asks Patroni who leads, and names no address that the proof does not replace', () => {
  const file = haproxyFile(members, { primary: 7000, standby: 7001 });
  expect(file).toMatch(/bind 127\.0\.0\.1:7000\n\s+http-check send meth GET uri \/primary\n/);
  expect(file).toMatch(/bind 127\.0\.0\.1:7001\n\s+http-check send meth GET uri \/replica\n/);
  expect(file.match(/server db1 127\.0\.0\.1:5004 check port 5005/g)).toHaveLength(2);
  expect(file).not.toMatch(/:5432|8008/);
});
