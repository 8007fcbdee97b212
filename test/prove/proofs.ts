import * as machine from '../faults/machine/needs.ts';
import * as patroni from '../faults/patroni/settings.ts';

/** A long proof: one kind of fault, caused in the real service many times, by a `proofTest` in `file`. */
export interface Proof {
  /** Short and stable: `npm run prove -- --only KEY`. */
  readonly key: string;
  readonly file: string;
  /** In `npm run prove`. */
  readonly rounds: number;
  /** Whether it runs on the cluster that `--citus` names alone. */
  readonly needsCitus?: true;
  /** The programs that it needs and this machine has not: where there are any it is skipped. */
  readonly missing?: () => readonly string[];
  /** The fault done to the service, as a row of docs/reliability.md has it. */
  readonly fault: string;
  /** The promise that must hold nevertheless, in one clause. */
  readonly promise: string;
}

/** Every long proof, in the order of docs/reliability.md. */
export const proofs: readonly Proof[] = [
  {
    key: 'crash',
    file: 'test/faults/crash/crash.test.ts',
    rounds: 500,
    fault:
      'the service is killed (kill -9) before or after a SQL statement or the reply of an operation, restarted, and called again under the same key',
    promise: 'exactly one effect with all its events and jobs, equal replies, the ledger holds',
  },
  {
    key: 'commit',
    file: 'test/faults/database/commit.test.ts',
    rounds: 600,
    fault: 'the COMMIT is lost on its way to PostgreSQL, or its reply on the way back, under load',
    promise: 'no false refusal, one effect for each key, recovered within 5 s',
  },
  {
    key: 'database-kill',
    file: 'test/faults/database/kill.test.ts',
    rounds: 40,
    fault: 'PostgreSQL and all its processes are killed (kill -9) under load',
    promise: 'nothing acknowledged is lost, nothing is applied twice, writes are back within 5 s',
  },
  {
    key: 'database-terminate',
    file: 'test/faults/database/terminate.test.ts',
    rounds: 600,
    fault: 'backends are terminated at random, ten in a second, and one commit in twenty conflicts',
    promise: 'no wrong result: an answer, or a 503 after which a retry finds one effect',
  },
  {
    key: 'terminations',
    file: 'test/faults/database/terminations.test.ts',
    rounds: 2_000,
    fault:
      'backends of a process of its own are terminated at random moments under load, its starts and stops included',
    promise: 'no exception is left uncaught, and what was acknowledged holds, once',
  },
  {
    key: 'database-holes',
    file: 'test/faults/database/holes.test.ts',
    rounds: 20,
    fault: 'half of the connections to PostgreSQL go silent, neither side is notified',
    promise:
      'every request has an answer within 10 s, all is recovered within 15 s of the connections',
  },
  {
    key: 'restore',
    file: 'test/faults/restore/restore.test.ts',
    rounds: 20,
    fault:
      'the database is lost and restored from a base backup and its archive to an earlier point; the tenant repeats its calls, jobs run again, and the bank remembers every order',
    promise:
      'the bank pays nothing twice, what it did is taken or named as missing, receivers end with what is true, ledger and audit hold',
  },
  {
    key: 'disk-full',
    file: 'test/faults/database/disk_full.test.ts',
    rounds: 5,
    fault: "the disk of PostgreSQL's data and log is full",
    promise: '503 and no partial state; writes are back within 30 s of space being freed',
  },
  {
    key: 'faults',
    file: 'test/faults/machine/faults.test.ts',
    // Each of five faults on each of two servers.
    rounds: 10,
    missing: machine.missing,
    fault:
      "on the embedded PostgreSQL 18 and Debian's 15 under load: the database's disk is full, the service has 256 MB of memory, its clock goes 10 minutes back and ahead, the database's name is gone, 10,000 jobs are due at once",
    promise:
      'nothing but 503, nothing acknowledged is lost, all is back by itself, no time is wrong, each job is done once, the ledger holds',
  },
  {
    key: 'soak',
    file: 'test/faults/soak/soak.test.ts',
    // Rounds of ten seconds: an hour.
    rounds: 360,
    fault:
      'payments at half of capacity, ten seconds a round, while clocks, jobs, webhooks, reports, proofs of the ledger and vacuum are at work',
    promise:
      'the p99 of the last ten minutes is at most 1.2 of the first, memory stays, the ledger holds, cash is what the bank has',
  },
  {
    key: 'failover',
    file: 'test/faults/database/failover.test.ts',
    rounds: 20,
    fault:
      'of a primary and its synchronous standby, both named in DATABASE_URL, the primary is killed, stopped or cut off and the standby promoted, or the standby is killed',
    promise:
      'nothing but 503, nothing acknowledged is lost, writes are back within 5 s of the promotion, and no connection stays on a standby',
  },
  {
    key: 'patroni',
    file: 'test/faults/patroni/patroni.test.ts',
    // Each of eight faults three times.
    rounds: 24,
    missing: patroni.missing,
    fault:
      'in a cluster of Patroni with etcd and haproxy the leader is killed, switched over, cut off, frozen or loses its PostgreSQL, the standby is killed or cut off, or etcd is away for 30 s, while people pay by PIN',
    promise:
      'nothing but 503, nothing acknowledged is lost, no right PIN is refused, writes are back within 5 s of the promotion, no connection stays on the standby, haproxy follows',
  },
  {
    key: 'workers-kill',
    file: 'test/faults/processes/workers_kill.test.ts',
    rounds: 300,
    fault: 'one of three workers is killed (kill -9) while it sends webhooks and does jobs',
    promise: 'nothing is lost; only what was under way comes twice, with the same id and bytes',
  },
  {
    key: 'workers-periods',
    file: 'test/faults/processes/workers_periods.test.ts',
    rounds: 1_000,
    fault: 'three workers run the same calendars while days pass',
    promise: 'every job of every day and month is done exactly once',
  },
  {
    key: 'deployment',
    file: 'test/faults/processes/two_releases.test.ts',
    rounds: 6,
    fault:
      'every table is migrated under two processes behind a balancer, which are then replaced by another release, one after the other, while people pay in browsers and clients call',
    promise: 'no request fails, no page is dead, and a tab that was open before goes on',
  },
  {
    key: 'clock-kill',
    file: 'test/faults/processes/clock_kill.test.ts',
    rounds: 20,
    fault: 'the process that moves a clock is killed (kill -9) on the way',
    promise: 'another brings the clock to its target, each job once and at its own instant',
  },
  {
    key: 'moves',
    file: 'test/faults/cells/moves_killed.test.ts',
    rounds: 300,
    fault:
      'a Tenant is moved between four cells of three databases while it takes payments, and the move is killed (kill -9) at any of its steps',
    promise:
      'the Tenant is whole in one cell and goes on there, what was acknowledged holds, once, and the next move clears the other cell',
  },
  {
    key: 'cells',
    file: 'test/faults/cells/citus.test.ts',
    rounds: 20,
    needsCitus: true,
    fault:
      'a cell is moved from node to node of a Citus cluster while it takes payments, and another cell too',
    promise:
      'nothing but 503 meanwhile, what was acknowledged holds, once, and processes follow the cell',
  },
  {
    key: 'model',
    file: 'test/ledger/model/model.test.ts',
    rounds: 300_000,
    fault:
      'random operations of many tenants over HTTP, sent twice, with another body, cut off and sent again; the bank late, doubled and contradictory; backends and connections ended, calls refused, workers stopped and started, a second service',
    promise:
      'every reply, balance, version and event is what the model predicts, and all that was begun ends',
  },
  {
    key: 'model-cells',
    file: 'test/ledger/model/cells.test.ts',
    rounds: 100_000,
    fault:
      'the same over three cells of two databases in two processes, with tenants that are moved from cell to cell among the faults',
    promise:
      'every reply, balance, version and event is what the model predicts, and all that was begun ends',
  },
  {
    key: 'model-bank',
    file: 'test/ledger/model/bank/bank.test.ts',
    rounds: 100_000,
    fault:
      'random operations beside a bank in a process of its own, which pays, refuses, returns, pays again, asks back, contradicts itself, pays too late or another amount, answers an order with an error or not at all, and whose messages are late, lost, doubled and in another order',
    promise:
      "at every quiet moment cash is what the bank's own ledger holds, and every reply, balance, version and event is what the model predicts",
  },
  {
    key: 'callbacks',
    file: 'service/inbound/callbacks.test.ts',
    rounds: 10_000,
    fault: 'the bank reports an order several times: doubled, reordered, contradictory',
    promise: 'every result is what was predicted, and no money is credited twice',
  },
  {
    key: 'explorer',
    file: 'test/ledger/explorer/explorer.test.ts',
    rounds: 20_000,
    fault: 'two operations on one record in two processes, statement by statement in random order',
    promise: 'the result is the result of one order or the other',
  },
  {
    key: 'tenants_alone',
    file: 'test/tenants/alone.test.ts',
    rounds: 50_000,
    fault:
      'mixed operations of five tenants at once on one service, with the same keys, references and numbers',
    promise: 'each tenant receives, and has in the end, what it would have alone',
  },
  {
    key: 'fuzz',
    file: 'test/security/fuzz/fuzz.test.ts',
    rounds: 200_000,
    fault:
      'requests made out of the OpenAPI files of every operation, with one place wrong: a value, field, type, header, key, query, path, method, or the id of another tenant',
    promise:
      'no 5xx, each reply is one that its operation lists, and a refused request changes nothing',
  },
];
