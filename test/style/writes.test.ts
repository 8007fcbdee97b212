import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sourcesOf } from '../kit/plane_files.ts';

/**
 * State changes by the verbs of commands (rules/engine#1). A file that writes rows by a statement of its own stands
 * here with its reason: none of them is by what somebody does to a record, but for those of `backoffice/audit/beside.ts`.
 */
const byOwnStatement: Readonly<Record<string, readonly string[]>> = {
  'the commit of the engine itself': [
    'engine/batch/idempotency.ts',
    'engine/write/flush.ts',
    'engine/write/flush_ledger.ts',
    'engine/write/flush_outbox.ts',
  ],
  'an act that is no command, with its row of the audit: backoffice/audit/beside.ts says why': [
    'backoffice/tenants/create.ts',
    'backoffice/tenants/take_over.ts',
    'service/jobs/advance_store.ts',
    'service/tenants/credentials.ts',
    'service/webhooks/recover.ts',
    'service/webhooks/secrets.ts',
  ],
  'jobs, deliveries and polls are claimed, begun and ended': [
    'service/inbound/providers/polls.ts',
    'service/jobs/calendar.ts',
    'service/jobs/job_store.ts',
    'service/webhooks/dispatch/hasten.ts',
    'service/webhooks/dispatch/statements.ts',
  ],
  'what is over is deleted or marked, for which the engine has no verb': [
    'backoffice/people/expired.ts',
    'service/jobs/sweep.ts',
    'service/tenants/logos/logos.ts',
  ],
  'values are replaced that an event would repeat: erased (rules/retention#8), sealed anew (rules/keys)':
    [
      'backoffice/people/sign_in/stored_secrets.ts',
      'service/keys/index_key.ts',
      'service/keys/reseal.ts',
      'service/resources/customers/erasure/erasure.ts',
      'service/resources/identity/erasure.ts',
    ],
  'reads, requests, alarms, proofs and checkpoints are noted': [
    'backoffice/access/note.ts',
    'backoffice/audit/kept_proofs.ts',
    'service/alarms/alarm_log.ts',
    'service/http/log/request_rows.ts',
    'service/invariants/keep_proof.ts',
    'service/invariants/sealed/seal.ts',
  ],
  'strangers choose when: by commands they would have the batches of others decided again (rules/sign-in#11)':
    ['backoffice/people/sign_in/attempts.ts'],
  'access tokens, and when a secret was last used: no command knows them': [
    'service/http/auth/token.ts',
    'service/tenants/client_secrets.ts',
  ],
  'processes, their files and their sandbox': [
    'service/http/files/kept_files.ts',
    'service/operations/process_registry.ts',
    'service/resources/customers/documents/samples/samples.ts',
    'service/sandbox/chaos/store.ts',
  ],
  'a period is closed: every batch that was decided before fails (rules/reports#2)': [
    'service/resources/reconciliation/closed_period.ts',
  ],
  'the database itself: migrations, its identity, its timelines, a restore': [
    'service/db/identity.ts',
    'service/db/migrate.ts',
    'service/db/remote_control.ts',
    'service/restore/backups.ts',
    'service/restore/begin.ts',
    'service/restore/hold.ts',
    'service/restore/timeline.ts',
  ],
  'a Tenant moves to another cell, row by row': [
    'fleet/move/bring.ts',
    'fleet/move/carry.ts',
    'fleet/move/depart.ts',
    'fleet/move/leave.ts',
    'fleet/move/move.ts',
    'fleet/move/switch.ts',
  ],
};

const table = String.raw`(?:[\w.]|\$\{[^}]*\})+`;
const writing = new RegExp(
  String.raw`\b(?:insert into|delete from|truncate|merge into)\s+${table}|\bupdate\s+${table}(?:\s+(?:as\s+)?\w+)?\s+set\b|\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(`,
  'i',
);

/** Migrations are held by `migrations.test.ts`; what reads them quotes statements in patterns. */
const quoting = ['service/db/migration_rules.ts'];

const writes = (text: string): boolean => writing.test(text.replace(/^\s*(\/\/|\*|\/\*).*$/gm, ''));

test.each([
  'insert into control.access_records\n (scope)',
  `update control.\${table} t set a = 1`,
  `sql\`update \${sql.table(name)} set a = 1\``,
  'delete from only_rows where true',
  "db.deleteFrom('access_tokens')",
])('a statement that writes is found: %j', (text) => {
  expect(writes(text)).toBe(true);
});

test('nothing is written past the verbs of commands but by the files that are listed with their reason', () => {
  const found = sourcesOf([
    'engine',
    'service',
    'backoffice',
    'fleet',
    'start',
    'scripts',
    'cli',
  ]).filter((name) => !quoting.includes(name) && writes(readFileSync(name, 'utf8')));
  expect(found.sort()).toEqual(Object.values(byOwnStatement).flat().sort());
});
